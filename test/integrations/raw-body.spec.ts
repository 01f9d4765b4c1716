import { request } from 'node:http';
import { connect } from 'node:net';

import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { describe, expect, it } from '@jest/globals';
import express from 'express';

import { LogSeverity } from '../../lib/core/logger.js';
import { signedWebhook } from '../../lib/dev-store/index.js';
import { API_SECRET, SHOP } from '../support/app.js';
import { HOSTS, openExpress, openNest, openRemix } from '../support/hosts.js';
import type { RunningHost } from '../support/hosts.js';
import { ManualClock } from '../support/manual.clock.js';

interface Case {
  readonly name: string;
  readonly path?: string;
  /** An earlier parser of the app refuses bodies above its own limit by itself. */
  readonly ownLimit?: boolean;
  open(): Promise<RunningHost>;
}

const CASES: readonly Case[] = [
  { name: 'Nest on Express', open: () => openNest(new ExpressAdapter()) },
  {
    name: 'Nest on Express with rawBody',
    open: () => openNest(new ExpressAdapter(), {}, { factory: { rawBody: true } }),
  },
  {
    name: 'Nest on Express without body parser',
    open: () => openNest(new ExpressAdapter(), {}, { factory: { bodyParser: false } }),
  },
  {
    name: 'Nest on Express with a global prefix',
    path: '/api/webhooks',
    open: () => openNest(new ExpressAdapter(), {}, { before: (app) => app.setGlobalPrefix('api') }),
  },
  {
    name: 'Nest on Express with a global prefix that leaves webhooks out',
    open: () =>
      openNest(
        new ExpressAdapter(),
        {},
        { before: (app) => app.setGlobalPrefix('api', { exclude: ['webhooks'] }) },
      ),
  },
  { name: 'Nest on Fastify', open: () => openNest(new FastifyAdapter()) },
  {
    name: 'Nest on Fastify with rawBody',
    open: () => openNest(new FastifyAdapter(), {}, { factory: { rawBody: true } }),
  },
  {
    name: 'Nest on Fastify with a global prefix',
    path: '/api/webhooks',
    open: () => openNest(new FastifyAdapter(), {}, { before: (app) => app.setGlobalPrefix('api') }),
  },
  { name: 'plain Express', open: () => openExpress() },
  {
    name: 'plain Express behind json()',
    ownLimit: true,
    open: () => openExpress({}, { before: (app) => app.use(express.json()) }),
  },
  {
    name: 'plain Express behind text() for everything',
    ownLimit: true,
    open: () => openExpress({}, { before: (app) => app.use(express.text({ type: '*/*' })) }),
  },
  {
    name: 'plain Express behind raw() for everything',
    ownLimit: true,
    open: () => openExpress({}, { before: (app) => app.use(express.raw({ type: '*/*' })) }),
  },
  {
    name: 'plain Express before json() and text()',
    open: () =>
      openExpress({}, { after: (app) => app.use(express.json(), express.text({ type: '*/*' })) }),
  },
  { name: 'Remix', open: () => openRemix() },
];

const BODIES: ReadonlyArray<{
  name: string;
  body: string | Uint8Array;
  contentType?: string;
  large?: boolean;
  parsed?: boolean;
}> = [
  { name: 'a small JSON body', body: '{"id":1,"title":"Café ☕"}' },
  { name: 'JSON with odd white space and escapes', body: '{ "id" : 1 ,\n\t"title":"\\u0041\\/" }' },
  {
    name: 'JSON behind a byte order mark',
    body: Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from('{"id":1}')]),
    contentType: 'text/plain',
  },
  {
    name: 'invalid UTF-8',
    body: Buffer.from([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0xfe, 0x22, 0x7d]),
    contentType: 'text/plain',
  },
  { name: '300 kB', body: JSON.stringify({ id: 1, text: 'x'.repeat(300_000) }), large: true },
  { name: '4 MB', body: JSON.stringify({ id: 1, text: 'x'.repeat(4_000_000) }), large: true },
];

describe.each(CASES)(
  'signed webhooks under $name',
  ({ open, path = '/webhooks', ownLimit = false }) => {
    it('are accepted whatever their bytes', async () => {
      const host = await open();
      try {
        for (const { name, body, contentType, large } of BODIES) {
          const signed = signedWebhook({
            secret: API_SECRET,
            shop: SHOP,
            topic: 'products/create',
            body,
            ...(contentType && { headers: { 'Content-Type': contentType } }),
          });
          const response = await fetch(host.url + path, {
            method: 'POST',
            headers: signed.headers,
            body: new Uint8Array(signed.body),
          });
          expect({
            name,
            status: response.status,
            reply: (await response.text()).slice(0, 80),
          }).toMatchObject({
            name,
            status: large && ownLimit ? 413 : 200,
          });
        }
        const expected = BODIES.filter(({ large }) => !(large && ownLimit)).length;
        expect(host.handled).toHaveLength(expected);
      } finally {
        await host.close();
      }
    });
  },
);

describe('a body that exists only in parsed form', () => {
  it('is answered with 500 and the fix', async () => {
    const { headers } = signedWebhook({
      secret: API_SECRET,
      shop: SHOP,
      topic: 'products/create',
      payload: { id: 1 },
    });
    const host = await openExpress(
      {},
      {
        before: (app) =>
          app.use((req, _res, next) => {
            // As a serverless adapter hands a request over: the bytes are gone before anybody could
            // watch them.
            req.resume().on('end', () => {
              req.headers['x-shopify-hmac-sha256'] = headers['X-Shopify-Hmac-Sha256'];
              req.body = { id: 1 };
              next();
            });
          }),
      },
    );
    try {
      const unsignedOnTheWire = Object.fromEntries(
        Object.entries(headers).filter(([name]) => !/hmac/i.test(name)),
      );
      const response = await fetch(`${host.url}/webhooks`, {
        method: 'POST',
        headers: unsignedOnTheWire,
        body: '{"id":1}',
      });
      expect(response.status).toBe(500);
      const { error, message } = (await response.json()) as { error: string; message: string };
      expect(error).toBe('raw_body_unavailable');
      expect(message).toMatch(/before/i);
      expect(host.handled).toEqual([]);
    } finally {
      await host.close();
    }
  });
});

describe.each(HOSTS.filter(({ isWeb }) => !isWeb))(
  'a signed body that never comes, under $name',
  ({ open }) => {
    it('is given up after 10 s with 408, and its connection closed', async () => {
      // Where the server has no limit of its own, as under Fastify, it stayed open for ever.
      const clock = new ManualClock();
      const host = await open({ options: { clock } });
      try {
        const { headers } = signedWebhook({
          secret: API_SECRET,
          shop: SHOP,
          topic: 'products/create',
          payload: { id: 1 },
        });
        const socket = connect(Number(new URL(host.url).port), '127.0.0.1');
        const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
        socket.write(
          `POST /webhooks HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n${lines.join('')}\r\n{"id"`,
        );
        let answer = '';
        for await (const data of socket) answer += String(data);
        expect(answer).toMatch(/^HTTP\/1\.1 408 /);
        expect(answer).toContain('"error":"body_timeout"');
        expect(clock.slept).toEqual([10_000]);
        expect(host.handled).toEqual([]);
      } finally {
        await host.close();
      }
    });
  },
);

describe.each(HOSTS.filter(({ isWeb }) => !isWeb))(
  'a client that hangs up before its body is complete, under $name',
  ({ open }) => {
    it('leaves no line that is worse than debug', async () => {
      // Anybody could fill the log with errors.
      const lines: [LogSeverity, string][] = [];
      let seen = (): void => {};
      const told = new Promise<void>((resolve) => (seen = resolve));
      const log = (severity: LogSeverity, line: string): void => {
        lines.push([severity, line]);
        if (line.includes('went away')) seen();
      };
      const host = await open({ options: { logger: { level: LogSeverity.Debug, log } } });
      try {
        const { headers } = signedWebhook({
          secret: API_SECRET,
          shop: SHOP,
          topic: 'products/create',
          payload: { id: 1 },
        });
        const outgoing = request(`${host.url}/webhooks`, {
          method: 'POST',
          headers: { ...headers, 'content-length': '100' },
        });
        outgoing.on('error', () => {});
        await new Promise<void>((resolve) => outgoing.write('{"id"', () => resolve()));
        outgoing.destroy();
        await told;
        expect(lines.filter(([severity]) => severity < LogSeverity.Info)).toEqual([]);
      } finally {
        await host.close();
      }
    });
  },
);
