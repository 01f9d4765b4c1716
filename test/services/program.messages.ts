/** What a process can be asked for, by name. */
export type Commands = Readonly<Record<string, (...parameters: never[]) => unknown>>;

/** A command with its parameters, numbered. */
export type Question = readonly [id: number, command: string, ...parameters: unknown[]];

/** What a command returned, or the stack of what it threw. */
export type Answer = readonly [id: number, answer: unknown, problem?: string];

/**
 * Lets the `Program` that started this process ask for `commands`. The process ends by itself once
 * it is let go of and has nothing left to do.
 */
export function answerMessages(commands: Commands): void {
  process.on('message', async ([id, command, ...parameters]: Question) => {
    const answer = (...answer: Answer): unknown => process.send!(answer);
    try {
      answer(id, await commands[command]!(...(parameters as never[])));
    } catch (error) {
      answer(id, undefined, String(error instanceof Error ? error.stack : error));
    }
  });
}
