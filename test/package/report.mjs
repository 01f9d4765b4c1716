/** Counts what held and what did not, and prints one line for each. */
export class Report {
  passed = 0;
  failed = 0;

  /**
   * Runs one check and answers what it answers. After a failure, of which the message and a
   * program's output are shown, work goes on.
   */
  async check(title, run) {
    const start = performance.now();
    try {
      const result = await run();
      this.passed += 1;
      console.log(`ok      ${title} (${Math.round(performance.now() - start)} ms)`);
      return result;
    } catch (error) {
      this.failed += 1;
      console.log(`NOT OK  ${title}\n${indent(error.output ?? error.stack ?? String(error))}`);
      return undefined;
    }
  }

  skip(title, reason) {
    console.log(`skipped ${title}: ${reason}`);
  }

  /** Prints the sum and sets the exit code. */
  finish() {
    console.log(`\n${this.passed} passed, ${this.failed} failed`);
    if (this.failed > 0 || this.passed === 0) process.exitCode = 1;
  }
}

const indent = (text) => text.trimEnd().replaceAll(/^/gm, '        ');
