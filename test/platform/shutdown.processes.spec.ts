import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  jest,
} from '@jest/globals';

import { systemClock } from '../../lib/core/time/clock.js';
import { signedWebhook } from '../../lib/dev-store/index.js';
import { ProgramFile } from '../services/program.js';
import type { Program } from '../services/program.js';
import { API_SECRET, SHOP } from '../support/app.js';
import type { ShutdownCommands, ShutdownSetup } from './shutdown.program.js';

// On a busy machine a process takes its time to start.
jest.setTimeout(120_000);

let file: ProgramFile<ShutdownCommands>;
let folder: string;
beforeAll(async () => {
  file = await ProgramFile.build('test/platform/shutdown.program.ts');
});
afterAll(() => file.remove());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'shopwright-shutdown-'));
});
afterEach(async () => {
  await file.kill();
  await rm(folder, { recursive: true, force: true });
});

/** A process of the app, over the storage and the notes that all of one test share. */
async function start(
  setup: Pick<ShutdownSetup, 'host' | 'handlerMs' | 'shutdownTimeout'>,
): Promise<{ program: Program<ShutdownCommands>; port: number }> {
  const program = file.start(
    JSON.stringify({ ...setup, storage: join(folder, 'app.db'), notes: join(folder, 'notes') }),
  );
  return { program, port: await program.ask('listen') };
}

const notes = async (): Promise<string[]> =>
  (await readFile(join(folder, 'notes'), 'utf8').catch(() => '')).split('\n').filter(Boolean);

async function noted(count: number): Promise<void> {
  while ((await notes()).length < count) await systemClock.sleep(20);
}

/** Takes a delivery to a process: `status` is `gone` when it does not listen any more. */
function deliver(
  port: number,
  webhookId: string,
): { status: Promise<number | 'gone'>; hangUp: () => void } {
  const { headers, body } = signedWebhook({
    secret: API_SECRET,
    shop: SHOP,
    topic: 'products/create',
    payload: { id: 1 },
    webhookId,
  });
  const sending = request({
    port,
    host: '127.0.0.1',
    path: '/webhooks',
    method: 'POST',
    headers,
    agent: false,
  });
  const status = new Promise<number | 'gone'>((resolve) => {
    sending
      .on('response', (response) => resolve(response.resume().statusCode!))
      .on('error', () => resolve('gone'));
  });
  sending.end(body);
  return { status, hangUp: () => void sending.destroy() };
}

/** Delivers as the platform does that hangs up: when all handlers have begun. */
async function deliverAndHangUp(port: number, ids: readonly string[]): Promise<void> {
  const deliveries = ids.map((id) => deliver(port, id));
  await noted(ids.length);
  for (const { hangUp } of deliveries) hangUp();
  await Promise.all(deliveries.map(({ status }) => status));
}

describe.each(['Express', 'Nest', 'Remix'] as const)(
  'a process with %s that gets SIGTERM',
  (host) => {
    it('finishes what it has begun, though the senders have left, and begins nothing new', async () => {
      // It ended at once: what had begun was lost in the middle, and blocked for a minute.
      const [{ program, port }, next] = await Promise.all([
        start({ host, handlerMs: 1_000 }),
        start({ host, handlerMs: 0 }),
      ]);
      const ids = Array.from({ length: 6 }, (_, index) => `w-${index}`);
      await deliverAndHangUp(port, ids);
      program.signal('SIGTERM');
      await systemClock.sleep(300);
      expect([503, 'gone']).toContain(await deliver(port, 'w-late').status);
      const { errors } = await program.end();
      expect(errors).toBe('');
      expect((await notes()).toSorted()).toEqual([
        ...ids.map((id) => `begin ${id}`),
        ...ids.map((id) => `end ${id}`),
      ]);

      // Each is known to be done; the one that was refused is not.
      expect(
        await Promise.all([...ids, 'w-late'].map((id) => deliver(next.port, id).status)),
      ).toEqual(Array(7).fill(200));
      expect((await notes()).slice(ids.length * 2)).toEqual(['begin w-late', 'end w-late']);
    });

    it('gives back what it cannot finish in time: another process has it at once', async () => {
      const slow = { host, handlerMs: 60_000, shutdownTimeout: 500 };
      const [{ program, port }, next] = await Promise.all([
        start(slow),
        start({ host, handlerMs: 0 }),
      ]);
      await deliverAndHangUp(port, ['w-1']);
      program.signal('SIGTERM');
      expect((await program.end()).errors).toBe('');
      // As long as it is held, it would be answered 503.
      expect(await deliver(next.port, 'w-1').status).toBe(200);
      expect(await notes()).toEqual(['begin w-1', 'begin w-1', 'end w-1']);
    });
  },
);
