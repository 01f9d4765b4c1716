import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';

import { isRecord, isTexts, parsedBody } from '../core/json.js';
import { UsageError } from './cli.errors.js';

/**
 * A file that says how far a run over many shops or sessions has come. It is replaced as a whole,
 * so that a process that is killed leaves the old one or the new one.
 */
export class ResumeFile {
  #after: string | undefined;
  #failed: string[];

  private constructor(
    private readonly path: string,
    private readonly run: string,
    { after, failed }: { after?: string | undefined; failed: string[] },
  ) {
    this.#after = after;
    this.#failed = failed;
  }

  /**
   * Reads the file if there is one, and makes sure that it can be written.
   * @param run what is done, and for which app: only the same is gone on with
   * @throws {UsageError} when the file belongs to another run or is none of this kind; the system's
   * error when it cannot be read or written
   */
  static open(path: string, run: string): ResumeFile {
    const file = new ResumeFile(path, run, stateIn(path, run));
    file.#write();
    return file;
  }

  /** Where to go on; `undefined` for the beginning. */
  get after(): string | undefined {
    return this.#after;
  }

  /** What failed, that of earlier runs included: shops or sessions. */
  get failed(): readonly string[] {
    return this.#failed;
  }

  /** Notes that everything up to this session is done. @param failed since the last note */
  note(id: string, failed: readonly string[] = []): void {
    this.#after = id;
    this.#failed.push(...failed);
    this.#write();
  }

  /** Removes the file: the next run begins from the beginning. */
  remove(): void {
    rmSync(this.path, { force: true });
  }

  #write(): void {
    const { path, run } = this;
    const written = `${path}.${process.pid}`;
    const state = { run, after: this.#after, failed: this.#failed };
    writeFileSync(written, `${JSON.stringify(state)}\n`);
    renameSync(written, path);
  }
}

function stateIn(path: string, run: string): { after?: string | undefined; failed: string[] } {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (isRecord(error) && error['code'] === 'ENOENT') return { failed: [] };
    throw error;
  }
  const state = parsedBody(text);
  const { run: noted, after, failed } = isRecord(state) ? state : {};
  const isState =
    typeof noted === 'string' &&
    (after === undefined || typeof after === 'string') &&
    isTexts(failed);
  if (!isState)
    throw new UsageError(
      `${path} is not a file that --resume has written: name another, or delete it.`,
    );
  if (noted !== run)
    throw new UsageError(
      `${path} belongs to another run (${noted}): name another file, or delete it to begin anew.`,
    );
  return { after, failed };
}
