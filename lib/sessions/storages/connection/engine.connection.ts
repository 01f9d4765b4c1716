import { setTimer } from '../../../core/time/clock.js';
import type { Clock } from '../../../core/time/clock.js';
import { SessionStorageError } from '../../sessions.errors.js';

/** How long who closes waits, in milliseconds. */
const CLOSING_MS = 5_000;

/** A server, a file or a client that has been reached. */
export interface Reached<Server> {
  readonly server: Server;
  /**
   * Closes what was opened to reach it, if anything was.
   * @param callsOver resolves when no call is in flight over it, if it is closed before
   */
  readonly close?: (callsOver: Promise<void>) => Promise<unknown>;
  /** Whether it has to be reached anew. @default it never has: the driver sees to that */
  readonly isLost?: () => boolean;
}

/** How an engine is reached, and made ready for calls. */
export interface Engine<Server, Prepared> {
  readonly clock: Clock;
  /** What `prepare` does, for the error when it fails. @default `be prepared` */
  readonly preparing?: string;
  /** @throws what `errorFor` explains */
  reach(): Promise<Reached<Server>>;
  /** Makes of a server what calls work with: once each time it is reached, before anything else. */
  prepare(server: Server): Promise<Prepared>;
  /** @param what could not be done, such as `load a session` */
  errorFor(what: string, cause: unknown): SessionStorageError;
}

/** An engine that is prepared: calls work with it. */
interface Opened<Server, Prepared> extends Reached<Server> {
  readonly prepared: Prepared;
}

/** One time that the engine is opened, and the calls that need it. */
interface Opening<Server, Prepared> {
  /** Rejects when it could not be opened. */
  readonly opened: Promise<Opened<Server, Prepared>>;
  current: Opened<Server, Prepared> | undefined;
  /** How many are in flight. */
  calls: number;
  onIdle(): void;
}

/**
 * The way to an engine, which is reached, and prepared, on first use. Its calls fail with typed
 * errors, and those in flight end before it is closed.
 */
export class EngineConnection<Server, Prepared> {
  #opening: Opening<Server, Prepared> | undefined;
  #closing: Promise<unknown> | undefined;
  /** Over servers that were reached for them alone. */
  readonly #inspections = new Set<EngineConnection<Server, unknown>>();

  constructor(private readonly engine: Engine<Server, Prepared>) {}

  /** What calls work with, while it is open. */
  get current(): Prepared | undefined {
    const opened = this.#opening?.current;
    return opened?.isLost?.() ? undefined : opened?.prepared;
  }

  /**
   * Runs `work` once the engine is reached and prepared.
   * @param what it does, such as `load a session`
   * @throws {SessionStorageError} that says what could not be done, and where
   */
  async run<T>(what: string, work: (prepared: Prepared) => T | Promise<T>): Promise<T> {
    const opening = this.#opened();
    opening.calls++;
    try {
      return await work((opening.current ?? (await opening.opened)).prepared);
    } catch (cause) {
      throw this.#explained(what, cause);
    } finally {
      if (--opening.calls === 0) opening.onIdle();
    }
  }

  /** The same as `run` without preparing anything, to look at what is there. */
  async inspect<T>(what: string, work: (server: Server) => Promise<T>): Promise<T> {
    const opened = this.#opening?.current;
    if (opened && !opened.isLost?.()) return this.run(what, () => work(opened.server));
    const inspection = new EngineConnection({ ...this.engine, preparing: what, prepare: work });
    this.#inspections.add(inspection);
    try {
      return await inspection.run(what, (found) => found);
    } finally {
      await closedAnyhow(inspection);
      this.#inspections.delete(inspection);
    }
  }

  /** Resolves when the engine is reached and prepared. */
  open(): Promise<void> {
    return this.run('be opened', () => {});
  }

  /**
   * Closes what was opened here, after the calls in flight, inspections included: all together
   * within five seconds, after which what is left goes on by itself.
   */
  async close(): Promise<void> {
    const opening = this.#opening;
    this.#opening = undefined;
    const inspected = [...this.#inspections].map(closedAnyhow);
    // Who closes it meanwhile waits as well.
    if (opening || inspected.length > 0)
      this.#closing = Promise.all([this.#closing, opening && this.#close(opening), ...inspected]);
    const closing = this.#closing;
    await closing?.finally(() => {
      if (this.#closing === closing) this.#closing = undefined;
    });
  }

  #opened(): Opening<Server, Prepared> {
    const last = this.#opening;
    if (last && !last.current?.isLost?.()) return last;
    const opened = this.#reachAndPrepare();
    const opening: Opening<Server, Prepared> = {
      opened,
      current: undefined,
      calls: 0,
      onIdle() {},
    };
    this.#opening = opening;
    opened.then(
      (opened) => (opening.current = opened),
      () => {
        if (this.#opening === opening) this.#opening = undefined;
      },
    );
    return opening;
  }

  async #reachAndPrepare(): Promise<Opened<Server, Prepared>> {
    let reached: Reached<Server> | undefined;
    try {
      reached = await this.engine.reach();
      return { ...reached, prepared: await this.engine.prepare(reached.server) };
    } catch (cause) {
      const close = reached?.close;
      // Why it could not be prepared matters more: a pool or a client ends with the process.
      if (close) await this.#inTime(() => close(Promise.resolve())).catch(() => {});
      throw this.#explained(this.engine.preparing ?? 'be prepared', cause);
    }
  }

  /**
   * Takes the steps one after the other; rejects as one of them does. After five seconds none is
   * waited for any longer.
   */
  async #inTime(...steps: (() => Promise<unknown>)[]): Promise<void> {
    let cancel = (): void => {};
    const deadline = new Promise<void>((resolve) => {
      cancel = setTimer(this.engine.clock, CLOSING_MS, resolve);
    });
    try {
      for (const step of steps) await Promise.race([step(), deadline]);
    } finally {
      cancel();
    }
  }

  #close(opening: Opening<Server, Prepared>): Promise<void> {
    // The next call has another opening.
    const idle = new Promise<void>((resolve) => {
      opening.onIdle = resolve;
      if (opening.calls === 0) resolve();
    });
    const opened = opening.opened.catch(() => undefined);
    return this.#inTime(
      () => idle,
      async () => (await opened)?.close?.(idle),
    );
  }

  #explained(what: string, cause: unknown): SessionStorageError {
    return cause instanceof SessionStorageError ? cause : this.engine.errorFor(what, cause);
  }
}

/** Never rejects: what an inspection has found matters more. */
function closedAnyhow(inspection: EngineConnection<unknown, unknown>): Promise<void> {
  return inspection.close().catch(() => {});
}
