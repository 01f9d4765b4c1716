import { describe, expect, it } from '@jest/globals';

import { BulkQueue } from '../../../lib/graphql-client/bulk/bulk.queue.js';

const never = new AbortController().signal;

/** Whether a promise is settled once everything that can happen by itself has happened. */
async function isPending(promise: Promise<unknown>): Promise<boolean> {
  const waiting = Symbol();
  const later = new Promise((resolve) => setImmediate(() => resolve(waiting)));
  return (await Promise.race([promise, later])) === waiting;
}

describe('the queue of bulk operations', () => {
  it('lets the next one in when a place is given back, in the order they came', async () => {
    const queue = new BulkQueue();
    const leave = await queue.enter('QUERY a', 1, never);
    const order: string[] = [];
    const second = queue
      .enter('QUERY a', 1, never)
      .then((leaveNext) => (order.push('second'), leaveNext()));
    const third = queue
      .enter('QUERY a', 1, never)
      .then((leaveNext) => (order.push('third'), leaveNext()));
    expect(await isPending(second)).toBe(true);
    leave();
    await Promise.all([second, third]);
    expect(order).toEqual(['second', 'third']);
  });

  it('does not let one shop or type wait for another', async () => {
    const queue = new BulkQueue();
    await queue.enter('QUERY a', 1, never);
    expect(await isPending(queue.enter('QUERY b', 1, never))).toBe(false);
    expect(await isPending(queue.enter('MUTATION a', 1, never))).toBe(false);
  });

  it('takes a place back once, however often it is given', async () => {
    const queue = new BulkQueue();
    const leave = await queue.enter('QUERY a', 1, never);
    leave();
    leave();
    await queue.enter('QUERY a', 1, never);
    expect(await isPending(queue.enter('QUERY a', 1, never))).toBe(true);
  });

  it('forgets who gave up while waiting', async () => {
    const queue = new BulkQueue();
    const leave = await queue.enter('QUERY a', 1, never);
    const impatient = new AbortController();
    const given = queue.enter('QUERY a', 1, impatient.signal);
    impatient.abort(new Error('enough'));
    await expect(given).rejects.toThrow('enough');
    leave();
    expect(await isPending(queue.enter('QUERY a', 1, never))).toBe(false);
  });

  it('does not begin what is aborted already', async () => {
    await expect(
      new BulkQueue().enter('QUERY a', 1, AbortSignal.abort(new Error('late'))),
    ).rejects.toThrow('late');
  });
});
