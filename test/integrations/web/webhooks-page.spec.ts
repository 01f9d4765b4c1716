import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import type { WebhookSettings } from '../../../lib/webhooks/webhooks.options.js';
import { APP_URL } from '../../support/app.js';
import { ListedQueue, kept, letter } from '../../webhooks/queue/listed.queue.js';
import { ROUTES, thrown } from './web.fixture.js';

const ADDRESS = `${APP_URL}/ops/webhooks`;
const STAFF = { authorization: 'Basic b3BzOnB3' };
const authorize = ({ headers }: Request): boolean => {
  const given = headers.get('authorization');
  if (given === null) throw new Response('Who are you?', { status: 401 });
  return given === STAFF.authorization;
};

describe.each(ROUTES)('the page about webhooks in a route of $name', ({ open }) => {
  let app: ReturnType<typeof open>;
  const opened = (webhooks: WebhookSettings): void => void (app = open({ webhooks }));
  beforeEach(() => {
    kept.letters = [letter('d-1'), letter('d-2', { topic: 'PRODUCTS_UPDATE' })];
    opened({ queue: { create: () => new ListedQueue() } });
  });
  afterEach(() => app.close());

  const page = (headers: Record<string, string> = STAFF): Promise<Response> =>
    app.webhooksPage(new Request(ADDRESS, { headers }), { authorize });
  const form = async (): Promise<{ cookie: string; token: string }> => {
    const shown = await page();
    const cookie = shown.headers.getSetCookie().map((one) => one.split(';')[0]);
    const [, token = ''] = /name="token" value="([^"]+)"/.exec(await shown.text()) ?? [];
    return { cookie: cookie.join('; '), token };
  };
  const post = (
    { cookie, token }: { cookie: string; token: string },
    fields: Record<string, string>,
    headers: Record<string, string> = {},
  ): Promise<Response> =>
    app.webhooksPage(
      new Request(ADDRESS, {
        method: 'POST',
        headers: { ...STAFF, cookie, 'sec-fetch-site': 'same-origin', ...headers },
        body: new URLSearchParams({ token, ...fields }),
      }),
      { authorize },
    );

  it('shows the queue and the dead letters, and lets nobody frame or keep it', async () => {
    const shown = await page();
    const text = await shown.text();
    expect([shown.status, shown.headers.get('content-type')]).toEqual([
      200,
      'text/html; charset=utf-8',
    ]);
    expect(text).toMatch(/<dt>Waiting<\/dt>\s*<dd>3</);
    expect(text).toContain('PRODUCTS_UPDATE');
    expect(shown.headers.get('content-security-policy')).toMatch(/frame-ancestors 'none'$/);
    expect(shown.headers.get('cache-control')).toBe('no-store');
  });

  it('has one dead letter handled again, or all', async () => {
    const given = await form();
    const one = await post(given, { id: 'd-2' });
    expect([one.status, one.headers.get('location')]).toEqual([302, '?replayed=1']);
    expect(kept.letters.map(({ id }) => id)).toEqual(['d-1']);
    expect((await post(given, { all: '1' })).headers.get('location')).toBe('?replayed=1');
    expect(kept.letters).toEqual([]);
  });

  it('is shown to nobody whom the app does not let in', async () => {
    const given = await form();
    const answers = [
      await page({ authorization: 'Basic eA==' }),
      await post(given, { all: '1' }, { authorization: 'Basic eA==' }),
      await thrown(() => page({})),
    ];
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 401]);
    for (const answer of answers) expect(await answer.text()).not.toContain('d-1');
    expect(kept.letters).toHaveLength(2);
  });

  it.each<[string, Record<string, string>, Record<string, string>, number]>([
    ['of another site', { all: '1' }, { 'sec-fetch-site': 'cross-site' }, 403],
    ['without a cookie', { all: '1' }, { cookie: '' }, 403],
    ['with a token of its own', { all: '1', token: 'x' }, {}, 403],
    ['that names none', {}, {}, 400],
    ['that is endless', { id: 'd'.repeat(6_000_000) }, {}, 413],
  ])('refuses a form %s', async (_, fields, headers, status) => {
    const given = await form();
    const answer = await post(given, fields, headers);
    expect(answer.status).toBe(status);
    expect(kept.letters).toHaveLength(2);
  });

  it('is a mistake without somebody who says who may see it', async () => {
    const request = new Request(ADDRESS);
    await expect(app.webhooksPage(request, undefined as never)).rejects.toThrow(
      'webhooksPage() needs authorize',
    );
  });
});
