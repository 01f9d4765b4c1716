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
