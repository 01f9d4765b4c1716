import { randomBytes } from 'node:crypto';

import { expect, it } from '@jest/globals';

import { signedWebhook } from '../../lib/dev-store/index.js';
import { platformApp } from '../../lib/integrations/remix/index.js';
import { EncryptedSessionStorage } from '../../lib/sessions/encryption/encrypted-session.storage.js';
import { Session, offlineSessionId } from '../../lib/sessions/session.js';
import { MemorySessionStorage } from '../../lib/sessions/storages/memory/memory-session.storage.js';
import { API_SECRET, APP_URL, SHOP, appOptions } from '../support/app.js';

it('forgets a shop that uninstalls the app, although the key of its session is lost', async () => {
  const inner = new MemorySessionStorage();
  const encryptedWith = (id: string) =>
    new EncryptedSessionStorage(inner, { keys: [{ id, key: randomBytes(32) }] });
  const session = {
    id: offlineSessionId(SHOP),
    shop: SHOP,
    state: '',
    isOnline: false,
    accessToken: 'shpat_of_a_lost_key',
  };
  await encryptedWith('lost').storeSession(new Session(session));
  const app = platformApp({ ...appOptions(), scopes: [], sessionStorage: encryptedWith('new') });
  try {
    const { headers, body } = signedWebhook({
      secret: API_SECRET,
      shop: SHOP,
      topic: 'app/uninstalled',
      payload: { myshopify_domain: SHOP },
    });
    const response = await app.handle(
      new Request(`${APP_URL}/webhooks`, { method: 'POST', headers, body: new Uint8Array(body) }),
    );
    expect(response?.status).toBe(200);
    expect(await inner.findSessionsByShop(SHOP)).toEqual([]);
  } finally {
    await app.close();
  }
});
