import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { describe, expect, it } from '@jest/globals';
import express from 'express';

import { signedWebhook } from '../../lib/dev-store/index.js';
import { API_SECRET, SHOP } from '../support/app.js';
import { openExpress, openNest, openRemix } from '../support/hosts.js';
import type { RunningHost } from '../support/hosts.js';

interface Case {
  readonly name: string;
  readonly path?: string;
  /** An earlier parser of the app refuses bodies above its own limit by itself. */
  readonly ownLimit?: boolean;
  open(): Promise<RunningHost>;
}

const CASES: readonly Case[] = [
  { name: 'Nest on Express', open: () => openNest(new ExpressAdapter()) },
  { name: 'Nest on Express with rawBody', open: () => openNest(new ExpressAdapter(), {}, { factory: { rawBody: true } }) },
  { name: 'Nest on Express without body parser', open: () => openNest(new ExpressAdapter(), {}, { factory: { bodyParser: false } }) },
  {
    name: 'Nest on Express with a global prefix',
    path: '/api/webhooks',
    open: () => openNest(new ExpressAdapter(), {}, { before: (app) => app.setGlobalPrefix('api') }),
  },
  {
    name: 'Nest on Express with a global prefix that leaves webhooks out',
    open: () => openNest(new ExpressAdapter(), {}, { before: (app) => app.setGlobalPrefix('api', { exclude: ['webhooks'] }) }),
  },
  { name: 'Nest on Fastify', open: () => openNest(new FastifyAdapter()) },
  { name: 'Nest on Fastify with rawBody', open: () => openNest(new FastifyAdapter(), {}, { factory: { rawBody: true } }) },
  {
    name: 'Nest on Fastify with a global prefix',
    path: '/api/webhooks',
    open: () => openNest(new FastifyAdapter(), {}, { before: (app) => app.setGlobalPrefix('api') }),
  },
  { name: 'plain Express', open: () => openExpress() },
  { name: 'plain Express behind json()', ownLimit: true, open: () => openExpress({}, { before: (app) => app.use(express.json()) }) },
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
    open: () => openExpress({}, { after: (app) => app.use(express.json(), express.text({ type: '*/*' })) }),
  },
  { name: 'Remix', open: () => openRemix() },
];

const BODIES: ReadonlyArray<{ name: string; body: string | Uint8Array; contentType?: string; large?: boolean; parsed?: boolean }> = [
  { name: 'a small JSON body', body: '{"id":1,"title":"Café ☕"}' },
  { name: 'JSON with odd white space and escapes', body: '{ "id" : 1 ,\n\t"title":"\\u0041\\/" }' },
  {
    name: 'JSON behind a byte order mark',
    body: Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from('{"id":1}')]),
    contentType: 'text/plain',
  },
  { name: 'invalid UTF-8', body: Buffer.from([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0xfe, 0x22, 0x7d]), contentType: 'text/plain' },
  { name: '300 kB', body: JSON.stringify({ id: 1, text: 'x'.repeat(300_000) }), large: true },
  { name: '4 MB', body: JSON.stringify({ id: 1, text: 'x'.repeat(4_000_000) }), large: true },
];

describe.each(CASES)('signed webhooks under $name', ({ open, path = '/webhooks', ownLimit = false }) => {
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
        const response = await fetch(host.url + path, { method: 'POST', headers: signed.headers, body: new Uint8Array(signed.body) });
        expect({ name, status: response.status, reply: (await response.text()).slice(0, 80) }).toMatchObject({
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
});

describe('a body that exists only in parsed form', () => {
  it('is answered with 500 and the fix', async () => {
    const host = await openExpress(
      {},
      {
        before: (app) =>
          app.use((req, _res, next) => {
            // As a serverless adapter hands a request over: the bytes are gone before anybody could watch them.
            req.resume().on('end', () => {
              req.headers['x-shopify-hmac-sha256'] = 'AAAA';
              req.body = { id: 1 };
              next();
            });
          }),
      },
    );
    try {
      const { headers } = signedWebhook({ secret: API_SECRET, shop: SHOP, topic: 'products/create', payload: { id: 1 } });
      const unsignedOnTheWire = Object.fromEntries(Object.entries(headers).filter(([name]) => !/hmac/i.test(name)));
      const response = await fetch(`${host.url}/webhooks`, { method: 'POST', headers: unsignedOnTheWire, body: '{"id":1}' });
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
