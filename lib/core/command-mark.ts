const MARK = Symbol.for('shopwright:COMMAND');

/**
 * Marks this process as that of a command, which opens an app to call its services once: from now
 * on no app of the process works a queue. To be called before the app is imported. The mark holds
 * for every copy of the toolkit in the process, as ES modules and as CommonJS.
 */
export function markCommand(): void {
  Object.assign(globalThis, { [MARK]: true });
}

/** True in the process of a command. */
export function isCommand(): boolean {
  return MARK in globalThis;
}
