// Leaks on every way out. No part of the suite: the test of the watch runs it.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { expect, it } from '@jest/globals';

import { systemClock } from '../../../lib/core/time/clock.js';
import { InvalidShopError } from '../../../lib/core/core.errors.js';
import { HttpTransport } from '../../../lib/core/http/http-transport.js';
import { webResponse } from '../../../lib/core/http/web-http.js';
import { LogSeverity, PlatformLogger } from '../../../lib/core/logger.js';
import { Session } from '../../../lib/sessions/session.js';
import { MemorySessionStorage } from '../../../lib/sessions/storages/memory/memory-session.storage.js';

const secret = (way: string): string => `planted+for+${way}`;

/** A secret is known by where it came in. */
async function use(way: string): Promise<string> {
  const session = new Session({
    id: way,
    shop: 'a.myshopify.com',
    state: '',
    isOnline: false,
    accessToken: secret(way),
  });
  await new MemorySessionStorage().storeSession(session);
  return secret(way);
}

/** Whose message repeats the text, and who is not of the test's own making. */
function unreadable(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    return error;
  }
}

it('passes, and leaks', async () => {
  // Below its level: what would be written counts.
  new PlatformLogger({ level: LogSeverity.Error }, systemClock).debug('Stored', {
    note: await use('a-log-line'),
  });
  new InvalidShopError(`No shop ${await use('an-error')}`);
  new InvalidShopError('No shop', { cause: unreadable(await use('a-cause')) });
  new InvalidShopError(
    `No server ${new URL(`redis://user:${secret('a-connection')}@127.0.0.1/`).href}`,
  );
  process.stdout.write(`${await use('the-output')}\n`);

  const fetch = async (): Promise<Response> =>
    new Response(JSON.stringify({ access_token: secret('a-web-reply') }));
  const url = `https://a.myshopify.com/?x=${encodeURIComponent(await use('an-address'))}`;
  await new HttpTransport({ fetch, clock: systemClock }).send(url);
  webResponse({
    status: 200,
    headers: [['location', `/${await use('a-redirect')}`]],
    body: secret('a-web-reply'),
  });

  const server = createServer((_, response) =>
    response.writeHead(200, { note: secret('a-header') }).end(secret('a-page')),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const headers = { authorization: `Bearer ${secret('a-page')}` };
  const reply = await globalThis.fetch(
    `http://127.0.0.1:${port}/?id_token=${encodeURIComponent(secret('a-header'))}`,
    { headers },
  );
  expect(await reply.text()).toBe(secret('a-page'));
  await new Promise((resolve) => server.close(resolve));
});
