import { request } from 'node:http';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { HOSTS } from '../support/hosts.js';
import type { RunningHost } from '../support/hosts.js';

/** As many as Node takes on a line, and not one of them at the end. */
const SLASHES = `/${'/'.repeat(15_000)}a`;
const PLAIN = `/${'b'.repeat(15_000)}a`;
const REQUESTS = 20;

/** `fetch` would tidy the path. */
function statusOf(url: string, path: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request(url, { path }, (response) =>
      response.resume().once('end', () => resolve(response.statusCode)),
    )
      .once('error', reject)
      .end();
  });
}

async function processorTime(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  for (let sent = 0; sent < REQUESTS; sent++) await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

// A connection that sent such a path once cost the event loop 200 to 300 ms.
describe.each(HOSTS)('$name', ({ open }) => {
  let host: RunningHost;
  beforeAll(async () => {
    host = await open();
  });
  afterAll(() => host.close());

  it('answers a path of 15,000 slashes as quickly as any other of its length', async () => {
    expect(await statusOf(host.url, SLASHES)).toBe(await statusOf(host.url, PLAIN));
    const plain = await processorTime(() => statusOf(host.url, PLAIN));
    const slashes = await processorTime(() => statusOf(host.url, SLASHES));
    expect(slashes).toBeLessThan(plain * 5 + 500);
  });
});
