import { HttpAbortedError } from '../../core/http/http.errors.js';
import { orAborted } from '../../core/http/time-limit.js';
import type { HttpTransport } from '../../core/http/http-transport.js';
import { LazyPromise } from '../../core/concurrency/lazy-promise.js';
import type { PlatformLogger } from '../../core/logger.js';
import { download } from './bulk-download.js';
import { BulkOperationError, BulkTransferError } from './bulk.errors.js';
import { launch } from './bulk-launch.js';
import type { LaunchDependencies, Launchable } from './bulk-launch.js';
import { nested } from './bulk-nesting.js';
import type { BulkOperation } from './bulk-operation.js';
import { untilEnded } from './bulk-watch.js';
import type { WatchDependencies } from './bulk-watch.js';
import { readJsonl } from './jsonl.reader.js';

/** What a {@link BulkRun} depends on. */
export interface BulkDependencies extends LaunchDependencies, WatchDependencies {
  readonly transport: HttpTransport;
  readonly logger: PlatformLogger;
  /** @throws {BulkTransferError} when a file must not be fetched from, or sent to, this address */
  readonly checkAddress: (url: string) => void;
}

/** How a run is awaited, and when it ends. */
export interface BulkRunOptions {
  /** Ends the wait or the download, and cancels the operation unless `keepRunning` is set. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Lets the operation continue when the signal is aborted or the loop is left, so that `resume`
   * can pick it up.
   * @default false
   */
  readonly keepRunning?: boolean | undefined;
  /**
   * Nests rows below their parents, as `__children`.
   * @default false: flat rows with `__parentId`
   */
  readonly nested?: boolean | undefined;
}

/**
 * One bulk operation. It starts when it is iterated, with `start()` or with `finish()`; iterating
 * it again reads the same result again.
 * @throws while it is iterated: {@link UserErrorsError} when the platform refuses to start it,
 * {@link BulkOperationError} when it ends without a complete result, {@link BulkTransferError} when
 * its file cannot be read, {@link HttpAbortedError}
 */
export class BulkRun<Row> implements AsyncIterable<Row> {
  #id: string | undefined;
  readonly #starting = new LazyPromise((launchable: Launchable) => this.#launch(launchable));
  readonly #cancelling = new LazyPromise((id: string) => this.dependencies.api.cancel(id));
  /** How many callers wait for the operation. */
  #waiting = 0;
  /** Aborts a start that no caller waits for any more. */
  #launching: AbortController | undefined;
  /** Frees the slot of the operation. Does nothing before it is started. */
  #leave = (): void => {};
  readonly #stop = new AbortController();
  readonly #signal: AbortSignal;

  /**
   * @internal Made by `BulkOperations`. `origin` is the id of an existing operation, or starts one.
   */
  constructor(
    private readonly dependencies: BulkDependencies,
    private readonly origin: string | Launchable,
    private readonly options: BulkRunOptions,
  ) {
    if (typeof origin === 'string') this.#id = origin;
    this.#signal = options.signal
      ? AbortSignal.any([options.signal, this.#stop.signal])
      : this.#stop.signal;
  }

  /** Global id of the operation once it is started; enough to resume it after a restart. */
  get id(): string | undefined {
    return this.#id;
  }

  /**
   * Starts the operation, as soon as the platform's limit allows, without waiting for its end.
   * @returns its id
   * @throws {UserErrorsError} when the platform refuses it
   */
  async start(): Promise<string> {
    return this.#abortable(this.#signal, () => this.#started(this.#signal));
  }

  /**
   * Waits until the operation has completed, starting it if need be. @throws {BulkOperationError}
   * when it ends otherwise
   */
  finish(): Promise<BulkOperation> {
    return this.#completed(this.#signal);
  }

  /** Ends the operation, and every wait for it. */
  async cancel(): Promise<void> {
    this.#stop.abort();
    await this.#starting.made();
    await this.#cancel();
  }

  [Symbol.asyncIterator](): AsyncIterator<Row, undefined> {
    const left = new AbortController();
    const rows = this.#rows(AbortSignal.any([this.#signal, left.signal]));
    const done = { done: true, value: undefined } as const;
    return {
      next: () =>
        rows.next().catch((error: unknown) => {
          if (left.signal.aborted) return done;
          throw error;
        }),
      // A generator's own return() takes effect only when the generator reaches its next row.
      return: async () => {
        left.abort();
        await rows.return(undefined).catch(() => {});
        return done;
      },
    };
  }

  async *#rows(signal: AbortSignal): AsyncGenerator<Row, undefined> {
    const { url, fileSize } = await this.#completed(signal);
    // Nothing was found, so there is no file.
    if (url === null) return;
    try {
      this.dependencies.checkAddress(url);
      const lines = readJsonl(
        download(
          this.dependencies.transport,
          { url, size: fileSize === null ? undefined : Number(fileSize) },
          signal,
        ),
      );
      for await (const { rows } of this.options.nested ? nested(lines) : lines)
        for (const row of rows) yield row as Row;
    } catch (error) {
      throw this.#withFacts(error, signal);
    }
  }

  async #completed(signal: AbortSignal): Promise<BulkOperation> {
    const operation = await this.#abortable(signal, async () =>
      untilEnded(this.dependencies, await this.#started(signal), signal),
    );
    if (operation.status === 'COMPLETED') return operation;
    const why = operation.errorCode === null ? '' : ` (${operation.errorCode})`;
    const partial =
      operation.partialDataUrl === null ? '' : ' What it got done is at `partialDataUrl`.';
    throw new BulkOperationError(
      `${this.#name} ended as ${operation.status}${why}.${partial}`,
      operation,
      this.#facts,
    );
  }

  /**
   * The id of the operation. It is started once for all callers; a caller whose signal is aborted
   * stops waiting.
   */
  async #started(signal: AbortSignal): Promise<string> {
    const { origin } = this;
    signal.throwIfAborted();
    if (typeof origin === 'string') return origin;
    return orAborted(this.#starting.get(origin), signal);
  }

  async #launch(launchable: Launchable): Promise<string> {
    this.#launching = new AbortController();
    const signal = AbortSignal.any([this.#signal, this.#launching.signal]);
    const { id, leave } = await launch(this.dependencies, launchable, signal);
    this.#id = id;
    this.#leave = leave;
    if (signal.aborted) {
      // The start was in flight already, and no caller is left to cancel the operation.
      await this.#abandon();
      leave();
    }
    return id;
  }

  /** Runs work that can be aborted. When its last caller is aborted, the operation is abandoned. */
  async #abortable<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    this.#waiting++;
    try {
      const done = await work();
      signal.throwIfAborted();
      return done;
    } catch (error) {
      if (!signal.aborted) throw error;
      if (this.#waiting === 1) await this.#abandon();
      throw this.#withFacts(error, signal);
    } finally {
      // Nobody waits for its end any more; the platform knows whether another one may start.
      if (--this.#waiting === 0) this.#leave();
    }
  }

  /**
   * Cancels the operation, or aborts its start. `#launch` cancels an operation whose start was in
   * flight.
   */
  async #abandon(): Promise<void> {
    this.#launching?.abort();
    if (this.options.keepRunning) return;
    await this.#cancel().catch((error: unknown) => {
      this.dependencies.logger.warn('A bulk operation could not be cancelled: it goes on', {
        ...this.#facts,
        error,
      });
    });
  }

  async #cancel(): Promise<void> {
    const id = this.#id;
    if (id !== undefined) await this.#cancelling.get(id);
  }

  #withFacts(error: unknown, signal: AbortSignal): unknown {
    if (signal.aborted)
      return new HttpAbortedError(`${this.#name} was aborted.`, { ...this.#facts, cause: error });
    if (!(error instanceof BulkTransferError)) return error;
    const { message, line, status, cause } = error;
    return new BulkTransferError(`${this.#name}: ${message}`, {
      ...this.#facts,
      line,
      status,
      cause,
    });
  }

  get #facts(): { readonly shop: string; readonly operation: string } {
    return { shop: this.dependencies.api.shop, operation: this.#name };
  }

  get #name(): string {
    if (this.#id !== undefined) return `Bulk operation ${this.#id}`;
    return typeof this.origin === 'string'
      ? this.origin
      : `A bulk ${this.origin.type.toLowerCase()}`;
  }
}
