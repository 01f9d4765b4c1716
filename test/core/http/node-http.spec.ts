import { once } from 'node:events';
import { createServer, get } from 'node:http';
import type { IncomingMessage, RequestListener, Server } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';

import { afterEach, describe, expect, it } from '@jest/globals';
import express from 'express';

import { resolveConfig } from '../../../lib/core/config/config.schema.js';
import type { InboundRequest } from '../../../lib/core/http/inbound-request.js';
import { nodeRequest, sendReply } from '../../../lib/core/http/node-http.js';
import type { NodeRequest } from '../../../lib/core/http/node-http.js';
import { APP_URL, appOptions } from '../../support/app.js';

const config = resolveConfig(appOptions());
const servers: Server[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('nodeRequest', () => {
  it('shows method, URL, headers and body of a request', async () => {
    let seen: InboundRequest | undefined;
    const url = await listen((req, res) => {
      seen = nodeRequest(req, config);
      void seen.rawBody().then((body) => res.end(body));
    });
    const response = await fetch(`${url}/webhooks?a=1&b=%20`, {
      method: 'POST',
      headers: { 'X-Some-Header': 'value' },
      body: 'text',
    });
    expect(await response.text()).toBe('text');
    expect(seen!.method).toBe('POST');
    expect(seen!.url.href).toBe(`${APP_URL}/webhooks?a=1&b=%20`);
    expect([
      seen!.header('x-some-header'),
      seen!.header('X-SOME-HEADER'),
      seen!.header('absent'),
    ]).toEqual(['value', 'value', undefined]);
  });

  it('counts the URL as it was before a router took its mount path off', async () => {
    const paths: string[] = [];
    const app = express();
    app.use('/shop', (req, res) => {
      paths.push(req.url, nodeRequest(req as NodeRequest, config).url.pathname);
      res.end();
    });
    await (await fetch(`${await listen(app)}/shop/page`)).arrayBuffer();
    expect(paths).toEqual(['/page', '/shop/page']);
  });

  it('never leaves the origin of the app, whatever the request target', () => {
    for (const target of ['//evil.example/', 'https://evil.example/', '*', undefined]) {
      const request = { method: 'GET', url: target, headers: {} } as NodeRequest;
      expect(nodeRequest(request, config).url.origin).toBe(APP_URL);
    }
  });

  // Hosts without a server of Node, and tests, write the names as they are sent.
  it('reads the headers of a request that was made by hand, however they are spelled', () => {
    const headers = { Authorization: 'Bearer x', 'X-Shopify-Topic': ['a', 'b'] };
    const request = nodeRequest({ method: 'POST', url: '/', headers } as never, config);
    expect(request.header('authorization')).toBe('Bearer x');
    expect(request.header('X-SHOPIFY-TOPIC')).toBe('a');
    expect(request.header('x-other')).toBeUndefined();
  });

  it('takes the first of several values', () => {
    const request = {
      method: 'GET',
      url: '/',
      headers: { 'set-cookie': ['first', 'second'] },
    } as unknown as NodeRequest;
    expect(nodeRequest(request, config).header('Set-Cookie')).toBe('first');
  });
});

describe('sendReply', () => {
  it('sends status, headers and body', async () => {
    const url = await listen((_req, res) =>
      sendReply(res, { status: 418, headers: [['x-reason', 'tea']], body: 'short and stout' }),
    );
    const response = await fetch(url);
    expect([response.status, response.headers.get('x-reason'), await response.text()]).toEqual([
      418,
      'tea',
      'short and stout',
    ]);
  });

  it.each([
    [200, ['0']],
    [204, []],
  ])('says once that a %i is empty, beside the header of Express', async (status, lengths) => {
    const url = await listen(
      express().use((_req, res) => sendReply(res, { status, headers: [], body: '' })),
    );
    const [response] = (await once(get(url), 'response')) as [IncomingMessage];
    response.resume();
    const { rawHeaders } = response;
    expect(
      rawHeaders.filter((_, at) => /^content-length$/i.test(rawHeaders[at - 1] ?? '')),
    ).toEqual(lengths);
  });

  it('adds its cookies to those that are set already', async () => {
    const url = await listen((_req, res) => {
      res.setHeader('Set-Cookie', 'theirs=1');
      sendReply(res, {
        status: 200,
        headers: [
          ['set-cookie', 'ours=1'],
          ['Set-Cookie', 'ours=2'],
        ],
        body: '',
      });
    });
    const response = await fetch(url);
    await response.arrayBuffer();
    expect(response.headers.getSetCookie()).toEqual(['theirs=1', 'ours=1', 'ours=2']);
  });

  it.each([
    [408, true],
    [413, false],
  ])('closes the connection behind a %i: %s', async (status, closes) => {
    // A request whose body never ends would keep it open.
    const url = await listen((_req, res) => sendReply(res, { status, headers: [], body: 'late' }));
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.write('POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 100\r\n\r\nsome');
    let answer = '';
    socket.on('data', (data) => (answer += String(data)));
    await once(socket, closes ? 'close' : 'data');
    expect(answer).toContain(`HTTP/1.1 ${status} `);
    expect(answer).toMatch(closes ? /connection: close/i : /connection: keep-alive/i);
    socket.destroy();
  });

  it('does nothing when an answer has been sent', async () => {
    const url = await listen((_req, res) => {
      res.end('first');
      sendReply(res, { status: 500, headers: [['x-late', 'yes']], body: 'second' });
    });
    const response = await fetch(url);
    expect([response.status, response.headers.get('x-late'), await response.text()]).toEqual([
      200,
      null,
      'first',
    ]);
  });
});
