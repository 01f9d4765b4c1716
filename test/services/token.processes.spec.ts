import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { DevStore } from '../../lib/dev-store/index.js';
import { Session, offlineSessionId } from '../../lib/sessions/session.js';
import { API_KEY, API_SECRET, APP_URL, SHOP } from '../support/app.js';
import { MONGODB } from './mongodb/databases.js';
import { MYSQL } from './mysql/databases.js';
import { POSTGRESQL } from './postgresql/databases.js';
import { ProgramFile, askAll } from './program.js';
import type { Program } from './program.js';
import { REDIS } from './redis/keys.js';
import { addressOf, sourceOf } from './storage.engine.js';
import type { EngineStorage, StorageEngine, StoragePlace } from './storage.engine.js';
import type { TokenCommands } from './token.program.js';

describe.each<StorageEngine>([POSTGRESQL, MYSQL, REDIS, MONGODB])(
  'processes that share sessions in $name',
  (engine) => {
    let file: ProgramFile<TokenCommands>;
    let place: StoragePlace;
    let storage: EngineStorage;
    let devStore: DevStore;

    beforeAll(async () => {
      file = await ProgramFile.build('test/services/token.program.ts', sourceOf(engine));
    });
    afterAll(() => file.remove());
    beforeEach(async () => {
      devStore = await DevStore.open({
        apps: [{ apiKey: API_KEY, apiSecretKey: API_SECRET, appUrl: APP_URL }],
        shops: [SHOP],
      });
      place = await engine.createPlace();
      storage = place.open();
    });
    afterEach(async () => {
      await file.kill();
      await place.drop();
      await devStore.close();
    });

    /** A session whose access token is over while its refresh token is good. */
    async function expiredSession(): Promise<Session> {
      const shop = devStore.shop();
      shop.install(API_KEY, { scopes: ['write_products'] });
      const pair = shop.issueExpiringTokens(API_KEY);
      const session = new Session({
        id: offlineSessionId(SHOP),
        shop: SHOP,
        state: '',
        isOnline: false,
        scope: 'write_products',
        accessToken: pair.access.token,
        refreshToken: pair.refreshToken,
        expires: new Date(Math.floor(Date.now() / 1000) * 1000),
        refreshTokenExpires: new Date(Date.UTC(2040, 0)),
      });
      await storage.storeSession(session);
      return session;
    }

    async function start(): Promise<Program<TokenCommands>> {
      const program = file.start(addressOf(engine, place), devStore.shopOrigin(SHOP));
      await program.ask('ready');
      return program;
    }

    async function expectEnd(programs: readonly Program<TokenCommands>[]): Promise<void> {
      await askAll(programs, 'close');
      for (const program of programs) expect(await program.end()).toEqual({ code: 0, errors: '' });
    }

    const refreshes = (): number =>
      devStore.shop().tokenRequests.filter(({ grant }) => grant === 'refresh_token').length;

    it('renew a token once, however many of them need it', async () => {
      const { accessToken } = await expiredSession();
      const programs = await Promise.all([1, 2, 3, 4].map(start));
      const answers = await askAll(programs, 'tokens', 50);
      expect(answers.flatMap(({ failures }) => failures)).toEqual([]);
      expect(refreshes()).toBe(1);
      const tokens = new Set(answers.flatMap(({ tokens }) => tokens));
      expect(tokens.size).toBe(1);
      expect(tokens.has(accessToken!)).toBe(false);
      await expectEnd(programs);
    });

    it('lose nothing when one is killed between the new token and its storage', async () => {
      const before = await expiredSession();
      const shop = devStore.shop();
      const answered = new Promise<void>((resolve) => {
        shop.onTokenRequest = async (_request, answer) => {
          await answer();
          resolve();
          return new Promise(() => {});
        };
      });
      const victim = await start();
      const asked = expect(victim.ask('tokens', 1)).rejects.toThrow('The process ended');
      await answered;
      await victim.kill();
      await asked;
      expect((await storage.loadSession(before.id))?.refreshToken).toBe(before.refreshToken);

      shop.onTokenRequest = undefined;
      const survivor = await start();
      const { tokens, failures } = await survivor.ask('tokens', 5);
      expect(failures).toEqual([]);
      expect(tokens).toHaveLength(1);
      expect(refreshes()).toBe(2);
      const reply = await fetch(`${devStore.shopOrigin(SHOP)}/admin/api/2026-07/shop.json`, {
        headers: { 'X-Shopify-Access-Token': tokens[0]! },
      });
      expect(reply.status).toBe(200);
      await expectEnd([survivor]);
    });
  },
);
