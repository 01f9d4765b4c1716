import { redactedText } from '../../core/redaction.js';
import type { SessionResult, SessionWorkOptions } from '../../sessions/maintenance/session-work.js';
import type { Output } from '../output.js';
import { ResumeFile } from '../resume-file.js';
import { reasonLine } from '../printable.js';

/** After how many sessions the progress is told and noted. */
const PROGRESS_EVERY = 100;

/** Options that the commands of sessions have in common. */
export interface SessionsRunOptions {
  readonly resume: string | undefined;
  readonly dryRun: boolean | undefined;
  readonly concurrency: number | undefined;
  readonly signal: AbortSignal | undefined;
}

/** What is written and noted while sessions are worked on. */
export class SessionsReport {
  readonly #file: ResumeFile | undefined;
  /** What failed in earlier runs. */
  readonly #failedBefore: readonly string[];
  #count = 0;
  /** Since the file was written last. */
  #failed: string[] = [];

  /** @param run what is done: only the same is gone on with */
  constructor(
    private readonly output: Output,
    private readonly options: SessionsRunOptions,
    run: readonly string[],
  ) {
    const { resume, dryRun } = options;
    const name = [...run, ...(dryRun ? ['dry run'] : [])].join(', ');
    this.#file = resume === undefined ? undefined : ResumeFile.open(resume, name);
    this.#failedBefore = [...(this.#file?.failed ?? [])];
    if (this.#file?.after !== undefined) this.tell(`Going on after ${this.#file.after}`);
  }

  print(line: string): void {
    this.output.stdout.write(`${redactedText(line)}\n`);
  }

  tell(line: string): void {
    this.output.stderr.write(`${redactedText(line)}\n`);
  }

  get work(): SessionWorkOptions & { onSession: (result: SessionResult<string>) => void } {
    const { dryRun, signal, concurrency } = this.options;
    const after = this.#file?.after;
    return { dryRun, signal, after, concurrency, onSession: (result) => this.#note(result) };
  }

  /** Whether sessions failed, in earlier runs of the file as well. */
  get hasFailed(): boolean {
    return this.#failed.length > 0 || (this.#file?.failed ?? []).length > 0;
  }

  /** Ends the file when the run is complete, and says how to go on when it is not. */
  isComplete({ isComplete, lastId }: { isComplete: boolean; lastId: string | undefined }): boolean {
    if (isComplete) {
      for (const id of this.#failedBefore) this.tell(`failed in an earlier run: ${id}`);
      this.#file?.remove();
      return true;
    }
    if (lastId !== undefined) this.#noteUntil(lastId);
    const { resume } = this.options;
    this.tell(
      resume === undefined
        ? 'Broken off. Repeat the command: it begins anew.'
        : `Broken off. Go on with --resume ${resume}`,
    );
    return false;
  }

  #note({ id, outcome, error }: SessionResult<string>): void {
    this.#count++;
    if (outcome === 'failed') {
      this.tell(`${id} failed: ${reasonLine(error)}`);
      this.#failed.push(id);
    }
    if (this.#count % PROGRESS_EVERY !== 0) return;
    this.#noteUntil(id);
    this.tell(`${this.#count} sessions, last: ${id} ${outcome}`);
  }

  #noteUntil(id: string): void {
    if (!this.#file) return;
    this.#file.note(id, this.#failed);
    this.#failed = [];
  }
}
