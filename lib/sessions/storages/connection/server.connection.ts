import type { Clock } from '../../../core/time/clock.js';
import { SessionStorageError } from '../../sessions.errors.js';
import { InFlightCalls, closeAfter } from './in-flight-calls.js';

/**
 * A server that is connected to, and prepared, on first use. Its calls fail with typed errors, and
 * those in flight end before the connection is closed.
 */
export abstract class ServerConnection<Server> {
  readonly #calls = new InFlightCalls();

  constructor(private readonly clock: Clock) {}

  /**
   * Runs `work` once the server is reached and prepared.
   * @param what it does, such as `load a session`
   * @throws {SessionStorageError} that says what could not be done, and where
   */
  run<T>(what: string, work: (server: Server) => Promise<T>): Promise<T> {
    return this.#calls.add(this.explained(what, async () => work(await this.connected())));
  }

  /** The same on a connection for this alone, with nothing prepared: to look at what is there. */
  inspect<T>(what: string, work: (server: Server) => Promise<T>): Promise<T> {
    return this.#calls.add(this.explained(what, () => this.connectedFor(work)));
  }

  /** Resolves when the server is reached and prepared. */
  open(): Promise<void> {
    return this.run('be opened', async () => {});
  }

  /**
   * Closes what was opened here, after the calls in flight, and waits for that five seconds at
   * most. A later call opens it anew.
   */
  close(): Promise<void> {
    const close = this.detach();
    return closeAfter(this.#calls.over(), close, this.clock);
  }

  protected async explained<T>(what: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (cause) {
      if (cause instanceof SessionStorageError) throw cause;
      throw this.errorFor(what, cause);
    }
  }

  /** The server, prepared; connects if need be. */
  protected abstract connected(): Server | Promise<Server>;
  protected abstract connectedFor<T>(work: (server: Server) => Promise<T>): Promise<T>;
  /** From here on calls connect anew. @returns closes the connection there was */
  protected abstract detach(): () => Promise<void>;
  protected abstract errorFor(what: string, cause: unknown): SessionStorageError;
}
