import { appendFileSync, existsSync, readFileSync } from 'node:fs';

/**
 * What handlers and hooks did, one line of JSON each in a file: written at once, so that a
 * `kill -9` right after loses nothing.
 */
export class Ledger {
  constructor(file) {
    this.file = file;
  }

  /** @param entry `{ what: 'start' | 'end' | 'log' | …, key, … }` */
  write(entry) {
    appendFileSync(
      this.file,
      `${JSON.stringify({ ...entry, pid: process.pid, at: Date.now() })}\n`,
    );
  }

  read() {
    if (!existsSync(this.file)) return [];
    return readFileSync(this.file, 'utf8')
      .split('\n')
      .flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
  }

  /**
   * How often work on `key` has begun and come to its end, such as `{ first: [2, 1] }`; work that
   * never began is absent.
   */
  runs(key) {
    const runs = {};
    for (const { what, key: of, name } of this.read()) {
      if (of !== key || (what !== 'start' && what !== 'end')) continue;
      runs[name] ??= [0, 0];
      runs[name][what === 'start' ? 0 : 1] += 1;
    }
    return runs;
  }
}
