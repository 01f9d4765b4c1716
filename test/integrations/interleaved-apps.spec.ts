import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { SqliteSessionStorage } from '../../lib/sessions/storages/sqlite/sqlite-session.storage.js';
import { APPS, apiKeyOf, TwoApps, WIRINGS } from './interleaved-apps.fixture.js';
import type { AppName, Sighting } from './interleaved-apps.fixture.js';

/** The ways in which work comes to an app, each with what it must come to. */
const REQUESTS: Readonly<Record<string, (apps: TwoApps, app: AppName) => Promise<void>>> = {
  'a page': async (apps, app) => expect(await apps.visit(app)).toEqual({ status: 200, body: app }),
  'a page with the token of the other app': async (apps, app) =>
    expect((await apps.visit(app, other(app))).status).toBe(401),
  'a webhook': async (apps, app) =>
    expect(await apps.deliver(app)).toEqual({ status: 200, sightings: [ownOf(app)] }),
  'a webhook of the other app': async (apps, app) =>
    expect(await apps.deliver(app, other(app))).toEqual({ status: 401, sightings: [] }),
  'a job': async (apps, app) => expect(await apps.work(app)).toEqual(ownOf(app)),
};

/** What happens to an app in its shop, between requests. */
const CHANGES: Readonly<Record<string, (apps: TwoApps, app: AppName) => Promise<void>>> = {
  nothing: async () => {},
  'its tokens expire': async ({ shop }, app) => shop.expireTokens(apiKeyOf(app)),
  'it is installed again': async (apps, app) => {
    apps.install(app);
    expect(await apps.visit(app)).toEqual({ status: 200, body: app });
  },
};

const other = (app: AppName): AppName => (app === 'a' ? 'b' : 'a');
const ownOf = (app: AppName): Sighting => ({
  app,
  client: apiKeyOf(app),
  accessToken: expect.any(String) as unknown as string,
});

const app = fc.constantFrom(...APPS);
const request = fc.tuple(fc.constantFrom(...Object.keys(REQUESTS)), app);
/** One change, and requests that are all sent at once. */
const wave = fc.record({
  change: fc.tuple(fc.constantFrom(...Object.keys(CHANGES)), app),
  requests: fc.array(request, { minLength: 2, maxLength: 8 }),
});
const setup = fc.record({
  useOnlineTokens: fc.record({ a: fc.boolean(), b: fc.boolean() }),
  waves: fc.array(wave, { minLength: 1, maxLength: 5 }),
  /** How many turns of the event loop the platform takes for each token. */
  turns: fc.array(fc.nat(20), { minLength: 1, maxLength: 8 }),
});

describe.each(WIRINGS)('two apps of one process and one shop, on $name', (wiring) => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'two-apps-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('never get a session of the other, however their requests interleave', async () => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(setup, async ({ useOnlineTokens, waves, turns }) => {
        // One database: the ids of their sessions are the same.
        const database = join(folder, `${run++}.db`);
        const storages = {
          a: new SqliteSessionStorage(database, { sessionTableName: 'sessions_of_a' }),
          b: new SqliteSessionStorage(database, { sessionTableName: 'sessions_of_b' }),
        };
        const apps = await TwoApps.open(wiring, { useOnlineTokens, storages });
        try {
          let tokens = 0;
          apps.shop.onTokenRequest = async (_request, answer) => {
            const reply = answer();
            for (let left = turns[tokens++ % turns.length]!; left > 0; left--) await setImmediate();
            return reply;
          };
          await Promise.all(APPS.map((name) => REQUESTS['a page']!(apps, name)));
          for (const { change, requests } of waves) {
            await CHANGES[change[0]]!(apps, change[1]);
            await Promise.all(requests.map(([kind, name]) => REQUESTS[kind]!(apps, name)));
          }
          expect(apps.sightings.filter(({ app, client }) => client !== apiKeyOf(app))).toEqual([]);
          const [ofA, ofB] = await Promise.all(
            APPS.map(async (name) => [
              ...apps.sightings.filter(({ app }) => app === name),
              ...(await storages[name].findSessionsByShop(apps.shop.domain)),
            ]),
          );
          const tokensOfA = new Set(ofA!.map(({ accessToken }) => accessToken));
          expect(ofB!.filter(({ accessToken }) => tokensOfA.has(accessToken))).toEqual([]);
        } finally {
          await apps.close();
          await Promise.all(APPS.map((name) => storages[name].close()));
        }
      }),
      { numRuns: 10 },
    );
  }, 120_000);
});
