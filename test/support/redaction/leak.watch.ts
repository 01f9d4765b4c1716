import { SecretsInUse } from './secrets.in-use.js';

/** Where the watch over a test file stands on its global object. */
export const WATCH = Symbol.for('shopwright:leak-watch');

const AROUND = 80;

/**
 * Keeps what a test file used and what left it, and compares both when the file is done: a secret
 * may become known after it has leaked.
 */
export class LeakWatch {
  readonly secrets = new SecretsInUse();
  readonly #left = new Map<string, string>();
  readonly #endings: (() => void)[] = [];

  /** Takes note of a text that leaves. @param where such as `log line` */
  leaves(where: string, text: string): void {
    if (text !== '' && !this.#left.has(text)) this.#left.set(text, where);
  }

  /** What must be undone because it outlives the test file. */
  atEnd(undo: () => void): void {
    this.#endings.push(undo);
  }

  end(): void {
    for (const undo of this.#endings.splice(0)) undo();
  }

  /** One line for each secret and each way out it took, without the secret. */
  leaks(): string[] {
    const found = new Set<string>();
    const lines: string[] = [];
    for (const [text, where] of this.#left) {
      for (const secret of this.secrets.foundIn(text)) {
        const name = this.secrets.named(secret);
        if (found.has(name + where)) continue;
        found.add(name + where);
        lines.push(`${name} in ${where}: ${this.#excerpt(text, name)}`);
      }
    }
    return lines;
  }

  #excerpt(text: string, name: string): string {
    const masked = this.secrets.masked(text).replaceAll(/\s+/g, ' ');
    const at = masked.indexOf(`<${name}>`);
    return masked.slice(Math.max(0, at - AROUND), at + name.length + AROUND);
  }
}
