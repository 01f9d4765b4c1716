import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createClient } from 'redis';

import { RedisSessionStorage } from '../../lib/sessions/storages/redis/redis-session.storage.js';
import { transpile } from '../support/transpile.js';
import type { Transpiled } from '../support/transpile.js';
import { Program, askAll } from './program.js';
import { startServer, stopServer } from './servers.js';

const URL_OF_REDIS = process.env['REDIS_URL']!;
const SESSION = { id: 'offline_one.myshopify.com', shop: 'one.myshopify.com', state: '', isOnline: false, accessToken: 'access' };

/** What a process does: answers each message with what became of it, and ends by itself once it is disconnected and has nothing left to do. */
const PROGRAM = `
import { RedisSessionStorage } from './lib/sessions/storages/redis/index.js';
import { Session } from './lib/sessions/session.js';
import { withLock } from './lib/sessions/with-lock.js';
import { systemClock } from './lib/core/clock.js';

const [url, sessionKeyPrefix] = process.argv.slice(2);
const storage = new RedisSessionStorage(url, { sessionKeyPrefix });
const { lock } = storage.companions;
const session = new Session(${JSON.stringify(SESSION)});
let isLoading = false;
let load;
const outcomes = { good: 0, bad: 0, codes: [] };

const commands = {
  ready: () => storage.ready.then(() => 'ready'),
  store: () => storage.storeSession(session),
  take: ([name, holder, leaseMs]) => lock.take(name, holder, leaseMs),
  renew: ([name, holder, leaseMs]) => lock.renew(name, holder, leaseMs),
  /** Reads and writes a number in two steps, which only a lock makes safe. */
  async count([times]) {
    for (let index = 0; index < times; index++) {
      await withLock({ lock, clock: systemClock }, 'count', async () => {
        const before = await storage.loadSession(session.id);
        await storage.storeSession(new Session({ ...session, state: String(Number(before?.state ?? 0) + 1) }));
      });
    }
    return 'counted';
  },
  startLoad() {
    isLoading = true;
    const work = async () => {
      while (isLoading) {
        try {
          await storage.storeSession(session);
          if ((await storage.loadSession(session.id))?.accessToken !== session.accessToken) throw new Error('lost');
          outcomes.good++;
        } catch (error) {
          outcomes.bad++;
          // Without a server calls fail at once.
          await systemClock.sleep(5);
          const code = error.code + (error.message.includes('redis://') ? ' with a URL' : '');
          if (!outcomes.codes.includes(code)) outcomes.codes.push(code);
        }
      }
    };
    load = Promise.all(Array.from({ length: 8 }, work));
    return 'started';
  },
  outcomes: () => ({ ...outcomes }),
  async stopLoad() {
    isLoading = false;
    await load;
    return outcomes;
  },
};
process.on('message', async ([id, command, ...parameters]) => {
  try {
    process.send([id, await commands[command](parameters)]);
  } catch (error) {
    process.send([id, String(error.stack)]);
  }
});
// Nothing is closed: a connection keeps no process alive.
`;

// On a busy machine six processes take their time to start.
jest.setTimeout(120_000);

const client = createClient({ url: URL_OF_REDIS });
client.on('error', () => {});
const programs: Program[] = [];
let transpiled: Transpiled;
let file: string;
let prefix: string;

beforeAll(async () => {
  await client.connect();
  transpiled = await transpile(['lib/sessions/storages/redis/index.ts', 'lib/sessions/with-lock.ts']);
  file = join(transpiled.folder, 'program.js');
  await writeFile(file, PROGRAM);
});
beforeEach(() => {
  prefix = `shopwright-${randomUUID()}`;
});
afterEach(async () => {
  await Promise.all(programs.splice(0).map((program) => program.kill()));
  for await (const keys of client.scanIterator({ MATCH: `${prefix}*`, COUNT: 1000 })) if (keys.length > 0) await client.del(keys);
});
afterAll(async () => {
  client.destroy();
  await transpiled.remove();
});

function start(count: number): Program[] {
  const started = Array.from({ length: count }, () => new Program(file, [URL_OF_REDIS, prefix]));
  programs.push(...started);
  return started;
}

async function listOf(shop: string): Promise<string[]> {
  return JSON.parse((await client.get(`${prefix}_${shop}`)) ?? '[]') as string[];
}

describe('six processes that start at once', () => {
  afterEach(async () => {
    expect([...(await client.sMembers(`${prefix}:migrations`))].sort()).toEqual(['official-record', 'shop-lists']);
    expect(await client.get(`${prefix}_migrations`)).toBe('{"migrateToVersion1_0_1":true}');
  });

  it('are all ready on an empty database', async () => {
    const started = start(6);
    expect(await askAll(started, 'ready')).toEqual(Array(6).fill('ready'));
    expect(await askAll(started, 'store')).toEqual(Array(6).fill(true));
    expect(await listOf(SESSION.shop)).toEqual([`${prefix}_${SESSION.id}`]);
  });

  it('are all ready on the keys of the first official version, and list each session once', async () => {
    const ids = Array.from({ length: 300 }, (_, index) => `offline_${index}`);
    const shops = [SESSION.shop, 'two.myshopify.com'];
    for (const [index, id] of ids.entries()) {
      await client.set(`${prefix}_${id}`, JSON.stringify(Object.entries({ ...SESSION, id, shop: shops[index % 2] })));
    }
    const started = start(6);
    expect(await askAll(started, 'ready')).toEqual(Array(6).fill('ready'));
    const listed = await Promise.all(shops.map(listOf));
    expect(listed.flat().sort()).toEqual(ids.map((id) => `${prefix}_${id}`).sort());
    expect(listed.map(({ length }) => length)).toEqual([150, 150]);
  });
});

describe('a lock shared by processes', () => {
  it('lets one at a time do its work', async () => {
    await askAll(start(4), 'count', 10);
    expect(new Map(JSON.parse((await client.get(`${prefix}_${SESSION.id}`)) ?? '[]') as [string, unknown][]).get('state')).toBe('40');
  });

  it('passes to the next when its holder is killed', async () => {
    const [holder, next] = start(2);
    await askAll([holder!, next!], 'ready');
    expect(await holder!.ask('take', 'name', 'a', 3_000)).toBe(true);
    expect(await next!.ask('take', 'name', 'b', 3_000)).toBe(false);
    holder!.signal('SIGKILL');
    while (!(await next!.ask('take', 'name', 'b', 60_000)));
    expect(await next!.ask('renew', 'name', 'b', 60_000)).toBe(true);
  });

  it('is lost by a holder that stood still for longer than its lease', async () => {
    const [holder, next] = start(2);
    await askAll([holder!, next!], 'ready');
    expect(await holder!.ask('take', 'name', 'a', 300)).toBe(true);
    holder!.signal('SIGSTOP');
    while (!(await next!.ask('take', 'name', 'b', 60_000)));
    holder!.signal('SIGCONT');
    expect(await holder!.ask('renew', 'name', 'a', 60_000)).toBe(false);
  });
});

describe('a server that is stopped and started under load', () => {
  it('makes calls fail with typed errors meanwhile, and is used again when it is back', async () => {
    const [program] = start(1);
    const outcomes = async (): Promise<{ good: number; bad: number; codes: string[] }> =>
      (await program!.ask('outcomes')) as Awaited<ReturnType<typeof outcomes>>;
    await program!.ask('startLoad');
    while ((await outcomes()).good < 20);
    try {
      await stopServer('redis');
      while ((await outcomes()).bad === 0);
      const late = new RedisSessionStorage(URL_OF_REDIS, { sessionKeyPrefix: prefix });
      await expect(late.ready).rejects.toMatchObject({ code: 'ERR_SESSION_STORAGE' });
      await startServer('redis');
      // The failure is not kept.
      await late.storeSession(await late.loadSession(SESSION.id).then((session) => session!));
      await late.close();
    } finally {
      await startServer('redis');
    }
    const before = (await outcomes()).good;
    while ((await outcomes()).good < before + 20);
    expect((await program!.ask('stopLoad')) as unknown).toMatchObject({ codes: ['ERR_SESSION_STORAGE'] });
    expect(await program!.end()).toBe(0);
  }, 120_000);
});
