import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';

import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';

import { signedWebhook } from '../../lib/dev-store/index.js';
import { API_SECRET, SHOP } from '../support/app.js';
import { transpile } from '../support/transpile.js';
import type { Transpiled } from '../support/transpile.js';
import type { Measured, Opened, Question } from './stalled-uploads.program.js';

const MB = 1024 * 1024;
const TOTAL = 32 * MB;
const UPLOADS = 200;
const ANNOUNCED = 5 * MB;
const SENT = Buffer.alloc(4.9 * MB, 'x');
const TO_BE_TRIED_AGAIN = /^HTTP\/1\.1 503 [^]*retry-after: 5[^]*body_dropped/i;
/** How long a delivery is tried again: the platform itself goes on for hours. */
const PATIENCE = 20_000;
/** Beside the total: pieces on their way from sockets to where they are kept or dropped. */
const MOST_HELD = TOTAL + 32 * MB;
/** With what the collector of garbage has not come to yet, more of it on a busy machine. */
const MOST_RESIDENT = TOTAL + 96 * MB;
/** What is too much is measured again: what is held is held each time. */
const RUNS = 3;

interface Upload {
  /** What has come back. */
  answer: string;
  sent: Promise<void>;
}

let copy: Transpiled;
const closing: (() => void)[] = [];

beforeAll(async () => {
  copy = await transpile('test/integrations/stalled-uploads.program.ts');
}, 60_000);
afterEach(() => {
  for (const close of closing.splice(0)) close();
});
afterAll(() => copy.remove());

async function open(
  host: string,
): Promise<{ url: string; ask: (question: Question) => ChildProcess; close: () => void }> {
  const file = join(copy.folder, 'test/integrations/stalled-uploads.program.js');
  const child = fork(file, [host, JSON.stringify({ webhooks: { bodyMemoryLimit: TOTAL } })]);
  const close = (): void => void child.kill('SIGKILL');
  closing.push(close);
  const [{ url }] = (await once(child, 'message')) as [Opened];
  return { url, ask: (question) => (child.send(question), child), close };
}

/**
 * Sends nearly all of a body with what looks like a signature, and then nothing; resolves when the
 * bytes are with the server.
 */
function stall(url: string, path: string): Upload {
  const { headers } = signedWebhook({
    secret: 'of somebody else',
    shop: SHOP,
    topic: 'products/create',
    payload: {},
  });
  const lines = Object.entries({ ...headers, 'Content-Length': ANNOUNCED }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  closing.push(() => socket.destroy());
  const upload = { answer: '', sent: Promise.resolve() };
  socket.on('data', (data) => (upload.answer += String(data)));
  upload.sent = new Promise((resolve) => {
    // Whoever is answered before the end may find the connection closed.
    socket.on('error', () => resolve()).on('close', () => resolve());
    socket.write(`POST ${path} HTTP/1.1\r\nHost: a\r\n${lines.join('')}\r\n`);
    socket.write(SENT, () => resolve());
  });
  return upload;
}

/** Statuses of a genuine delivery until it is accepted. */
async function deliver(url: string): Promise<number[]> {
  const { headers, body } = signedWebhook({
    secret: API_SECRET,
    shop: SHOP,
    topic: 'products/create',
    payload: { text: 'x'.repeat(20_000) },
  });
  const statuses: number[] = [];
  for (const end = Date.now() + PATIENCE; Date.now() < end;) {
    const response = await fetch(`${url}/webhooks`, {
      method: 'POST',
      headers,
      body: new Uint8Array(body),
    });
    await response.arrayBuffer();
    statuses.push(response.status);
    if (response.status !== 503) break;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return statuses;
}

/** Stalls uploads at a server of its own, and delivers meanwhile. */
async function stallMany(
  host: string,
  paths: readonly string[],
): Promise<Measured & { deliveries: number[][]; answers: string[] }> {
  const { url, ask, close } = await open(host);
  expect(await deliver(url)).toEqual([200]);
  await once(ask('measure'), 'message');
  const uploads = Array.from({ length: UPLOADS }, (_, index) =>
    stall(url, paths[index % paths.length]!),
  );
  const deliveries: number[][] = [];
  for (let index = 0; index < 5; index++) deliveries.push(await deliver(url));
  await Promise.race([
    Promise.all(uploads.map(({ sent }) => sent)),
    new Promise((resolve) => void setTimeout(resolve, 8_000).unref()),
  ]);
  deliveries.push(await deliver(url));
  const [{ growth, held }] = (await once(ask('report'), 'message')) as [Measured];
  close();
  return { growth, held, deliveries, answers: uploads.map(({ answer }) => answer) };
}

describe.each([
  { host: 'plain Express', paths: ['/webhooks'], told: true },
  // The parser refuses them itself.
  { host: 'Express behind json()', paths: ['/elsewhere', '/sink', '/webhooks'], told: false },
  { host: 'Nest on Express', paths: ['/elsewhere', '/webhooks'], told: true },
  { host: 'Nest on Fastify', paths: ['/elsewhere', '/webhooks'], told: true },
  // A web request whose body is not wanted any more is cancelled, and its connection with it.
  { host: 'Remix', paths: ['/webhooks'], told: false },
])('uploads that stall on $paths under $host', ({ host, paths, told }) => {
  it('hold no more memory than they may, and deliveries are answered meanwhile', async () => {
    // Each kept 5 MB for as long as it liked: a hundred of them held 574 MB.
    let seen: Measured = { growth: Infinity, held: Infinity };
    for (let run = 0; run < RUNS && isTooMuch(seen); run++) {
      const { deliveries, answers, ...measured } = await stallMany(host, paths);
      seen = measured;
      expect(deliveries.map((statuses) => statuses.at(-1))).toEqual(deliveries.map(() => 200));
      expect(deliveries.flat().filter((status) => status !== 503 && status !== 200)).toEqual([]);
      expect(answers.filter((answer) => /^HTTP\/1\.1 (?!404|408|413|503)/.test(answer))).toEqual(
        [],
      );
      if (told) expect(answers.filter((answer) => TO_BE_TRIED_AGAIN.test(answer))).not.toEqual([]);
    }
    expect(seen.held).toBeLessThan(MOST_HELD);
    expect(seen.growth).toBeLessThan(MOST_RESIDENT);
  }, 120_000);
});

function isTooMuch({ held, growth }: Measured): boolean {
  return held >= MOST_HELD || growth >= MOST_RESIDENT;
}
