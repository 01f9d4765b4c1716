import { InvalidRequestError } from '../http/http.errors.js';

/**
 * Checks how many items are to be worked on at once.
 * @throws {InvalidRequestError} for anything but a whole number from 1
 */
export function checkConcurrency(concurrency: number): void {
  if (Number.isInteger(concurrency) && concurrency >= 1) return;
  throw new InvalidRequestError(
    `The "concurrency" value (${String(concurrency)}) is invalid: it must be a whole number from 1.`,
  );
}

/**
 * Works on several items at once, and yields the results in the order of the items: when one is
 * yielded, everything before it is done. What has begun is waited for when the caller stops.
 * @param concurrency how many items are worked on at once, from 1
 * @param work must not reject
 */
export async function* orderedWindow<Item, Result>(
  items: AsyncIterable<Item> | Iterable<Item>,
  concurrency: number,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const begun: Promise<Result>[] = [];
  try {
    for await (const item of items) {
      begun.push(work(item));
      if (begun.length >= concurrency) yield begun.shift()!;
    }
    while (begun.length > 0) yield begun.shift()!;
  } finally {
    await Promise.allSettled(begun);
  }
}
