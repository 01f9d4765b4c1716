import { afterEach, describe, expect, it } from '@jest/globals';

import { base64Host } from '../../../lib/dev-store/index.js';
import { MemorySessionStorage } from '../../../lib/integrations/remix/index.js';
import type { Session } from '../../../lib/sessions/session.js';
import { SHOP } from '../../support/app.js';
import {
  Platform,
  ROUTES,
  installed,
  page,
  script,
  sessionToken,
  thrown,
  tokenPage,
} from './web.fixture.js';
import type { Routes } from './web.fixture.js';

/** Hands out what it holds, as the memory storage of the platform's own packages does. */
class Sharing extends MemorySessionStorage {
  held: Session | undefined;
  override async loadSession(id: string): Promise<Session | undefined> {
    return (this.held ??= await super.loadSession(id));
  }
}

async function sharing(): Promise<Sharing> {
  const storage = new Sharing();
  const session = await (await installed()).loadSession(`offline_${SHOP}`);
  await storage.storeSession(session!);
  return storage;
}

const SHOPS = ['one.myshopify.com', 'two.myshopify.com', 'three.myshopify.com'];

/** A request of a page in the admin of a shop. */
function pageOf(shop: string): Request {
  const dest = `https://${shop}`;
  const id_token = sessionToken({ dest, iss: `${dest}/admin` });
  return page('/', { shop, host: base64Host(shop), id_token });
}

describe.each(ROUTES)('on $name', ({ open }: Routes) => {
  let app: ReturnType<Routes['open']>;
  afterEach(() => app.close());

  describe('a response that a hook has thrown', () => {
    it.each([
      ['to a page', { status: 302, headers: { location: '/welcome' } }],
      ['to nowhere', { status: 302 }],
    ])('is thrown as the same object where it lacks nothing: a redirect %s', async (_, init) => {
      const own = new Response(null, init);
      const before = [...own.headers];
      app = open({ hooks: { afterAuth: () => Promise.reject(own) } });
      const response = await thrown(() => app.authenticate.admin(tokenPage()));
      expect(response === own).toBe(true);
      expect([...own.headers]).toEqual(before);
    });

    // Routers lead it below their base path, and the middleware of an app appends its cookies.
    it('has nothing on it of what was written on it for another shop', async () => {
      const own = new Response(null, { status: 303, headers: { location: '/welcome' } });
      app = open({ hooks: { afterAuth: () => Promise.reject(own) } });
      for (const shop of SHOPS) {
        const response = await thrown(() => app.authenticate.admin(pageOf(shop)));
        expect([...response.headers]).toEqual([['location', '/welcome']]);
        response.headers.set('location', `/app${response.headers.get('location')}`);
        response.headers.append('set-cookie', `session=${shop}`);
      }
    });

    it.each([404, 301])('is not stored by a browser without being told: %i', async (status) => {
      const own = new Response(null, { status });
      app = open({ hooks: { afterAuth: () => Promise.reject(own) } });
      const response = await thrown(() => app.authenticate.admin(tokenPage()));
      expect([response.status, [...response.headers]]).toEqual([
        status,
        [['cache-control', 'no-store']],
      ]);
      expect([...own.headers]).toEqual([]);
    });

    // The policy of the first shop stayed on the object, and its body was gone.
    it('may be the same object for every shop', async () => {
      const bytes = new Uint8Array([0xff, 0x00, 0xfe]);
      const own = new Response(bytes, { status: 402, headers: { 'content-type': 'image/x' } });
      app = open({ hooks: { afterAuth: () => Promise.reject(own) } });
      for (const shop of SHOPS) {
        const response = await thrown(() => app.authenticate.admin(pageOf(shop)));
        expect(response.status).toBe(402);
        expect(response.headers.get('content-security-policy')).toContain(
          `frame-ancestors https://${shop} `,
        );
        expect(new Uint8Array(await response.arrayBuffer())).toEqual(bytes);
      }
      expect([...own.headers]).toEqual([['content-type', 'image/x']]);
      expect(own.bodyUsed).toBe(false);
    });

    it.each([
      ['afterAuth', {}],
      ['onScopesMismatch', { scopes: ['read_orders'] }],
    ])('is a failure that says what to do when its body is gone: %s', async (hook, options) => {
      const own = new Response('Welcome');
      await own.text();
      const lines: string[] = [];
      const logger = { log: (_: unknown, line: string) => void lines.push(line) };
      app = open({ hooks: { [hook]: () => Promise.reject(own) }, logger, ...options });
      const response = await thrown(() => app.authenticate.admin(tokenPage()));
      expect(response.status).toBe(500);
      expect(lines.join('\n')).toContain(
        `The response of hooks.${hook} cannot be sent: its body was read, or sent, before. Make a new Response for each request.`,
      );
    });

    it('keeps the headers it has', async () => {
      const headers = {
        'cache-control': 'max-age=60',
        'content-security-policy': "default-src 'self'",
      };
      const own = new Response('Welcome', { headers });
      app = open({ hooks: { afterAuth: () => Promise.reject(own) } });
      const response = await thrown(() => app.authenticate.admin(tokenPage()));
      expect(Object.fromEntries(response.headers)).toMatchObject(headers);
    });

    it('is copied where its headers are fixed', async () => {
      const own = Response.redirect('https://app.example.com/welcome', 301);
      app = open({ hooks: { afterAuth: () => Promise.reject(own) } });
      const response = await thrown(() => app.authenticate.admin(tokenPage()));
      expect(response).not.toBe(own);
      expect([response.status, response.headers.get('location')]).toEqual([
        301,
        'https://app.example.com/welcome',
      ]);
    });

    it('can be read by each of the requests that have waited for the hook', async () => {
      const own = new Response('Welcome', { status: 402 });
      app = open({ hooks: { afterAuth: () => Promise.reject(own) } });
      const responses = await Promise.all(
        [1, 2, 3].map(() => thrown(() => app.authenticate.admin(script()))),
      );
      expect(new Set(responses).size).toBe(3);
      const texts = await Promise.all(responses.map((response) => response.text()));
      expect(texts).toEqual(['Welcome', 'Welcome', 'Welcome']);
    });
  });

  describe('the session', () => {
    it('is the object that the storage has returned', async () => {
      const sessionStorage = await sharing();
      app = open({ sessionStorage });
      const { session } = await app.authenticate.admin(tokenPage());
      expect(session).toBe(sessionStorage.held);
    });

    it('is a copy for the next request, when the storage returns the same object', async () => {
      const sessionStorage = await sharing();
      app = open({ sessionStorage });
      const sessions = await Promise.all(
        [1, 2, 3].map(async () => (await app.authenticate.admin(script())).session),
      );
      expect(new Set(sessions).size).toBe(3);
      for (const session of sessions) expect(session).toEqual(sessionStorage.held);
    });

    // A call of a background job was answered with the response to a request.
    it('of background work belongs to no request, when the storage returns the same object', async () => {
      const platform = new Platform();
      app = open({ sessionStorage: await sharing(), fetch: platform.fetch });
      await app.authenticate.admin(tokenPage());
      const { admin } = await app.unauthenticated.admin(SHOP);
      platform.refuseAll();
      await expect(admin.graphql('{ shop { name } }')).rejects.toMatchObject({
        name: 'AuthenticationError',
      });
    });
  });
});
