import { afterEach, describe, expect, it } from '@jest/globals';

import { MemorySessionStorage } from '../../../lib/integrations/remix/index.js';
import type { Session } from '../../../lib/sessions/session.js';
import { SHOP } from '../../support/app.js';
import { Platform, ROUTES, installed, script, thrown, tokenPage } from './web.fixture.js';
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

describe.each(ROUTES)('on $name', ({ open }: Routes) => {
  let app: ReturnType<Routes['open']>;
  afterEach(() => app.close());

  describe('a response that a hook has thrown', () => {
    it.each([
      ['without a body', null, { status: 302, headers: { location: '/welcome' } }],
      ['with a body', 'Welcome', { status: 307 }],
    ])('is thrown as the same object: %s', async (_, body, init) => {
      const own = new Response(body, init);
      app = open({ hooks: { afterAuth: () => Promise.reject(own) } });
      const response = await thrown(() => app.authenticate.admin(tokenPage()));
      expect(response === own).toBe(true);
      expect(own.headers.get('cache-control')).toBe('no-store');
      expect(await own.text()).toBe(body ?? '');
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
      const own = Response.redirect('https://app.example.com/welcome');
      app = open({ hooks: { afterAuth: () => Promise.reject(own) } });
      const response = await thrown(() => app.authenticate.admin(tokenPage()));
      expect(response).not.toBe(own);
      expect([response.status, response.headers.get('location')]).toEqual([
        302,
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
