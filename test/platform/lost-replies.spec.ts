import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { DevStore } from '../../lib/dev-store/index.js';
import { platformApp } from '../../lib/integrations/remix/index.js';
import type { RemixApp } from '../../lib/integrations/remix/platform-app.js';
import type { Session } from '../../lib/sessions/session.js';
import { MemorySessionStorage } from '../../lib/sessions/storages/memory/memory-session.storage.js';
import { API_KEY, API_SECRET, APP_URL, SHOP, appOptions } from '../support/app.js';
import { gate } from '../support/gate.js';
import { HurriedClock } from '../support/hurried.clock.js';

const SCOPES = ['write_products'];
const HOUR = 3_600_000;

let store: DevStore;
let storage: MemorySessionStorage;
const opened: RemixApp[] = [];

beforeEach(async () => {
  store = await DevStore.open({
    shops: [SHOP],
    apps: [{ apiKey: API_KEY, apiSecretKey: API_SECRET, appUrl: APP_URL }],
  });
  storage = new MemorySessionStorage();
});
afterEach(async () => {
  for (const app of opened.splice(0)) await app.close();
  await store.close();
});

/** A process of the app. */
function open(fetch: typeof globalThis.fetch): RemixApp {
  const app = platformApp({
    ...appOptions({ shopOrigin: store.shopOrigin, clock: new HurriedClock(store.clock), fetch }),
    scopes: SCOPES,
    sessionStorage: storage,
  });
  opened.push(app);
  return app;
}

/**
 * A network over which every request arrives, and what `lose` makes of the reply to each refresh
 * comes back.
 */
function network(
  lose: (reply: Response, refreshes: number) => Promise<Response>,
): typeof globalThis.fetch {
  let refreshes = 0;
  return async (url, init) => {
    const reply = await fetch(url, init);
    return String(init?.body).includes('"refresh_token"') ? lose(reply, ++refreshes) : reply;
  };
}

const stored = (): Promise<Session | undefined> => storage.loadSession(`offline_${SHOP}`);
const granted = (): string[] => store.shop().tokenRequests.map(({ grant }) => grant);

async function install(app: RemixApp): Promise<void> {
  store.shop().install(API_KEY, { scopes: SCOPES });
  const headers = { authorization: `Bearer ${store.shop().sessionToken(API_KEY)}` };
  await app.authenticate.admin(new Request(`${APP_URL}/api`, { headers }));
  store.shop().tokenRequests.length = 0;
}

const LOSSES: readonly (readonly [string, (reply: Response) => Promise<Response>])[] = [
  ['with the connection', () => Promise.reject(new TypeError('fetch failed'))],
  [
    'in the middle of its body',
    async (reply) => {
      const start = new Uint8Array(await reply.arrayBuffer()).subarray(0, 20);
      let pulls = 0;
      const pull = (controller: ReadableStreamDefaultController<Uint8Array>): void =>
        pulls++ === 0 ? controller.enqueue(start) : controller.error(new TypeError('terminated'));
      const body = new ReadableStream<Uint8Array>({ pull });
      return new Response(body, { headers: { 'content-type': 'application/json' } });
    },
  ],
  [
    'behind a gateway that answers 502',
    async () => new Response('<html>Bad Gateway</html>', { status: 502 }),
  ],
  [
    'behind a proxy that answers with a page of its own',
    async () => new Response('<html>One moment</html>'),
  ],
];

describe.each(LOSSES)('a refresh whose reply is lost %s', (_, lose) => {
  // Two in a row failed every caller, with a refresh token in hand that was good.
  it.each([1, 2, 3])(
    '%i times in a row fails none of the callers, in two processes',
    async (losses) => {
      const lossy = network((reply, refreshes) =>
        refreshes <= losses ? lose(reply) : Promise.resolve(reply),
      );
      const processes = [open(lossy), open(lossy)];
      await install(processes[0]!);
      store.advance(2 * HOUR);
      const callers = Array.from({ length: 20 }, (__, index) =>
        processes[index % 2]!.unauthenticated.admin(SHOP),
      );
      const clients = await Promise.all(callers);
      const answers = await Promise.all(
        clients.map(({ admin }) => admin.graphql<{ shop: { name: string } }>('{ shop { name } }')),
      );
      expect(new Set(answers.map(({ data }) => data.shop.name))).toEqual(
        new Set([store.shop().name]),
      );
      expect(new Set(clients.map(({ session }) => session.accessToken))).toEqual(
        new Set([(await stored())?.accessToken]),
      );
      expect(granted()).toEqual(Array.from({ length: losses + 1 }, () => 'refresh_token'));
    },
  );
});

describe('a token that is good for some minutes yet', () => {
  it('is used when the endpoint keeps silent, and takes nobody more than a moment; the new one is kept when it comes', async () => {
    let answer = (): void => {};
    const silence = new Promise<void>((resolve) => (answer = resolve));
    const app = open(network((reply) => silence.then(() => reply)));
    await install(app);
    const before = (await stored())?.accessToken;
    store.advance(HOUR - 2 * 60_000);
    const begin = performance.now();
    const sessions = await Promise.all(
      Array.from({ length: 10 }, () => app.api.session.forShop(SHOP)),
    );
    sessions.push(await app.api.session.forShop(SHOP));
    expect(new Set(sessions.map(({ accessToken }) => accessToken))).toEqual(new Set([before]));
    expect(performance.now() - begin).toBeLessThan(5_000);
    answer();
    while ((await stored())?.accessToken === before)
      await new Promise((resolve) => setTimeout(resolve, 10));
    expect((await app.api.session.forShop(SHOP)).accessToken).toBe((await stored())?.accessToken);
    expect(granted()).toEqual(['refresh_token']);
  });

  it('is renewed to the end when the app shuts down meanwhile', async () => {
    // The renewal that nobody waited for any more was cut off, with whatever the app closed next.
    const [asked, answered] = [gate(), gate()];
    const app = open(network((reply) => (asked.open(), answered.opened.then(() => reply))));
    await install(app);
    const before = (await stored())?.accessToken;
    store.advance(HOUR - 2 * 60_000);
    expect((await app.api.session.forShop(SHOP)).accessToken).toBe(before);
    await asked.opened;
    const closed = app.close();
    const later = new Promise((resolve) => setTimeout(() => resolve('pending'), 100));
    expect(await Promise.race([closed, later])).toBe('pending');
    answered.open();
    await closed;
    expect((await stored())?.accessToken).not.toBe(before);
  });
});
