import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { isRetriable } from '../../../lib/core/http/api-caller.js';
import { checkedRetries, retriesIn } from '../../../lib/core/http/api-request.js';
import { backoff, retryAfter } from '../../../lib/core/http/retries.js';
import { ManualClock } from '../../support/manual.clock.js';

describe('a status', () => {
  it.each([429, 500, 502, 503, 504])(
    'of %d lets a call that may be repeated be sent again',
    (status) => {
      expect(isRetriable(status, true)).toBe(true);
    },
  );

  it.each([200, 201, 303, 400, 401, 402, 403, 404, 406, 422, 423, 501])(
    'of %d does not',
    (status) => {
      expect(isRetriable(status, true)).toBe(false);
    },
  );

  it('lets a call that must not be done twice be sent again only when it says that nothing was done', () => {
    expect([429, 500, 502, 503, 504].filter((status) => isRetriable(status, false))).toEqual([429]);
  });
});

describe('the wait before another attempt', () => {
  it.each([
    ['2', 2000],
    ['2.0', 2000],
    [' 2.5 ', 2500],
    ['0.25', 250],
    ['0', 0],
    ['Thu, 01 Jan 2026 00:00:05 GMT', 5000],
    ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
    ['soon', undefined],
    ['', undefined],
    ['-3', undefined],
  ])('is what a Retry-After of %p says', (header, ms) => {
    expect(retryAfter(new Headers({ 'retry-after': header }), new ManualClock())).toBe(ms);
  });

  it('doubles its bound from one second on, up to a minute, and may be anything below', () => {
    const bounds = [1, 2, 3, 4, 10].map((attempt) => backoff(attempt, () => 1));
    expect(bounds).toEqual([1000, 2000, 4000, 8000, 60_000]);
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 50 }),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (attempt, chance) => {
          const wait = backoff(attempt, () => chance);
          expect(wait).toBeGreaterThanOrEqual(0);
          expect(wait).toBeLessThan(Math.min(60_000, 1000 * 2 ** (attempt - 1)));
        },
      ),
    );
  });
});

describe('the number of retries', () => {
  it('is 0 to 3', () => {
    expect([0, 1, 2, 3].map(checkedRetries)).toEqual([0, 1, 2, 3]);
    for (const retries of [-1, 4, 1.5, Number.NaN, '1', null, undefined]) {
      expect(() => checkedRetries(retries)).toThrow(
        expect.objectContaining({ code: 'ERR_REQUEST_INVALID' }),
      );
    }
  });

  it('is one less than the tries, when a call counts them instead', () => {
    expect([{}, { retries: 2 }, { tries: 1 }, { tries: 4 }].map(retriesIn)).toEqual([
      undefined,
      2,
      0,
      3,
    ]);
  });

  it.each([
    { tries: 0 },
    { tries: 5 },
    { tries: 1.5 },
    { tries: '2' },
    { tries: 2, retries: 1 },
    { retries: 4 },
  ])('is not %j', (options) => {
    expect(() => retriesIn(options as { tries: number })).toThrow(
      expect.objectContaining({ code: 'ERR_REQUEST_INVALID' }),
    );
  });
});
