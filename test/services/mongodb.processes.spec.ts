import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { MongoClient } from 'mongodb';
import type { Db } from 'mongodb';

import { MongoDBSessionStorage } from '../../lib/sessions/storages/mongodb/mongodb-session.storage.js';
import { transpile } from '../support/transpile.js';
import type { Transpiled } from '../support/transpile.js';
import { Program, askAll } from './program.js';
import { startServer, stopServer } from './servers.js';

const URL_OF_MONGODB = process.env['MONGODB_URL']!;
const COLLECTION = 'shopify_sessions';
const SESSION = { id: 'offline_one.myshopify.com', shop: 'one.myshopify.com', state: '', isOnline: false, accessToken: 'access' };

/** What a process does: answers each message with what became of it, and ends by itself once it is disconnected and has nothing left to do. */
const PROGRAM = `
import { MongoDBSessionStorage } from './lib/sessions/storages/mongodb/index.js';
import { Session } from './lib/sessions/session.js';
import { withLock } from './lib/sessions/with-lock.js';
import { systemClock } from './lib/core/clock.js';

const [url, database] = process.argv.slice(2);
const storage = new MongoDBSessionStorage(url, database, { clientOptions: { serverSelectionTimeoutMS: 500 } });
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
          const code = error.code + (error.message.includes('mongodb://') ? ' with a URL' : '');
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
process.on('disconnect', () => storage.close());
`;

const client = new MongoClient(URL_OF_MONGODB);
const programs: Program[] = [];
let transpiled: Transpiled;
let file: string;
let db: Db;

beforeAll(async () => {
  transpiled = await transpile('lib/sessions/storages/mongodb/index.ts');
  file = join(transpiled.folder, 'program.js');
  await writeFile(file, PROGRAM);
});
beforeEach(() => {
  db = client.db(`shopwright-${randomUUID()}`);
});
afterEach(async () => {
  await Promise.all(programs.splice(0).map((program) => program.kill()));
  await db.dropDatabase();
});
afterAll(async () => {
  await client.close();
  await transpiled.remove();
});

function start(count: number): Program[] {
  const started = Array.from({ length: count }, () => new Program(file, [URL_OF_MONGODB, db.databaseName]));
  programs.push(...started);
  return started;
}

describe('six processes that start at once', () => {
  afterEach(async () => {
    const indexes = (await db.collection(COLLECTION).indexes()).map(({ name, unique }) => `${name} ${unique === true}`);
    expect(indexes.filter((index) => !index.startsWith('_id_')).sort()).toEqual(['expires_1 false', 'id_1 true', 'shop_1 false']);
    expect(await db.collection<{ _id: string }>('shopwright_migrations').distinct('_id')).toHaveLength(4);
  });

  it('are all ready on an empty database', async () => {
    const started = start(6);
    expect(await askAll(started, 'ready')).toEqual(Array(6).fill('ready'));
    expect(await askAll(started, 'store')).toEqual(Array(6).fill(true));
    expect(await db.collection(COLLECTION).countDocuments()).toBe(1);
  });

  it('are all ready on a database of the official storage, and lose no session', async () => {
    const ids = Array.from({ length: 300 }, (_, index) => `offline_${index}`);
    const document = (id: string, token: string): typeof SESSION => ({ ...SESSION, id, accessToken: token });
    await db.collection(COLLECTION).insertMany(ids.map((id) => document(id, 'first')));
    await db.collection(COLLECTION).insertMany(ids.slice(0, 20).map((id) => document(id, 'duplicate')));
    expect(await askAll(start(6), 'ready')).toEqual(Array(6).fill('ready'));
    const stored = await db.collection(COLLECTION).find().toArray();
    expect(stored.map(({ id }) => id as string).sort()).toEqual([...ids].sort());
    expect(new Set(stored.map(({ accessToken }) => accessToken as string))).toEqual(new Set(['first']));
  });
});

describe('a lock shared by processes', () => {
  it('lets one at a time do its work', async () => {
    await askAll(start(4), 'count', 10);
    expect((await db.collection(COLLECTION).findOne({ id: SESSION.id }))?.['state']).toBe('40');
  });

  it('passes to the next when its holder is killed', async () => {
    const [holder, next] = start(2);
    expect(await holder!.ask('take', 'name', 'a', 500)).toBe(true);
    expect(await next!.ask('take', 'name', 'b', 500)).toBe(false);
    holder!.signal('SIGKILL');
    while (!(await next!.ask('take', 'name', 'b', 60_000)));
    expect(await next!.ask('renew', 'name', 'b', 60_000)).toBe(true);
  });

  it('is lost by a holder that stood still for longer than its lease', async () => {
    const [holder, next] = start(2);
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
      await stopServer('mongodb');
      while ((await outcomes()).bad === 0);
      const late = new MongoDBSessionStorage(`${URL_OF_MONGODB}?serverSelectionTimeoutMS=200`, db.databaseName);
      await expect(late.ready).rejects.toMatchObject({ code: 'ERR_SESSION_STORAGE' });
      await startServer('mongodb');
      // The failure is not kept.
      await late.storeSession(await late.loadSession(SESSION.id).then((session) => session!));
      await late.close();
    } finally {
      await startServer('mongodb');
    }
    const before = (await outcomes()).good;
    while ((await outcomes()).good < before + 20);
    expect((await program!.ask('stopLoad')) as unknown).toMatchObject({ codes: ['ERR_SESSION_STORAGE'] });
    expect(await program!.end()).toBe(0);
  }, 120_000);
});
