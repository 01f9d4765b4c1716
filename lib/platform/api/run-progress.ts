import { RunTakenOverError } from '../../core/core.errors.js';
import { isRecord, parsedBody } from '../../core/json.js';
import { recordId } from '../../sessions/coordination/coordination-stores.js';
import type { RecordKey, RecordStore } from '../../sessions/coordination/record.store.js';

/** How far a run over shops has come. */
export interface RunState {
  /** Id of the session of the last shop that is done; `undefined` at the beginning. */
  readonly lastId: string | undefined;
  readonly succeeded: number;
  readonly failed: number;
  /** Domains of the first of those that failed. */
  readonly failedShops: readonly string[];
}

/** The state of a run that has not begun. */
export const NOT_BEGUN: RunState = { lastId: undefined, succeeded: 0, failed: 0, failedShops: [] };

/**
 * How far a named run has come, as a record that all processes share. Whoever begins last owns it:
 * the one before finds that out when it next notes something. A lease would make the run wait for
 * the end of the lease of a process that was killed.
 */
export class RunProgress {
  #version: number;

  private constructor(
    private readonly records: RecordStore,
    private readonly key: RecordKey,
    private readonly name: string,
    /** Where it goes on. */
    readonly state: RunState,
    version: number,
  ) {
    this.#version = version;
  }

  /**
   * The point that the run has come to: the beginning when the last one of this name was completed.
   * Whoever then notes it takes the run over.
   * @param app client id of the app
   */
  static async load(records: RecordStore, app: string, name: string): Promise<RunProgress> {
    const key = { kind: 'run', id: recordId(app, name) };
    const stored = await records.get(key);
    const state = stored?.state === 'running' ? stateIn(stored.data) : NOT_BEGUN;
    return new RunProgress(records, key, name, state, stored?.version ?? 0);
  }

  /** @throws {RunTakenOverError} when another process has noted something since */
  note(state: RunState): Promise<void> {
    return this.#put('running', JSON.stringify(state));
  }

  /** The next run of this name begins at the beginning. @throws {RunTakenOverError} */
  complete(): Promise<void> {
    return this.#put('completed', '');
  }

  async #put(state: 'running' | 'completed', data: string): Promise<void> {
    const version = this.#version + 1;
    if (!(await this.records.put({ ...this.key, state, data, version })))
      throw new RunTakenOverError(this.name);
    this.#version = version;
  }
}

function stateIn(data: string): RunState {
  const state = parsedBody(data);
  return isRecord(state) ? { ...NOT_BEGUN, ...state } : NOT_BEGUN;
}
