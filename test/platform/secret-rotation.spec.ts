import { createHmac } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { sessionCookie } from '../../lib/auth/credentials/session-cookie.js';
import { systemClock } from '../../lib/core/time/clock.js';
import { SecretKeys } from '../../lib/core/crypto/secret-keys.js';
import { signedQuery, signedSessionToken, signedWebhook } from '../../lib/dev-store/index.js';
import { platformApp } from '../../lib/integrations/remix/index.js';
import { MemorySessionStorage } from '../../lib/sessions/storages/memory/memory-session.storage.js';
import { Session } from '../../lib/sessions/session.js';
import { appOptions, API_KEY, SHOP } from '../support/app.js';

const OLD = 'the-secret-that-is-being-retired';
const options = {
  ...appOptions({ apiSecretKey: ['the-current-secret', OLD] }),
  isEmbeddedApp: false,
};

/** Every surface on which someone else's signature comes in, with what a good one is answered. */
describe('while a secret is rotated', () => {
  let app: ReturnType<typeof platformApp>;

  beforeAll(async () => {
    app = platformApp({ ...options, scopes: [], sessionStorage: new MemorySessionStorage() });
    await app.ready();
  });
  afterAll(() => app.close());

  const surfaces: [string, (secret: string) => Promise<boolean>][] = [
    [
      'webhooks',
      async (secret) => {
        const { headers, body } = signedWebhook({
          secret,
          shop: SHOP,
          topic: 'PRODUCTS_CREATE',
          payload: { id: 1 },
        });
        return app.api.webhooks.validate({
          rawBody: body,
          rawRequest: new Request('https://app.example.com/webhooks', { headers }),
        });
      },
    ],
    [
      'queries of the admin',
      async (secret) => app.api.utils.validateHmac(signedQuery({ shop: SHOP }, secret)),
    ],
    [
      'queries of the app proxy',
      async (secret) => {
        const timestamp = String(Math.floor(Date.now() / 1000));
        const signature = createHmac('sha256', secret)
          .update(`shop=${SHOP}timestamp=${timestamp}`)
          .digest('hex');
        return app.api.utils.validateHmac(
          { shop: SHOP, timestamp, signature },
          { signator: 'appProxy' },
        );
      },
    ],
    [
      'session tokens',
      async (secret) => {
        const token = signedSessionToken({ apiKey: API_KEY, secret, shop: SHOP });
        return app.api.session.decodeSessionToken(token).then(
          () => true,
          () => false,
        );
      },
    ],
    [
      'cookies',
      async (secret) => {
        const keys = new SecretKeys([secret]);
        const session = new Session({ id: 'the-id', shop: SHOP, state: '', isOnline: false });
        const cookies = sessionCookie(session, {
          config: app.api.config,
          keys,
          clock: systemClock,
        });
        const cookie = cookies.map(([, value]) => value.split(';')[0]).join('; ');
        const rawRequest = new Request('https://app.example.com', { headers: { cookie } });
        return (await app.api.session.getCurrentId({ isOnline: false, rawRequest })) === 'the-id';
      },
    ],
  ];

  it.each(surfaces)(
    '%s signed with the previous secret are accepted, and counted',
    async (_surface, isAccepted) => {
      const before = app.api.utils.previousSecretUse()[0]!.count;
      expect(await isAccepted(OLD)).toBe(true);
      const use = app.api.utils.previousSecretUse()[0]!;
      expect(use.count).toBe(before + 1);
      expect(Math.abs(use.lastSeen!.getTime() - Date.now())).toBeLessThan(60_000);
    },
  );

  it.each(surfaces)(
    '%s signed with a secret that was never the app’s are not',
    async (_surface, isAccepted) => {
      const before = app.api.utils.previousSecretUse();
      expect(await isAccepted('a-secret-of-somebody-else')).toBe(false);
      expect(app.api.utils.previousSecretUse()).toEqual(before);
    },
  );
});
