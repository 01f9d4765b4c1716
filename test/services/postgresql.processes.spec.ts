import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { transpile } from '../support/transpile.js';
import type { Transpiled } from '../support/transpile.js';
import { TABLE, TestDatabase, officialTable, oldestTable } from './postgresql/databases.js';
import { startServer, stopServer } from './servers.js';

/** What each child begins with. */
const PROLOGUE = `
import { createInterface } from 'node:readline';
import { PostgreSQLSessionStorage } from './lib/sessions/storages/postgresql/index.js';
import { Session } from './lib/sessions/session.js';
const storage = new PostgreSQLSessionStorage(process.argv[2]);
const { lock } = storage.companions;
const say = (...words) => console.log(words.join(' '));
const sessionOf = (id) => new Session({ id, shop: 'shop.myshopify.com', state: '', isOnline: false, accessToken: 'token' });
`;

let copy: Transpiled;
let database: TestDatabase;
const children: Child[] = [];

beforeAll(async () => {
  copy = await transpile('lib/sessions/storages/postgresql/index.ts');
});
afterAll(() => copy.remove());
beforeEach(async () => {
  database = await TestDatabase.create();
});
afterEach(async () => {
  for (const child of children.splice(0)) await child.end();
  await database.drop();
});

/** A process of its own, that says a line for each step. */
class Child {
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #lines: AsyncIterator<string>;
  readonly #exit: Promise<unknown[]>;
  #errors = '';

  constructor(script: string, args: readonly string[]) {
    this.#process = spawn(process.execPath, [script, ...args]);
    this.#exit = once(this.#process, 'exit');
    this.#process.stderr.on('data', (data) => (this.#errors += data));
    this.#lines = createInterface(this.#process.stdout)[Symbol.asyncIterator]();
  }

  /** The next line it says; what went wrong, when it ends instead. */
  async says(): Promise<string> {
    const { value, done } = await this.#lines.next();
    return done ? `ended: ${this.#errors}` : value;
  }

  tell(line: string): void {
    this.#process.stdin.write(`${line}\n`);
  }

  signal(signal: NodeJS.Signals): void {
    this.#process.kill(signal);
  }

  /** Says nothing more to it, and resolves once it has ended by itself. */
  async exits(): Promise<{ code: unknown; errors: string }> {
    this.#process.stdin.end();
    const [code] = await this.#exit;
    return { code, errors: this.#errors };
  }

  async end(): Promise<void> {
    this.#process.kill('SIGKILL');
    await this.#exit;
  }
}

async function fork(body: string): Promise<Child> {
  const script = join(copy.folder, `child-${children.length}.mjs`);
  await writeFile(script, PROLOGUE + body);
  const child = new Child(script, [database.url.href]);
  children.push(child);
  return child;
}

const LEGACY_ROW = `INSERT INTO ${TABLE} (id, shop, state, isonline, onlineaccessinfo) VALUES ('legacy', 'shop.myshopify.com', '', true, '77')`;
const OFFICIAL_ROW = `INSERT INTO ${TABLE} (id, shop, state, "isOnline", "userId") VALUES ('legacy', 'shop.myshopify.com', '', true, 77)`;

describe('processes that start at once', () => {
  const START = `
    await storage.storeSession(sessionOf(process.pid + ''));
    await storage.verify();
    say((await storage.loadSession('legacy'))?.onlineAccessInfo?.associated_user.id ?? 'none');
    await storage.close();`;

  it.each([
    ['an empty database', [], 'none'],
    ['the official layout', [officialTable(), OFFICIAL_ROW], '77'],
    ['the first official layout', [oldestTable(), LEGACY_ROW], '77'],
  ])('are all ready on %s, and leave one set of tables', async (_, seeds, expected) => {
    for (const seed of seeds) await database.rows(seed);
    const starting = await Promise.all(Array.from({ length: 6 }, () => fork(START)));
    expect(await Promise.all(starting.map((child) => child.says()))).toEqual(Array(6).fill(expected));
    expect(await Promise.all(starting.map((child) => child.exits()))).toEqual(Array(6).fill({ code: 0, errors: '' }));
    expect(await database.column(`SELECT count(*)::int FROM ${TABLE} WHERE id <> 'legacy'`)).toEqual([6]);
    expect(await database.column(`SELECT count(*)::int FROM pg_indexes WHERE tablename = '${TABLE}'`)).toEqual([2]);
  });
});

describe('a lock', () => {
  const HOLDER = `
    say('taken', await lock.take('name', 'holder', 2000));
    for await (const line of createInterface(process.stdin)) say(line, await lock[line]('name', 'holder', 2000));`;
  const takenEventually = async (holder: string): Promise<void> => {
    const { lock } = database.open().companions;
    while (!(await lock.take('name', holder, 60_000))) await new Promise((resolve) => setTimeout(resolve, 20));
  };

  it('is free when its holder is killed', async () => {
    const child = await fork(HOLDER);
    expect(await child.says()).toBe('taken true');
    expect(await database.open().companions.lock.take('name', 'another', 60_000)).toBe(false);
    child.signal('SIGKILL');
    await takenEventually('another');
  });

  it('is free when its holder stands still for longer than its lease, who is told so', async () => {
    const child = await fork(HOLDER);
    expect(await child.says()).toBe('taken true');
    child.tell('renew');
    expect(await child.says()).toBe('renew true');
    child.signal('SIGSTOP');
    await takenEventually('another');
    child.signal('SIGCONT');
    child.tell('renew');
    expect(await child.says()).toBe('renew false');
    child.tell('take');
    expect(await child.says()).toBe('take false');
  });

  it('keeps no process alive once it was released, nor do the sessions', async () => {
    const child = await fork(`
      await storage.storeSession(sessionOf('one'));
      await lock.take('name', 'holder', 60000);
      await lock.release('name', 'holder');
      await Promise.all(Array.from({ length: 20 }, () => storage.findSessionsByShop('shop.myshopify.com')));
      say('done');`);
    expect(await child.says()).toBe('done');
    expect(await child.exits()).toEqual({ code: 0, errors: '' });
  });
});

describe('a server', () => {
  it('may be stopped and started under load: calls fail with our errors meanwhile, and succeed afterwards', async () => {
    const child = await fork(`
      const aMoment = () => new Promise((resolve) => setTimeout(resolve, 5));
      let isOver = false;
      const failures = new Map();
      const since = { good: 0, bad: 0 };
      const calls = [
        (id) => storage.storeSession(sessionOf(id)),
        (id) => storage.loadSession(id),
        () => storage.findSessionsByShop('shop.myshopify.com'),
        (id) => storage.companions.installations.load('app', id),
        (id) => storage.companions.inbox.claim({ app: 'app', shop: id, webhookId: 'w' }, 1000),
        async (id) => (await lock.take(id, id, 1000)) && lock.release(id, id),
      ];
      const work = async (worker) => {
        for (let turn = 0; !isOver; turn++, await aMoment()) {
          await calls[(worker + turn) % calls.length]('id-' + worker).then(
            () => since.good++,
            (error) => { since.bad++; failures.set(error.code ?? error.stack, error); },
          );
        }
      };
      const working = Promise.all(Array.from({ length: 24 }, (_, worker) => work(worker)));
      for await (const line of createInterface(process.stdin)) {
        since.good = since.bad = 0;
        while (since[line] < 100) await aMoment();
        say(line);
        if (line === 'good' && failures.size) break;
      }
      isOver = true;
      await working;
      say([...failures.keys()]);
      await storage.close();`);
    child.tell('good');
    expect(await child.says()).toBe('good');
    await stopServer('postgres');
    try {
      child.tell('bad');
      expect(await child.says()).toBe('bad');
    } finally {
      await startServer('postgres');
    }
    child.tell('good');
    expect(await child.says()).toBe('good');
    expect(await child.says()).toBe('ERR_SESSION_STORAGE');
    expect(await child.exits()).toEqual({ code: 0, errors: '' });
  }, 60_000);
});
