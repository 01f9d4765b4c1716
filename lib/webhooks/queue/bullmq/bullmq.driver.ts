import { WebhookQueueError } from '../../webhooks.errors.js';

/** No limit: the largest number of attempts that PostgreSQL takes. */
export const MOST_TIMES = 2 ** 31 - 1;

/** The part of a job that we use. */
export interface BullmqJob {
  readonly id?: string | undefined;
  readonly data: unknown;
  readonly progress: unknown;
  /** Attempts that ended in a failure. */
  readonly attemptsMade: number;
  /** How often it was begun since it was added, or since its last replay. */
  readonly attemptsStarted: number;
  /** How often it was found without a living worker. */
  readonly stalledCounter: number;
  /** When it was added, in milliseconds. */
  readonly timestamp: number;
  readonly finishedOn?: number | null | undefined;
  readonly failedReason?: string | null | undefined;
  updateProgress(progress: object): Promise<void>;
  updateData(data: unknown): Promise<void>;
  moveToWait(token?: string): Promise<unknown>;
  /** @param timestamp in milliseconds */
  moveToDelayed(timestamp: number, token?: string): Promise<void>;
  /** Ends its delay. Rejects when it is not delayed. */
  promote(): Promise<void>;
  retry(
    state: 'failed',
    options: { readonly resetAttemptsMade: boolean; readonly resetAttemptsStarted: boolean },
  ): Promise<void>;
}

interface Connected {
  on(event: 'error', listener: (error: Error) => void): unknown;
  waitUntilReady(): Promise<unknown>;
  /** Ends the connection without waiting for anything. */
  disconnect(): Promise<void>;
  readonly backend?: {
    /** Ends the connection on which a worker waits for jobs. @param wait until it has ended */
    disconnectBlocking?(wait: boolean): Promise<void>;
    /** Only of Redis. */
    readonly client?: Promise<BullmqRedisClient>;
    /** With a pool only of PostgreSQL, which finds the tables of the queue by their names alone. */
    readonly connection?: PostgresBackend['connection'];
  };
}

/** The part of a client of Redis that we use: the same over every library. */
export interface BullmqRedisClient {
  defineCommand(
    name: string,
    definition: { readonly numberOfKeys: number; readonly lua: string },
  ): void;
  runCommand(name: string, args: readonly string[]): Promise<unknown>;
  zrange(key: string, start: number, end: number): Promise<string[]>;
}

/** The part of a queue that we use. */
export interface BullmqQueue extends Connected {
  readonly name: string;
  /** The name of a key in Redis, beside those of the queue. */
  toKey(type: string): string;
  add(name: string, data: unknown, options: object): Promise<unknown>;
  getJob(id: string): Promise<BullmqJob | undefined>;
  /** Such as `completed`, `failed` or, of a job that is not there, `unknown`. */
  getJobState(id: string): Promise<string>;
  /** Those that failed last first; `end` is included. */
  getFailed(start: number, end: number): Promise<(BullmqJob | undefined)[]>;
  /** By state; one that is not named is left out. */
  getJobCounts(...states: readonly string[]): Promise<Readonly<Record<string, number>>>;
  /** Those added last first; `end` is included. */
  getJobs(
    states: readonly string[],
    start: number,
    end: number,
  ): Promise<(BullmqJob | undefined)[]>;
  close(): Promise<void>;
}

/** The part of a worker that we use. */
export interface BullmqWorker extends Connected {
  run(): Promise<void>;
  /** @param doNotWaitActive resolves at once, while jobs are still running */
  pause(doNotWaitActive: boolean): Promise<void>;
  resume(): Promise<void>;
  close(): Promise<void>;
}

/** What a worker does with a job. */
export type BullmqProcessor = (job: BullmqJob, token?: string) => Promise<void>;

/** What tells a worker that a job was moved, or must not be repeated. */
export interface BullmqErrors {
  readonly DelayedError: new () => Error;
  readonly WaitingError: new () => Error;
  readonly UnrecoverableError: new (message: string) => Error;
}

/** Makes what reaches the server of a queue. */
export type BullmqBackend<Backend = unknown> = (...parameters: never[]) => Backend;

/** The part of what reaches PostgreSQL that we use. */
interface PostgresBackend {
  readonly connection: { readonly pool: PostgresPool };
}

/** The part of a pool of `pg` that we use. */
export interface PostgresPool {
  query(text: string, values?: readonly unknown[]): Promise<{ readonly rows: readonly unknown[] }>;
  on(event: 'connect', listener: (client: PostgresClient) => void): unknown;
}

interface PostgresClient {
  on(event: 'error', listener: (error: Error) => void): unknown;
}

/** The part of the driver that we use. */
export interface BullmqDriver extends BullmqErrors {
  readonly Queue: new (name: string, options: object, backend?: BullmqBackend) => BullmqQueue;
  readonly Worker: new (
    name: string,
    processor: BullmqProcessor,
    options: object,
    backend?: BullmqBackend,
  ) => BullmqWorker;
  readonly createPostgresBackend: BullmqBackend<PostgresBackend>;
}

/**
 * Loads the optional dependency `bullmq`.
 * @throws {WebhookQueueError} when it is not installed
 */
export async function loadDriver(): Promise<BullmqDriver> {
  try {
    const loaded = (await import('bullmq')) as { readonly default?: unknown };
    return (loaded.default ?? loaded) as BullmqDriver;
  } catch (cause) {
    throw new WebhookQueueError(
      'The webhook queue needs the driver "bullmq", which could not be loaded. Run: npm install bullmq ioredis',
      { cause },
    );
  }
}
