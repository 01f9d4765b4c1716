import { InvalidOptionsError } from '../../../core/core.errors.js';
import type { OptionProblem } from '../../../core/core.errors.js';
import type { EncryptionKey } from '../../../sessions/encryption/key-ring.js';
import type { DeadLetter } from '../dead-letters.js';

/**
 * Where the queue is: a URL (`redis:`, `rediss:`, `postgres:` or `postgresql:`), or what a driver
 * takes. For Redis those are the options of `ioredis`, or a client of `ioredis` (made with
 * `maxRetriesPerRequest: null`) or of `redis`, which the app closes itself; for PostgreSQL the
 * options of the `Pool` of `pg`, and `schema`.
 */
export type BullmqConnection =
  string | URL | { readonly redis: object } | { readonly postgresql: object };

/** The options of `bullmqQueue`. */
export interface BullmqQueueOptions {
  readonly connection: BullmqConnection;
  /**
   * False in a process that only receives deliveries: others handle them. A process that only
   * handles them mounts no routes. @default true
   */
  readonly worker?: boolean | undefined;
  /** How many deliveries this process handles at a time. @default 10 */
  readonly concurrency?: number | undefined;
  /**
   * How often a delivery is begun before it becomes a dead letter. A process that ends while it
   * handles the delivery counts as a failed attempt, an orderly shutdown does not. @default 10
   */
  readonly attempts?: number | undefined;
  /**
   * Milliseconds between the first and the second attempt; from then on the time doubles, and half
   * of it is random. @default 15,000: the tenth attempt is made about two hours after the first
   */
  readonly backoff?: number | undefined;
  /**
   * A delivery whose process gave no sign of life for so many milliseconds is handled again by
   * another, up to two thirds of that later. A handler must not block the event loop for half as
   * long. From 1,000. @default 30,000
   */
  readonly lockDuration?: number | undefined;
  /**
   * `'shop'` has the deliveries of a shop handled one after the other, over all processes, in the
   * order in which the platform triggered them; those of different shops at the same time. One that
   * fails keeps its turn until it succeeds or is a dead letter: the shop waits. The same in every
   * process of the queue. @default no order
   */
  readonly ordering?: 'shop' | undefined;
  /**
   * Receives each delivery that is given up, once; not waited for. What it throws is logged.
   * @default none
   */
  readonly onDeadLetter?: ((deadLetter: DeadLetter) => unknown) | undefined;
  /** Name of the queue. @default of the app's own: `shopwright-<client id>` */
  readonly name?: string | undefined;
  /** Of the keys in Redis; in a cluster in braces, such as `{bull}`. @default 'bull' */
  readonly prefix?: string | undefined;
  /**
   * Creates and updates the tables of BullMQ in PostgreSQL when the queue is opened. False where
   * the account may not; run BullMQ's own migrations then. @default true
   */
  readonly migrate?: boolean | undefined;
  /**
   * Bodies are stored encrypted with the first of these keys and opened with any: the same as of
   * `EncryptedSessionStorage`. @default not encrypted
   */
  readonly encryptionKeys?: readonly EncryptionKey[] | undefined;
}

/** Where the queue is, with the connection as BullMQ takes it. */
export type QueueTarget =
  /** Options; BullMQ opens the connections, and closes them. */
  | { readonly kind: 'redis'; readonly options: object }
  /** A client of the app's own. */
  | { readonly kind: 'redis-client'; readonly client: object }
  | { readonly kind: 'postgresql'; readonly options: object };

/** The options with their defaults. */
export interface ResolvedBullmqOptions {
  readonly target: QueueTarget;
  readonly worker: boolean;
  readonly concurrency: number;
  readonly attempts: number;
  /** In milliseconds. */
  readonly backoff: number;
  /** In milliseconds. */
  readonly lockDuration: number;
  readonly ordering: 'shop' | undefined;
  readonly name: string | undefined;
  readonly prefix: string | undefined;
  readonly onDeadLetter: ((deadLetter: DeadLetter) => unknown) | undefined;
}

const NO_CONNECTION =
  'must be a redis: or postgresql: URL, { redis: options or client } or { postgresql: options }';

/** @throws {InvalidOptionsError} naming every problem at once */
export function resolveBullmqOptions(options: BullmqQueueOptions): ResolvedBullmqOptions {
  const given: Partial<Record<keyof BullmqQueueOptions, unknown>> = Object(options);
  const problems: OptionProblem[] = [];
  const check = (option: keyof BullmqQueueOptions, isValid: boolean, message: string): void => {
    if (given[option] !== undefined && !isValid)
      problems.push({ option: `webhooks.queue.${option}`, message });
  };
  const { connection, concurrency, attempts, backoff, lockDuration, name } = given;
  const target = targetOf(connection, given.migrate !== false);
  if (!target) problems.push({ option: 'webhooks.queue.connection', message: NO_CONNECTION });
  for (const option of ['worker', 'migrate'] as const)
    check(option, typeof given[option] === 'boolean', 'must be true or false');
  check('concurrency', isCount(concurrency), 'must be a whole number from 1');
  check('attempts', isCount(attempts), 'must be a whole number from 1');
  check('backoff', isMilliseconds(backoff), 'must be a number of milliseconds from 0');
  check(
    'lockDuration',
    isMilliseconds(lockDuration) && Number(lockDuration) >= 1_000,
    'must be a number of milliseconds from 1000',
  );
  check('ordering', given.ordering === 'shop', "must be 'shop', or left out");
  check('onDeadLetter', typeof given.onDeadLetter === 'function', 'must be a function');
  check('name', typeof name === 'string' && /^[^:]+$/.test(name), 'must be a text without ":"');
  check('prefix', typeof given.prefix === 'string', 'must be a text');
  if (!target || problems.length > 0) throw new InvalidOptionsError(problems);
  return {
    target,
    worker: options.worker ?? true,
    concurrency: options.concurrency ?? 10,
    attempts: options.attempts ?? 10,
    backoff: options.backoff ?? 15_000,
    lockDuration: options.lockDuration ?? 30_000,
    ordering: options.ordering,
    name: options.name,
    prefix: options.prefix,
    onDeadLetter: options.onDeadLetter,
  };
}

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 1;
const isMilliseconds = (value: unknown): boolean =>
  typeof value === 'number' && value >= 0 && value <= 86_400_000;

function targetOf(connection: unknown, migrate: boolean): QueueTarget | undefined {
  if (typeof connection === 'string' || connection instanceof URL) {
    if (!URL.canParse(connection)) return undefined;
    const { protocol, href } = new URL(connection);
    if (/^rediss?:$/.test(protocol)) return { kind: 'redis', options: { url: href } };
    if (/^postgres(?:ql)?:$/.test(protocol))
      return { kind: 'postgresql', options: { migrate, connectionString: href } };
    return undefined;
  }
  const { redis, postgresql } = Object(connection) as Record<string, unknown>;
  if (isObject(redis) && postgresql === undefined)
    return 'sendCommand' in redis
      ? { kind: 'redis-client', client: redis }
      : { kind: 'redis', options: redis };
  // A pool of the app's own has no schema, and would not be migrated.
  if (isObject(postgresql) && redis === undefined && !('query' in postgresql))
    return { kind: 'postgresql', options: { migrate, ...postgresql } };
  return undefined;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
