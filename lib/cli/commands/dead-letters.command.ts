import type { PlatformApi } from '../../platform/api/platform.api.js';
import { ageOf } from '../../core/time/age.js';
import { systemClock } from '../../core/time/clock.js';
import { NO_DEAD_LETTERS } from '../../webhooks/queue/dead-letters.js';
import type { DeadLetter, DeadLetterFilter } from '../../webhooks/queue/dead-letters.js';
import type { Output } from '../output.js';
import { printable } from '../printable.js';

/** After how many deliveries the progress is told. */
const PROGRESS_EVERY = 50;

/** What {@link listDeadLetters} shows. */
interface ListOptions {
  readonly filter: DeadLetterFilter;
  /** At most so many. @default 100 */
  readonly limit?: number | undefined;
  /** Writes a line of JSON for each. @default false */
  readonly json?: boolean | undefined;
}

/** Lists the dead letters of an app, those given up last first. @returns the exit code: 0 */
export async function listDeadLetters(
  { webhooks, config }: PlatformApi,
  { filter, limit = 100, json = false }: ListOptions,
  { stdout, stderr }: Output,
): Promise<number> {
  const { deadLetters } = webhooks;
  tellWithoutQueue(deadLetters, stderr);
  const letters = await deadLetters.list({ ...filter, limit });
  if (json) {
    for (const letter of letters) stdout.write(`${JSON.stringify(letter)}\n`);
    return 0;
  }
  const now = systemClock.now().getTime();
  stdout.write(`Dead letters of the app with the client id ${config.apiKey}:\n`);
  for (const letter of letters) stdout.write(`${lineOf(letter, now)}\n`);
  stdout.write(`${countOf(letters)}\n`);
  if (letters.length === limit)
    stdout.write(`There may be more than these ${limit}: say --limit <n> for more.\n`);
  return 0;
}

/** What {@link replayDeadLetters} has handled again. */
interface ReplayOptions {
  /** These; without any, all that match. */
  readonly ids: readonly string[];
  readonly filter: DeadLetterFilter;
  /** Only counts them. @default false */
  readonly dryRun?: boolean | undefined;
  /** Ends the run after the delivery in progress. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Has dead letters handled again by the processes that work the queue: says how many of which
 * topics there are, then what became of them, with the progress on stderr.
 * @returns the exit code: 1 when one that was named is no dead letter, or `options.signal` ended
 * the run before the last
 */
export async function replayDeadLetters(
  { webhooks, config }: PlatformApi,
  { ids, filter, dryRun = false, signal }: ReplayOptions,
  { stdout, stderr }: Output,
): Promise<number> {
  const { deadLetters } = webhooks;
  tellWithoutQueue(deadLetters, stderr);
  const all = await deadLetters.list({ ...filter, limit: Infinity });
  const named = new Set(ids);
  const letters = ids.length > 0 ? all.filter(({ id }) => named.delete(id)) : all;
  stdout.write(`Dead letters of the app with the client id ${config.apiKey}:\n`);
  for (const id of ids.length > 0 ? named : []) stdout.write(`${printable(id)} is none\n`);
  stdout.write(`${countOf(letters)}\n`);
  if (dryRun) {
    stdout.write('Nothing was changed: repeat without --dry-run to have them handled again.\n');
    return named.size > 0 ? 1 : 0;
  }
  let begun = 0;
  let replayed = 0;
  for (const { id } of letters) {
    if (signal?.aborted) break;
    if (await deadLetters.replay(id)) replayed++;
    begun++;
    if (begun % PROGRESS_EVERY === 0) stderr.write(`${begun} of ${letters.length}\n`);
  }
  const lost = begun - replayed;
  stdout.write(
    `${replayed} will be handled again${lost > 0 ? `, ${lost} were handled again meanwhile` : ''}.\n`,
  );
  const isComplete = begun === letters.length;
  if (!isComplete) stderr.write('Broken off. Repeat the command for the others.\n');
  return isComplete && named.size === 0 ? 0 : 1;
}

function tellWithoutQueue(deadLetters: unknown, stderr: Output['stderr']): void {
  if (deadLetters === NO_DEAD_LETTERS)
    stderr.write(
      'This app has no durable queue (webhooks.queue), and so no dead letters: the platform delivers again what failed.\n',
    );
}

function lineOf(letter: DeadLetter, now: number): string {
  const { id, topic, shop, attempts, failedAt, reason } = letter;
  const tries = `${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}`;
  return `${id} ${topic} ${shop}, ${tries}, given up ${ageOf(now - failedAt.getTime())} ago: ${printable(reason).replaceAll('\n', ' ')}`;
}

/** `3 dead letters: ORDERS_CREATE 2, PRODUCTS_CREATE 1`. */
function countOf(letters: readonly DeadLetter[]): string {
  const counts = new Map<string, number>();
  for (const { topic } of letters) counts.set(topic, (counts.get(topic) ?? 0) + 1);
  const topics = [...counts].sort(([, one], [, other]) => other - one);
  return [
    `${letters.length} dead ${letters.length === 1 ? 'letter' : 'letters'}`,
    ...(topics.length > 0 ? [topics.map(([topic, count]) => `${topic} ${count}`).join(', ')] : []),
  ].join(': ');
}
