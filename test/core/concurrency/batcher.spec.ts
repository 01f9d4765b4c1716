import { describe, expect, it } from '@jest/globals';

import { Batcher } from '../../../lib/core/concurrency/batcher.js';

/** A server whose answers are given on command, in the order of the batches. */
class Server {
  readonly batches: (readonly number[])[] = [];
  readonly #answers: { resolve(results: string[]): void; reject(error: unknown): void }[] = [];

  readonly send = (items: readonly number[]): Promise<string[]> =>
    new Promise((resolve, reject) => {
      this.batches.push(items);
      this.#answers.push({ resolve, reject });
    });

  async answer(error?: Error): Promise<void> {
    const { resolve, reject } = this.#answers.shift()!;
    if (error) reject(error);
    else
      resolve(
        this.batches[this.batches.length - this.#answers.length - 1]!.map(
          (item) => `result ${item}`,
        ),
      );
    await new Promise((resolve) => setTimeout(resolve));
  }
}

const outcomesOf = async (calls: Promise<string>[]): Promise<string[]> =>
  (await Promise.allSettled(calls)).map((outcome) =>
    outcome.status === 'fulfilled' ? outcome.value : `failed: ${outcome.reason.message}`,
  );

describe('Batcher', () => {
  it('sends the first calls at once, and those that come meanwhile together', async () => {
    const server = new Server();
    const batcher = new Batcher(server.send);
    const calls = [1, 2, 3, 4, 5].map((item) => batcher.ask(item));
    expect(server.batches).toEqual([[1], [2]]);
    await server.answer();
    expect(server.batches).toEqual([[1], [2], [3, 4, 5]]);
    calls.push(batcher.ask(6));
    expect(server.batches).toHaveLength(3);
    await server.answer();
    expect(server.batches.at(-1)).toEqual([6]);
    await server.answer();
    await server.answer();
    expect(await outcomesOf(calls)).toEqual([1, 2, 3, 4, 5, 6].map((item) => `result ${item}`));
    expect(server.batches).toHaveLength(4);
  });

  it('keeps to its limits, and to the order of the calls', async () => {
    const server = new Server();
    const batcher = new Batcher(server.send, { concurrency: 1, maxSize: 2 });
    const calls = [1, 2, 3, 4, 5].map((item) => batcher.ask(item));
    while (server.batches.flat().length < calls.length) await server.answer();
    await server.answer();
    expect(server.batches).toEqual([[1], [2, 3], [4, 5]]);
    expect(await outcomesOf(calls)).toEqual([1, 2, 3, 4, 5].map((item) => `result ${item}`));
  });

  it('sends those together next time that were answered together', async () => {
    const server = new Server();
    const batcher = new Batcher(server.send, { concurrency: 1 });
    const askTwice = async (item: number): Promise<string> => {
      await batcher.ask(item);
      return batcher.ask(item + 10);
    };
    const calls = [1, 2, 3].map(askTwice);
    while (server.batches.flat().length < 6) await server.answer();
    await server.answer();
    expect(server.batches).toEqual([[1], [2, 3, 11], [12, 13]]);
    expect(await outcomesOf(calls)).toEqual(['result 11', 'result 12', 'result 13']);
  });

  it('lets an item wait while one of the same key is in flight', async () => {
    const server = new Server();
    const batcher = new Batcher(server.send, { keyOf: (item) => item % 10, maxSize: 2 });
    const calls = [1, 11, 2, 21, 12].map((item) => batcher.ask(item));
    expect(server.batches).toEqual([[1], [2]]);
    await server.answer();
    expect(server.batches.at(-1)).toEqual([11, 21]);
    await server.answer();
    expect(server.batches.at(-1)).toEqual([12]);
    await server.answer();
    await server.answer();
    expect(await outcomesOf(calls)).toEqual([1, 11, 2, 21, 12].map((item) => `result ${item}`));
  });

  it('fails all calls of a batch that failed, and goes on', async () => {
    const server = new Server();
    const batcher = new Batcher(server.send, { concurrency: 1 });
    const outcomes = outcomesOf([1, 2, 3].map((item) => batcher.ask(item)));
    await server.answer();
    await server.answer(new Error('away'));
    expect(await outcomes).toEqual(['result 1', 'failed: away', 'failed: away']);
    const call = batcher.ask(4);
    await server.answer();
    expect(await call).toBe('result 4');
  });

  it('tries each call alone when one of them was at fault', async () => {
    const batches: (readonly number[])[] = [];
    const send = async (items: readonly number[]): Promise<string[]> => {
      batches.push(items);
      if (items.includes(3)) throw new Error('no threes');
      return items.map((item) => `result ${item}`);
    };
    const batcher = new Batcher(send, {
      concurrency: 1,
      isFaultOfOne: (error) => (error as Error).message === 'no threes',
    });
    const calls = [1, 2, 3, 4].map((item) => batcher.ask(item));
    expect(await outcomesOf(calls)).toEqual([
      'result 1',
      'result 2',
      'failed: no threes',
      'result 4',
    ]);
    expect(batches).toEqual([[1], [2, 3, 4], [2], [3], [4]]);
  });

  // Each hundred waited for a time limit of its own behind the hundreds before it.
  it('fails those as well that waited when a batch was sent that failed, and lets who came later try anew', async () => {
    const server = new Server();
    const batcher = new Batcher(server.send, { concurrency: 1, maxSize: 2 });
    const outcomes = outcomesOf([1, 2, 3, 4, 5, 6, 7].map((item) => batcher.ask(item)));
    await server.answer();
    expect(server.batches).toEqual([[1], [2, 3]]);
    const later = outcomesOf([8, 9].map((item) => batcher.ask(item)));
    await server.answer(new Error('away'));
    expect(await outcomes).toEqual(['result 1', ...Array<string>(6).fill('failed: away')]);
    expect(server.batches).toEqual([[1], [2, 3], [8, 9]]);
    await server.answer();
    expect(await later).toEqual(['result 8', 'result 9']);
  });

  it('fails nobody else for the fault of one, and asks no more once the server is away', async () => {
    const batches: (readonly number[])[] = [];
    const send = async (items: readonly number[]): Promise<string[]> => {
      batches.push(items);
      if (items.includes(4)) throw new Error('away');
      if (items.includes(2)) throw new Error('no twos');
      return items.map((item) => `result ${item}`);
    };
    const batcher = new Batcher(send, {
      concurrency: 1,
      maxSize: 3,
      isFaultOfOne: (error, items) => (error as Error).message === 'no twos' || items.length > 1,
    });
    const calls = [2, 1, 3, 5, 4, 6, 7, 8].map((item) => batcher.ask(item));
    expect(await outcomesOf(calls)).toEqual([
      ...['failed: no twos', 'result 1', 'result 3', 'result 5'],
      ...Array<string>(4).fill('failed: away'),
    ]);
    expect(batches).toEqual([[2], [1, 3, 5], [4, 6, 7], [4]]);
  });
});
