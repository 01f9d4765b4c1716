import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { DevStore } from '../../lib/dev-store/index.js';
import { MongoDBSessionStorage } from '../../lib/sessions/storages/mongodb/index.js';
import { MySQLSessionStorage } from '../../lib/sessions/storages/mysql/index.js';
import { PostgreSQLSessionStorage } from '../../lib/sessions/storages/postgresql/index.js';
import { RedisSessionStorage } from '../../lib/sessions/storages/redis/index.js';
import { offlineSessionId } from '../../lib/sessions/session.ids.js';
import { Session } from '../../lib/sessions/session.js';
import type { SessionStorage } from '../../lib/sessions/session.storage.js';
import { API_KEY, API_SECRET, APP_URL, SHOP } from '../support/app.js';
import { transpile } from '../support/transpile.js';
import type { Transpiled } from '../support/transpile.js';

const name = `tokens_${randomUUID().slice(0, 8)}`;

/** A storage of each engine that locks across processes, and the same as source text for a child process. */
const ENGINES: Readonly<Record<string, { folder: string; create: string; open: () => SessionStorage }>> = {
  PostgreSQL: {
    folder: 'postgresql',
    create: `new engine.PostgreSQLSessionStorage(process.env.POSTGRES_URL, { sessionTableName: '${name}' })`,
    open: () => new PostgreSQLSessionStorage(process.env['POSTGRES_URL']!, { sessionTableName: name }),
  },
  MySQL: {
    folder: 'mysql',
    create: `new engine.MySQLSessionStorage(process.env.MYSQL_URL, { sessionTableName: '${name}' })`,
    open: () => new MySQLSessionStorage(process.env['MYSQL_URL']!, { sessionTableName: name }),
  },
  Redis: {
    folder: 'redis',
    create: `new engine.RedisSessionStorage(process.env.REDIS_URL, { sessionKeyPrefix: '${name}' })`,
    open: () => new RedisSessionStorage(process.env['REDIS_URL']!, { sessionKeyPrefix: name }),
  },
  MongoDB: {
    folder: 'mongodb',
    create: `new engine.MongoDBSessionStorage(process.env.MONGODB_URL, '${name}')`,
    open: () => new MongoDBSessionStorage(process.env['MONGODB_URL']!, name),
  },
};

const program = ({ folder, create }: { folder: string; create: string }): string => `
import * as engine from './lib/sessions/storages/${folder}/index.js';
import { createKernel } from './lib/platform.kernel.js';

const storage = ${create};
const kernel = createKernel({
  apiKey: '${API_KEY}', apiSecretKey: '${API_SECRET}', appUrl: '${APP_URL}', scopes: ['write_products'], apiVersion: '2026-07',
  sessionStorage: storage, shopOrigin: () => process.argv[2], logger: { log: () => {} },
});
process.on('message', async (count) => {
  const asked = await Promise.allSettled(Array.from({ length: count }, () => kernel.tokens.session('${SHOP}')));
  process.send({
    tokens: [...new Set(asked.flatMap(({ value }) => value?.accessToken ?? []))],
    failures: asked.flatMap(({ reason }) => (reason ? [String(reason)] : [])),
  });
});
process.on('disconnect', async () => {
  await kernel.close();
  await storage.close();
});
await storage.ready;
process.send('ready');
`;

interface Answer {
  readonly tokens: string[];
  readonly failures: string[];
}

describe.each(Object.entries(ENGINES))('processes that share sessions in %s', (_name, engine) => {
  let built: Transpiled;
  let file: string;
  let devStore: DevStore;
  let storage: SessionStorage;
  const children: ChildProcess[] = [];

  beforeAll(async () => {
    built = await transpile(['lib/platform.kernel.ts', `lib/sessions/storages/${engine.folder}/index.ts`]);
    file = join(built.folder, 'program.js');
    await writeFile(file, program(engine));
  });
  afterAll(() => built.remove());

  beforeEach(async () => {
    devStore = await DevStore.open({ apps: [{ apiKey: API_KEY, apiSecretKey: API_SECRET, appUrl: APP_URL }], shops: [SHOP] });
    storage = engine.open();
  });
  afterEach(async () => {
    for (const child of children.splice(0)) {
      child.disconnect();
      expect(await once(child, 'exit')).toEqual([0, null]);
    }
    await storage.deleteSession(offlineSessionId(SHOP));
    await storage.close?.();
    await devStore.close();
  });

  /** A session whose access token is over while its refresh token is good. */
  async function expiredSession(): Promise<Session> {
    const shop = devStore.shop();
    shop.install(API_KEY, { scopes: ['write_products'] });
    const pair = shop.tokens.expiring(API_KEY, ['write_products']);
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

  async function start(): Promise<ChildProcess> {
    const child = fork(file, [devStore.shopOrigin(SHOP)], { execArgv: [], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    expect(await once(child, 'message')).toEqual(['ready', undefined]);
    return child;
  }

  async function ask(child: ChildProcess, count: number): Promise<Answer> {
    const answered = once(child, 'message');
    child.send(count);
    return ((await answered) as [Answer])[0];
  }

  const refreshes = (): number => devStore.shop().tokenRequests.filter(({ grant }) => grant === 'refresh_token').length;

  it('renew a token once, however many of them need it', async () => {
    const { accessToken } = await expiredSession();
    children.push(...(await Promise.all([1, 2, 3, 4].map(start))));
    const answers = await Promise.all(children.map((child) => ask(child, 50)));
    expect(answers.flatMap(({ failures }) => failures)).toEqual([]);
    expect(refreshes()).toBe(1);
    const tokens = new Set(answers.flatMap(({ tokens }) => tokens));
    expect(tokens.size).toBe(1);
    expect(tokens.has(accessToken!)).toBe(false);
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
    victim.send(1);
    await answered;
    victim.kill('SIGKILL');
    await once(victim, 'exit');
    expect((await storage.loadSession(before.id))?.refreshToken).toBe(before.refreshToken);

    shop.onTokenRequest = undefined;
    children.push(await start());
    const { tokens, failures } = await ask(children[0]!, 5);
    expect(failures).toEqual([]);
    expect(tokens).toHaveLength(1);
    expect(refreshes()).toBe(2);
    const reply = await fetch(`${devStore.shopOrigin(SHOP)}/admin/api/2026-07/shop.json`, {
      headers: { 'X-Shopify-Access-Token': tokens[0]! },
    });
    expect(reply.status).toBe(200);
  });
});
