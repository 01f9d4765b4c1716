import { setTimer } from '../../../core/time/clock.js';
import type { Clock } from '../../../core/time/clock.js';
import { SessionStorageError } from '../../sessions.errors.js';

/** How long who closes waits, in milliseconds. */
const CLOSING_MS = 5_000;

/** A server, a file or a client that has been reached. */
export interface Reached<Server> {
  readonly server: Server;
  /**
   * Closes what was opened to reach it.
   * @param callsOver resolves when no call is in flight over it, if it is closed before
   */
  close(callsOver: Promise<void>): Promise<unknown>;
  /** Whether it has to be reached anew. @default it never has: the driver sees to that */
  readonly isLost?: () => boolean;
}

/** The calls over an engine. */
export interface EngineCalls<Engine> {
  /**
   * Runs `work` once the engine is reached and prepared.
   * @param what it does, such as `load a session`
   * @throws {SessionStorageError} that says what could not be done, and where
   */
  run<T>(what: string, work: (engine: Engine) => T | Promise<T>): Promise<T>;
}

/** What is done once with each server that is reached, before anything else. */
export interface Preparation<Server, Engine> {
  /** Such as `set up a table`: for the error when it fails. */
  readonly what: string;
  /** Makes of the server what calls work with. */
  run(server: Server): Promise<Engine>;
}

/** An engine that is prepared: calls work with it. */
interface Opened<Server, Engine> extends Reached<Server> {
  readonly engine: Engine;
}

/** One time that the engine is opened, and the calls that need it. */
class Opening<Server, Engine> {
  current: Opened<Server, Engine> | undefined;
  #calls = 0;
  #onIdle = (): void => {};

  /** @param opened rejects when it could not be opened */
  constructor(readonly opened: Promise<Opened<Server, Engine>>) {}

  begin(): void {
    this.#calls++;
  }

  end(): void {
    this.#calls--;
    if (this.#calls === 0) this.#onIdle();
  }

  /** Resolves when no call is in flight: the next one has another opening. */
  idle(): Promise<void> {
    return new Promise((resolve) => {
      this.#onIdle = resolve;
      if (this.#calls === 0) resolve();
    });
  }
}

/**
 * The way to an engine, which is reached, and prepared, on first use; what fails then is tried
 * again by the next call. Its calls fail with typed errors, and those in flight end before it is
 * closed.
 */
export abstract class EngineConnection<Server, Engine = Server> implements EngineCalls<Engine> {
  #opening: Opening<Server, Engine> | undefined;
  #closing: Promise<unknown> | undefined;
  /** Work over servers that were reached for it alone. */
  readonly #inspections = new Set<Promise<unknown>>();

  constructor(
    protected readonly clock: Clock,
    private readonly preparation: Preparation<Server, Engine>,
  ) {}

  /** What calls work with, while it is open: for those that would lose time over a promise. */
  get current(): Engine | undefined {
    return this.#opening?.current?.engine;
  }

  async run<T>(what: string, work: (engine: Engine) => T | Promise<T>): Promise<T> {
    const opening = this.#opened();
    opening.begin();
    try {
      return await work((opening.current ?? (await opening.opened)).engine);
    } catch (cause) {
      throw this.#explained(what, cause);
    } finally {
      opening.end();
    }
  }

  /** The same as `run` without preparing anything, to look at what is there. */
  async inspect<T>(what: string, work: (server: Server) => Promise<T>): Promise<T> {
    const opened = this.#opening?.current;
    if (opened && !opened.isLost?.()) return this.run(what, () => work(opened.server));
    const inspection = this.#inspect(what, work);
    this.#inspections.add(inspection);
    try {
      return await inspection;
    } finally {
      this.#inspections.delete(inspection);
    }
  }

  /** Resolves when the engine is reached and prepared. */
  open(): Promise<void> {
    return this.run('be opened', () => {});
  }

  /**
   * Closes what was opened here, after the calls in flight, inspections included. It waits for all
   * together, five seconds at most: what is left of them goes on by itself. A later call opens the
   * engine anew.
   */
  async close(): Promise<void> {
    const opening = this.#opening;
    this.#opening = undefined;
    const inspected = Promise.allSettled(this.#inspections);
    // Who closes it meanwhile waits as well.
    if (opening || this.#inspections.size > 0)
      this.#closing = Promise.all([
        this.#closing,
        opening && this.#close(opening),
        this.#inspections.size > 0 && this.#inTime(inspected),
      ]);
    const closing = this.#closing;
    await closing?.finally(() => {
      if (this.#closing === closing) this.#closing = undefined;
    });
  }

  /** @throws what `errorFor` explains */
  protected abstract reach(): Promise<Reached<Server>>;
  protected abstract errorFor(what: string, cause: unknown): SessionStorageError;

  #opened(): Opening<Server, Engine> {
    const last = this.#opening;
    if (last && !last.current?.isLost?.()) return last;
    const opening = new Opening(this.#reachAndPrepare());
    this.#opening = opening;
    opening.opened.then(
      (opened) => (opening.current = opened),
      () => {
        if (this.#opening === opening) this.#opening = undefined;
      },
    );
    return opening;
  }

  async #reachAndPrepare(): Promise<Opened<Server, Engine>> {
    let reached: Reached<Server> | undefined;
    try {
      reached = await this.reach();
      return { ...reached, engine: await this.preparation.run(reached.server) };
    } catch (cause) {
      if (reached) await this.#letGo(reached);
      throw this.#explained(this.preparation.what, cause);
    }
  }

  async #inspect<T>(what: string, work: (server: Server) => Promise<T>): Promise<T> {
    try {
      const reached = await this.reach();
      return await work(reached.server).finally(() => this.#letGo(reached));
    } catch (cause) {
      throw this.#explained(what, cause);
    }
  }

  /** Closes what nobody else uses. Never rejects: how the work over it went matters more. */
  async #letGo(reached: Reached<Server>): Promise<void> {
    try {
      await this.#inTime(reached.close(Promise.resolve()));
    } catch {
      // The pool or the client ends with the process.
    }
  }

  /** Settles as `work` does, or resolves after five seconds. */
  async #inTime(work: Promise<unknown>): Promise<void> {
    let cancel = (): void => {};
    const deadline = new Promise<void>((resolve) => {
      cancel = setTimer(this.clock, CLOSING_MS, resolve);
    });
    try {
      await Promise.race([work, deadline]);
    } finally {
      cancel();
    }
  }

  async #close(opening: Opening<Server, Engine>): Promise<void> {
    let cancel = (): void => {};
    const deadline = new Promise<void>((resolve) => {
      cancel = setTimer(this.clock, CLOSING_MS, resolve);
    });
    const idle = opening.idle();
    const release = async (): Promise<unknown> =>
      (await opening.opened.catch(() => undefined))?.close(idle);
    try {
      await Promise.race([idle, deadline]);
      await Promise.race([release(), deadline]);
    } finally {
      cancel();
    }
  }

  #explained(what: string, cause: unknown): SessionStorageError {
    return cause instanceof SessionStorageError ? cause : this.errorFor(what, cause);
  }
}
