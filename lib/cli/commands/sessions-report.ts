import { redactedText } from '../../core/redaction.js';
import type { SessionResult, SessionWorkOptions } from '../../sessions/maintenance/session-work.js';
import { countIn } from '../command-options.js';
import type { Output } from '../output.js';
import { ResumeFile } from '../resume-file.js';

/** After how many sessions the progress is told and noted. */
const PROGRESS_EVERY = 100;

/** Options that the commands of sessions have in common, as they are written. */
export interface SessionsReportOptions {
  readonly resume?: string | undefined;
  readonly 'dry-run'?: boolean | undefined;
  readonly concurrency?: string | undefined;
}

/** What is written and noted while sessions are worked on. */
export class SessionsReport {
  readonly #file: ResumeFile | undefined;
  #count = 0;

  constructor(
    private readonly output: Output,
    { resume, 'dry-run': dryRun }: SessionsReportOptions,
    run: string,
  ) {
    this.#file =
      resume === undefined ? undefined : ResumeFile.open(resume, dryRun ? `${run}, dry run` : run);
    if (this.#file?.after !== undefined) this.tell(`Going on after ${this.#file.after}`);
  }

  print(line: string): void {
    this.output.stdout.write(`${redactedText(line)}\n`);
  }

  tell(line: string): void {
    this.output.stderr.write(`${redactedText(line)}\n`);
  }

  options(
    { 'dry-run': dryRun, concurrency }: SessionsReportOptions,
    signal: AbortSignal | undefined,
  ): SessionWorkOptions & { onSession: (result: SessionResult<string>) => void } {
    return {
      dryRun,
      signal,
      after: this.#file?.after,
      concurrency: countIn('concurrency', concurrency),
      onSession: (result) => this.#note(result),
    };
  }

  /** Ends the file when the run is complete, and says how to go on when it is not. */
  isComplete({ isComplete, lastId }: { isComplete: boolean; lastId: string | undefined }): boolean {
    if (isComplete) {
      this.#file?.remove();
      return true;
    }
    if (lastId !== undefined) this.#file?.note(lastId);
    this.tell('Broken off: repeat the command to go on.');
    return false;
  }

  #note({ id, outcome, error }: SessionResult<string>): void {
    this.#count++;
    if (error !== undefined)
      this.tell(`${id} failed: ${error instanceof Error ? error.message : String(error)}`);
    if (this.#count % PROGRESS_EVERY !== 0) return;
    this.#file?.note(id);
    this.tell(`${this.#count} sessions, last: ${id} ${outcome}`);
  }
}
