import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { run } from '../../lib/cli/command-line.js';
import { EncryptedSessionStorage } from '../../lib/sessions/encryption/encrypted-session.storage.js';
import { SqliteSessionStorage } from '../../lib/sessions/storages/sqlite/sqlite-session.storage.js';
import { offlineSession } from '../support/offline-session.js';
import { stage } from './apps/stage.js';

const MODULE = fileURLToPath(new URL('./apps/storage.app.ts', import.meta.url));
const OLD = randomBytes(32).toString('base64');
const NEW = randomBytes(32).toString('hex');
const COUNT = 230;
const shopOf = (number: number): string => `shop-${String(number).padStart(3, '0')}.myshopify.com`;

let folder: string;
let env: Record<string, string>;
let from: SqliteSessionStorage;
let to: SqliteSessionStorage;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'shopwright-copy-'));
  const [source, target] = [join(folder, 'from.sqlite'), join(folder, 'to.sqlite')];
  from = new SqliteSessionStorage(source);
  to = new SqliteSessionStorage(target);
  env = {
    FROM: `sqlite:${source}`,
    TO: `file://${target}`,
    OLD_KEYS: `old:${OLD}`,
    NEW_KEYS: `new:${NEW}, old:${OLD}`,
    SHOPIFY_API_KEY: 'test-api-key',
  };
  const sealing = new EncryptedSessionStorage(from, { keys: [{ id: 'old', key: OLD }] });
  for (let number = 0; number < COUNT; number++)
    await sealing.storeSession(
      offlineSession({
        id: `offline_${shopOf(number)}`,
        shop: shopOf(number),
        accessToken: `shpat_secret${number}`,
      }),
    );
});
afterEach(async () => {
  await from.close();
  await to.close();
  await rm(folder, { recursive: true, force: true });
});

/** @param until ends the run when it is written to stderr */
async function sessions(args: readonly string[], until?: string) {
  const written = { out: '', err: '' };
  const end = new AbortController();
  const code = await run(
    ['sessions', ...args],
    {
      env,
      stdout: { write: (text: string) => (written.out += text) },
      stderr: {
        write(text: string) {
          written.err += text;
          if (until !== undefined && text.includes(until)) end.abort();
        },
      },
    },
    end.signal,
  );
  expect(written.out + written.err).not.toMatch(/shpat_|sw1:/);
  return { code, ...written };
}

const COPY = ['copy', '--from', 'env:FROM', '--to', 'env:TO'];
const tokenIn = async (storage: SqliteSessionStorage): Promise<string | undefined> =>
  (await storage.loadSession(`offline_${shopOf(7)}`))?.accessToken;

describe('shopwright sessions copy', () => {
  it('shows what it would do, does it, and compares', async () => {
    await expect(sessions([...COPY, '--dry-run'])).resolves.toMatchObject({
      code: 0,
      out: [
        '230 to be copied, 0 to be replaced, 0 there already, 0 kept, 0 failed. Nothing was changed.',
        'Installations: 0 to be copied, 0 there.',
        '230 sessions in the source, 0 in the target, 230 missing there.\n',
      ].join('\n'),
    });
    const { code, out, err } = await sessions(COPY);
    expect([code, out.split('\n')]).toEqual([
      0,
      [
        '230 copied, 0 replaced, 0 there already, 0 kept, 0 deleted meanwhile, 0 failed.',
        'Installations: 0 copied, 0 there.',
        '230 sessions in the source, 230 in the target, 0 missing there.',
        '',
      ],
    ]);
    expect(err).toContain(`200 sessions, last: offline_${shopOf(199)} copied\n`);
    expect(await tokenIn(to)).toBe(await tokenIn(from));
    expect((await sessions(COPY)).out).toContain('0 copied, 0 replaced, 230 there already');
  });

  it('opens and seals with keys of the environment', async () => {
    await sessions([...COPY, '--from-keys', 'OLD_KEYS', '--to-keys', 'NEW_KEYS']);
    expect(await tokenIn(to)).toMatch(/^sw1:new:/);
    const opened = await sessions([...COPY, '--from-keys', 'OLD_KEYS', '--overwrite']);
    expect([opened.code, await tokenIn(to)]).toEqual([0, 'shpat_secret7']);
  });

  it('ends when it is told to, and goes on with the file', async () => {
    const file = join(folder, 'resume.json');
    const { code, err } = await sessions([...COPY, '--resume', file], '100 sessions');
    expect([code, err]).toEqual([1, expect.stringContaining(`Go on with --resume ${file}`)]);
    const { after } = JSON.parse(await readFile(file, 'utf8')) as { after: string };
    const other = await sessions([...COPY, '--overwrite', '--resume', file]);
    expect([other.code, other.err]).toEqual([2, expect.stringContaining('another run')]);
    const rest = await sessions([...COPY, '--resume', file]);
    expect([rest.code, rest.err]).toEqual([0, expect.stringContaining(`Going on after ${after}`)]);
    expect(rest.out).toContain(' 230 in the target, 0 missing there.');
    expect(rest.out).not.toMatch(/^230 copied/);
    await expect(readFile(file)).rejects.toThrow('ENOENT');
  });

  // It used to end with 0, as if all installations had been copied.
  it('says so when it is ended before the installations are copied', async () => {
    for (let number = 200; number < COUNT; number++)
      await from.deleteSession(`offline_${shopOf(number)}`);
    const { installations } = from.companions;
    for (let number = 0; number < 3; number++)
      await installations.save({
        ...{ app: 'test-api-key', shop: shopOf(number), version: 1, generation: 1 },
        ...{ status: 'installed', scope: '', grantedAt: new Date(0), pending: [] },
      });
    const ended = await sessions(COPY, '200 sessions');
    expect([ended.code, ended.err]).toEqual([1, expect.stringMatching(/Repeat the command.*\n$/)]);
    const copied = (): unknown => to.companions.installations.load('test-api-key', shopOf(2));
    expect(await copied()).toBeUndefined();
    expect(await sessions(COPY)).toMatchObject({
      code: 0,
      out: expect.stringContaining('Installations: 3 copied, 0 there.'),
    });
    expect(await copied()).toBeDefined();
  });

  it('remembers over an interruption what failed', async () => {
    const file = join(folder, 'resume.json');
    const keys = ['--from-keys', 'OLD_KEYS', '--resume', file];
    const broken = offlineSession({
      id: 'offline_',
      shop: shopOf(0),
      accessToken: 'sw1:lost:AAAA',
    });
    await from.storeSession(broken);
    const first = await sessions([...COPY, ...keys], '100 sessions');
    expect([first.code, first.err]).toEqual([1, expect.stringContaining('offline_ failed')]);
    const rest = await sessions([...COPY, ...keys]);
    expect([rest.code, rest.out]).toEqual([1, expect.stringContaining(', 0 failed.')]);
    expect(rest.err).toContain('failed in an earlier run: offline_\n');
  });

  it('copies from a storage that a module exports', async () => {
    await stage.storage.storeSession(offlineSession());
    try {
      const copied = await sessions(['copy', '--from', `${MODULE}#storage`, '--to', 'env:TO']);
      expect([copied.code, copied.out]).toEqual([0, expect.stringContaining('1 copied')]);
    } finally {
      await stage.storage.deleteSession(offlineSession().id);
    }
  });

  it.each([
    [['copy', '--to', 'env:TO'], '--from <storage> is missing'],
    [['copy', '--from', 'env:TO', '--to', 'env:TO'], 'are the same storage'],
    [['copy', '--from', 'env:NONE', '--to', 'env:TO'], 'NONE is not set'],
    [['copy', '--from', 'postgres://me:shpss_0000@host/db', '--to', 'env:TO'], 'name that as env:'],
    [['copy', '--from', 'env:OLD_KEYS', '--to', 'env:TO'], 'OLD_KEYS is no URL of a session'],
    [['copy', '--from', './no-such.js', '--to', 'env:TO'], './no-such.js could not be loaded'],
    [['copy', '--from', `${MODULE}#other`, '--to', 'env:TO'], 'exports no session storage called'],
    [[...COPY, '--keys', 'OLD_KEYS'], 'takes no --keys'],
    [[...COPY, '--concurrency', '0'], 'whole number'],
    [['move'], 'There is no command "sessions move"'],
    [['reencrypt'], 'The storage is missing'],
    [['reencrypt', 'env:FROM'], 'say with --keys'],
  ])('refuses %j', async (args, reason) => {
    await expect(sessions(args)).resolves.toMatchObject({
      code: 2,
      err: expect.stringContaining(reason),
    });
    expect(await to.listSessions({ limit: 1 })).toEqual([]);
  });

  it('names no key that is none', async () => {
    env['OLD_KEYS'] = 'old:hunter2';
    const { code, err } = await sessions([...COPY, '--from-keys', 'OLD_KEYS']);
    expect([code, err]).toEqual([1, expect.stringContaining('keys[0].key')]);
    expect(err).not.toContain('hunter2');
  });
});

describe('shopwright sessions reencrypt', () => {
  it('encrypts all tokens with the first key', async () => {
    const dry = await sessions(['reencrypt', 'env:FROM', '--keys', 'NEW_KEYS', '--dry-run']);
    expect([dry.code, dry.out]).toEqual([0, expect.stringContaining('230 to be encrypted')]);
    expect(await tokenIn(from)).toMatch(/^sw1:old:/);
    const done = await sessions(['reencrypt', 'env:FROM', '--keys', 'NEW_KEYS']);
    expect([done.code, done.out]).toEqual([
      0,
      '230 encrypted with the first key, 0 were already, 0 failed.\n',
    ]);
    env['NEW_KEYS'] = `new:${NEW}`;
    const again = await sessions(['reencrypt', 'env:FROM', '--keys', 'NEW_KEYS']);
    expect([again.code, again.out]).toEqual([0, expect.stringContaining('230 were already')]);
  });

  it('fails when a key is missing', async () => {
    env['NEW_KEYS'] = `new:${NEW}`;
    const { code, out, err } = await sessions(['reencrypt', 'env:FROM', '--keys', 'NEW_KEYS']);
    expect([code, out]).toEqual([1, expect.stringContaining('230 are still encrypted otherwise')]);
    expect(err).toContain('was encrypted with the key "old", which is not among the keys');
  });
});
