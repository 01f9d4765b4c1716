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

/** How a run over items ended. */
export interface RunEnd {
  /** Of the last item that was reported; `undefined` when there was none. */
  readonly lastId: string | undefined;
  /** False when the signal ended the run before the last item. */
  readonly isComplete: boolean;
}

/** What is done with each item of a run, and until when. */
interface Run<Item, Result> {
  /** How many items are worked on at once. */
  readonly concurrency: number;
  /** Ends the run after the items in progress. */
  readonly signal?: AbortSignal | undefined;
  /** Must not reject. `undefined` ends the run before this item, as if it had not begun. */
  readonly work: (item: Item) => Promise<Result | undefined>;
  /** Called in the order of the items: everything before is done. What it throws ends the run. */
  readonly onResult: (result: Result) => unknown;
}

/**
 * Works on items that have ids, several at once: another run can begin after the last that was
 * reported. What has begun is waited for, however the run ends.
 * @throws {InvalidRequestError} when `concurrency` is out of range
 */
export async function runInOrder<Item, Result extends { readonly id: string }>(
  items: AsyncIterable<Item> | Iterable<Item>,
  { concurrency, signal, work, onResult }: Run<Item, Result>,
): Promise<RunEnd> {
  checkConcurrency(concurrency);
  const begun: Promise<Result | undefined>[] = [];
  let lastId: string | undefined;
  let isComplete = true;
  /** Waits for the first that has begun. @returns false when the run ends before it */
  const report = async (): Promise<boolean> => {
    const result = await begun.shift();
    isComplete &&= result !== undefined;
    if (!result) return false;
    lastId = result.id;
    await onResult(result);
    return true;
  };
  try {
    for await (const item of items) {
      if (signal?.aborted) {
        isComplete = false;
        break;
      }
      begun.push(work(item));
      if (begun.length >= concurrency && !(await report())) return { lastId, isComplete };
    }
    while (begun.length > 0 && (await report()));
  } finally {
    await Promise.allSettled(begun);
  }
  return { lastId, isComplete };
}
