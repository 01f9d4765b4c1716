import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { systemClock } from '../../../lib/core/time/clock.js';
import { SqliteSessionStorage } from '../../../lib/sessions/storages/sqlite/sqlite-session.storage.js';
import { transpile } from '../../support/transpile.js';
import type { Transpiled } from '../../support/transpile.js';
import { appOptions } from '../../support/app.js';
import { AppProcess } from './lifecycle.fixture.js';

const run = promisify(execFile);

/**
 * Seven requests at once of the shop's session; prints how many found the hook's effect, which is a
 * line in a file.
 */
const CHILD = `
  import { appendFile, readFile } from 'node:fs/promises';
  import { setTimeout } from 'node:timers/promises';
  const { LIB, STORAGE, FILE, EFFECT, OPTIONS } = process.env;
  const { createResolver } = await import(LIB + '/platform/kernel/platform.providers.js');
  const { AfterInstall, Lifecycle } = await import(LIB + '/auth/lifecycle/lifecycle.js');
  const { bindValue } = await import(LIB + '/core/binding.js');
  const { SqliteSessionStorage } = await import(STORAGE + '/sessions/storages/sqlite/sqlite-session.storage.js');

  const onInstall = async ({ admin }) => {
    await setTimeout(50);
    await appendFile(EFFECT, 'onInstall for ' + admin.session.shop + '\\n');
  };
  const storage = new SqliteSessionStorage(FILE);
  const options = { ...JSON.parse(OPTIONS), logger: { log: () => {} }, sessionStorage: storage, hooks: { onInstall } };
  const app = createResolver(options, {}, [bindValue(AfterInstall, { run: async () => {} })]);
  const lifecycle = app.get(Lifecycle);
  const session = await storage.loadSession('offline_test-shop.myshopify.com');
  const request = async () => {
    await lifecycle.deliverPendingEvents(session);
    return (await readFile(EFFECT, 'utf8')) !== '';
  };
  const seen = await Promise.all(Array.from({ length: 7 }, request));
  await app.close();
  await storage.close();
  console.log(seen.filter(Boolean).length);
`;

let folder: string;
const copies: Transpiled[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'shopwright-lifecycle-'));
  for (const entry of [
    'lib/platform/kernel/platform.providers.ts',
    'lib/sessions/storages/sqlite/index.ts',
  ])
    copies.push(await transpile(entry));
}, 60_000);
afterAll(async () => {
  await Promise.all([
    ...copies.map((copy) => copy.remove()),
    rm(folder, { recursive: true, force: true }),
  ]);
});

describe('three processes that start with a shop that has just installed the app', () => {
  it('tell the app once, before any request goes on', async () => {
    const [FILE, EFFECT] = [join(folder, 'app.db'), join(folder, 'effect.txt')];
    await writeFile(EFFECT, '');
    const storage = new SqliteSessionStorage(FILE);
    await new AppProcess({ clock: systemClock, storage }).grant('token-1');
    await storage.close();

    const [LIB, STORAGE] = copies.map((copy) => join(copy.folder, 'lib'));
    const env = {
      ...process.env,
      LIB,
      STORAGE,
      FILE,
      EFFECT,
      OPTIONS: JSON.stringify(appOptions()),
    };
    const child = (): Promise<{ stdout: string }> =>
      run(process.execPath, ['--input-type=module', '-e', CHILD], { env });
    const outcomes = await Promise.all([child(), child(), child()]);

    expect(outcomes.map(({ stdout }) => stdout.trim())).toEqual(['7', '7', '7']);
    expect(await readFile(EFFECT, 'utf8')).toBe('onInstall for test-shop.myshopify.com\n');
  });
});
