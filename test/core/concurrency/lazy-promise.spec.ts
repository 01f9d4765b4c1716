import { describe, expect, it } from '@jest/globals';

import { LazyPromise } from '../../../lib/core/concurrency/lazy-promise.js';
import { gate } from '../../support/gate.js';

describe('LazyPromise', () => {
  it('begins the work with the first caller’s arguments and shares it with every caller', async () => {
    const begun: string[] = [];
    const lazy = new LazyPromise(async (name: string) => {
      begun.push(name);
      return begun.length;
    });
    expect(begun).toEqual([]);
    expect(await Promise.all([lazy.get('a'), lazy.get('b')])).toEqual([1, 1]);
    expect([await lazy.get('c'), begun]).toEqual([1, ['a']]);
  });

  it('does not keep a failure: the next call tries again', async () => {
    let attempts = 0;
    const lazy = new LazyPromise(async () => {
      if (++attempts === 1) throw new Error('not now');
      return 'made';
    });
    await expect(lazy.get()).rejects.toThrow('not now');
    expect(await lazy.made()).toBeUndefined();
    expect([await lazy.get(), attempts]).toEqual(['made', 2]);
  });

  it('has nothing before it is asked, and what was in progress once that has ended', async () => {
    const { opened, open } = gate();
    const lazy = new LazyPromise(() => opened.then(() => 'made'));
    expect(await lazy.made()).toBeUndefined();
    void lazy.get();
    const made = lazy.made();
    open();
    expect(await made).toBe('made');
  });
});
