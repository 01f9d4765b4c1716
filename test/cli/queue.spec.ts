import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';

import { NestFactory } from '@nestjs/core';
import { afterEach, beforeEach, expect, it } from '@jest/globals';

import { run } from '../../lib/cli/command-line.js';
import { systemClock } from '../../lib/core/time/clock.js';
import { QueueModule } from './apps/queue.app.js';
import { stage } from './apps/stage.js';

const APP = fileURLToPath(new URL('./apps/queue.app.ts', import.meta.url));

let connections = 0;
const server = createServer((socket) => {
  connections++;
  socket.on('error', () => {});
  socket.destroy();
});
beforeEach(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stage.port = (server.address() as AddressInfo).port;
});
afterEach(() => new Promise((resolve) => server.close(resolve)));

it('a command works no queue of the app, whose processes do', async () => {
  // The deliveries of production were handled by the process of a command, and lost at its end.
  const app = await NestFactory.createApplicationContext(QueueModule, { logger: false });
  while (connections === 0) await systemClock.sleep(10);
  await app.close();
  await systemClock.sleep(100);
  connections = 0;
  const written: string[] = [];
  const output = { write: (text: string) => written.push(text) };
  const code = await run(['migrate-tokens', APP], { stdout: output, stderr: output });
  await systemClock.sleep(100);
  expect([code, connections]).toEqual([0, 0]);
  expect(written.join('')).toContain('0 can be migrated');
});
