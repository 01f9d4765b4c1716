import { describe, expect, it } from '@jest/globals';

import { HttpRequestError } from '../../../lib/core/http/http.errors.js';
import { HttpTransport } from '../../../lib/core/http/http.transport.js';
import { ONCE_ONLY, REPEATABLE, checkedRetries, sendWithRetries } from '../../../lib/core/http/retry.js';
import type { Replied, RetryRule } from '../../../lib/core/http/retry.js';
import { ManualClock } from '../../support/manual.clock.js';
import { ScriptedFetch } from '../../support/scripted-fetch.js';
import type { Scripted } from '../../support/scripted-fetch.js';

interface Sent {
  readonly outcome: Promise<Replied>;
  readonly script: ScriptedFetch;
  readonly clock: ManualClock;
}

function send(rule: RetryRule, retries: number, answers: Scripted[], options: { wait?: number; signal?: AbortSignal } = {}): Sent {
  const clock = new ManualClock(Number.MAX_SAFE_INTEGER);
  const script = new ScriptedFetch(...answers);
  const transport = new HttpTransport({ fetch: script.fetch, clock });
  const attempt = (): Promise<Response> => transport.send('https://shop.example/x', { signal: options.signal });
  return { outcome: sendWithRetries(attempt, { clock, rule, retries, ...options }), script, clock };
}

const status = (code: number, headers: Record<string, string> = {}): Response => new Response('body', { status: code, headers });

describe('a call with retries', () => {
  it.each([429, 500, 502, 503, 504])('is sent again after a %d when that does no harm', async (code) => {
    const { outcome, clock } = send(REPEATABLE, 1, [status(code), status(200)]);
    const { response, attempts } = await outcome;
    expect([response.status, attempts, clock.slept]).toEqual([200, 2, [1000]]);
  });

  it.each([200, 201, 303, 400, 401, 402, 403, 404, 406, 422, 423, 501])('is not sent again after a %d', async (code) => {
    const { outcome, script } = send(REPEATABLE, 3, [status(code)]);
    expect((await outcome).response.status).toBe(code);
    expect(script.sent).toHaveLength(1);
  });

  it('that must not be done twice is sent again after a 429 only', async () => {
    expect((await send(ONCE_ONLY, 1, [status(429), status(201)]).outcome).response.status).toBe(201);
    expect((await send(ONCE_ONLY, 3, [status(503), status(201)]).outcome).response.status).toBe(503);
    const lost = send(ONCE_ONLY, 3, [new Error('connection lost'), status(201)]);
    await expect(lost.outcome).rejects.toThrow(HttpRequestError);
    expect(lost.script.sent).toHaveLength(1);
  });

  it('returns the last reply, unread, when the retries are used up', async () => {
    const { outcome, script, clock } = send(REPEATABLE, 2, [() => status(503)], { wait: 7 });
    const { response, attempts } = await outcome;
    expect([response.status, await response.text(), attempts]).toEqual([503, 'body', 3]);
    expect([script.sent.length, clock.slept]).toEqual([3, [7, 7]]);
  });

  it('stops at a status that is not retried', async () => {
    const { outcome, script } = send(REPEATABLE, 3, [status(503), status(403)]);
    expect((await outcome).response.status).toBe(403);
    expect(script.sent).toHaveLength(2);
  });

  it('survives lost connections, and says how often it tried when they persist', async () => {
    expect((await send(REPEATABLE, 2, [new Error('lost'), new Error('lost'), status(200)]).outcome).attempts).toBe(3);
    const { outcome } = send(REPEATABLE, 2, [new Error('lost again')]);
    await expect(outcome).rejects.toMatchObject({ code: 'ERR_HTTP_REQUEST', message: expect.stringMatching(/lost again.*3 attempts/) });
    await expect(send(REPEATABLE, 0, [new Error('lost')]).outcome).rejects.toThrow(/lost\.$/);
  });

  it.each([
    ['2', 2000],
    ['2.0', 2000],
    ['0.25', 250],
    ['0', 0],
    ['Thu, 01 Jan 2026 00:00:05 GMT', 5000],
    ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
    ['soon', 11],
    ['', 11],
  ])('waits as long as a Retry-After of %p says', async (header, ms) => {
    const { outcome, clock } = send(REPEATABLE, 1, [status(429, { 'retry-after': header }), status(200)], { wait: 11 });
    await outcome;
    expect(clock.slept).toEqual([ms]);
  });

  it('hands the reply over rather than wait for more than a minute', async () => {
    const { outcome, clock } = send(REPEATABLE, 3, [status(429, { 'retry-after': '61' })]);
    expect((await outcome).response.status).toBe(429);
    expect(clock.slept).toEqual([]);
  });

  it('ends at once when it is aborted, before and while it waits', async () => {
    const aborted = send(REPEATABLE, 3, [status(200)], { signal: AbortSignal.abort() });
    await expect(aborted.outcome).rejects.toThrow(/aborted/);
    expect(aborted.script.sent).toEqual([]);

    const controller = new AbortController();
    const waiting = send(
      REPEATABLE,
      3,
      [
        () => {
          controller.abort();
          return status(503);
        },
      ],
      { signal: controller.signal },
    );
    await expect(waiting.outcome).rejects.toMatchObject({ code: 'ERR_HTTP_REQUEST' });
    expect(waiting.script.sent).toHaveLength(1);
  });

  it('takes 0 to 3 retries', () => {
    expect([0, 1, 2, 3].map(checkedRetries)).toEqual([0, 1, 2, 3]);
    for (const retries of [-1, 4, 1.5, Number.NaN, '1', null, undefined]) {
      expect(() => checkedRetries(retries)).toThrow(expect.objectContaining({ code: 'ERR_REQUEST_INVALID' }));
    }
  });
});
