/**
 * Runs cases and prints a row for each: how it ended, how long it took, on what, what was done, and
 * the outcome that was to be.
 */
export class Report {
  #passed = 0;
  #failed = 0;

  /** @param only cases whose row does not match are left out */
  constructor(only = /(?:)/) {
    this.only = only;
  }

  /** @param row `{ engine, title, outcome }` */
  wants({ engine, title }) {
    return this.only.test(`${engine} ${title}`);
  }

  /**
   * @param run throws when the outcome is another; may answer with what else there is to say of it
   */
  async case(row, run) {
    if (!this.wants(row)) return;
    const start = performance.now();
    const seconds = () => ((performance.now() - start) / 1000).toFixed(1).concat(' s');
    try {
      const remark = await run();
      this.#passed++;
      print('ok', seconds(), row, remark === undefined ? '' : ` (${remark})`);
    } catch (error) {
      this.#failed++;
      print('FAILED', seconds(), row, `\n${textOf(error)}`);
    }
  }

  /** A case that cannot be had here is neither passed nor failed. */
  skip(row, reason) {
    if (this.wants(row)) print('left out', '', row, ` (${reason})`);
  }

  /** Prints the sum and sets the exit code. */
  finish() {
    console.log(`\n${this.#passed} passed, ${this.#failed} failed`);
    if (this.#failed > 0 || this.#passed === 0) process.exitCode = 1;
  }
}

/** Of a long text, such as all that a process wrote, the beginning. */
function textOf(error) {
  const text = error instanceof UnexpectedError ? error.message : (error.stack ?? String(error));
  return text
    .split('\n')
    .slice(0, 20)
    .map((line) => `        ${line.slice(0, 400)}`)
    .join('\n');
}

function print(how, seconds, { engine, title, outcome }, rest) {
  console.log(
    `${how.padEnd(8)} ${seconds.padStart(8)}  ${engine.padEnd(14)} ${title.padEnd(62)} ${outcome}${rest}`,
  );
}

/** Something is not as it was to be; where that was found says no more. */
class UnexpectedError extends Error {}

/** @throws when something is not as it was to be: `what` says what it is about */
export function expectEqual(what, found, expected) {
  const [one, other] = [found, expected].map((value) => JSON.stringify(value));
  if (one !== other) throw new UnexpectedError(`${what}: ${one} instead of ${other}.`);
}

/** @throws unless `holds` */
export function expect(holds, message) {
  if (!holds) throw new UnexpectedError(message);
}
