import { Injectable, Module } from '@nestjs/common';
import { describe, expect, it } from '@jest/globals';

import { signedWebhook } from '../../lib/dev-store/index.js';
import { WebhookHandler } from '../../lib/index.js';
import { platformApp as remixApp } from '../../lib/integrations/remix/index.js';
import type { RemixAppOptions } from '../../lib/integrations/remix/index.js';
import { API_SECRET, APP_URL, SHOP, appOptions } from '../support/app.js';
import { HOSTS } from '../support/hosts.js';
import { MemorySessionStorage } from '../../lib/sessions/storages/memory/memory-session.storage.js';

const TOPICS = ['customers/data_request', 'customers/redact', 'shop/redact'];
const BOOT = 'Deliveries of these privacy topics are acknowledged, but no handler acts upon them';

@Injectable()
class Handlers {
  @WebhookHandler('SHOP_REDACT')
  onRedact(): void {}
}
@Module({ providers: [Handlers] })
class HandlersModule {}

function logTo(lines: string[]) {
  return { level: 3, log: (_severity: number, line: string): void => void lines.push(line) };
}

function signed(topic: string, secret = API_SECRET) {
  const payload = { shop_domain: SHOP, customer: { id: 1, email: 'someone@example.com' } };
  const { headers, body } = signedWebhook({ secret, shop: SHOP, topic, payload });
  return { method: 'POST', headers, body: new Uint8Array(body) };
}

describe.each(HOSTS.filter(({ isWeb }) => !isWeb))('privacy topics on $name', ({ open }) => {
  it('are acknowledged without a handler, when they are signed', async () => {
    const lines: string[] = [];
    const host = await open({ options: { logger: logTo(lines) } });
    try {
      for (const topic of TOPICS) {
        const url = `${host.url}/webhooks`;
        expect((await fetch(url, signed(topic))).status).toBe(200);
        expect((await fetch(url, signed(topic, 'another'))).status).toBe(401);
      }
      expect(lines.filter((line) => line.includes(BOOT))).toEqual([
        expect.stringContaining('CUSTOMERS_DATA_REQUEST, CUSTOMERS_REDACT, SHOP_REDACT'),
      ]);
      expect(lines.filter((line) => line.includes('no handler acts upon it'))).toHaveLength(3);
      expect(lines.join('\n')).not.toContain('someone@example.com');
    } finally {
      await host.close();
    }
  });

  it('are named when the app starts, but for those that a handler acts upon', async () => {
    const lines: string[] = [];
    const host = await open({
      options: {
        logger: logTo(lines),
        webhooks: { CUSTOMERS_REDACT: async () => {} },
      },
      modules: [{ module: HandlersModule }],
    });
    try {
      expect((await fetch(`${host.url}/webhooks`, signed('shop/redact'))).status).toBe(200);
      const notices = lines.filter((line) => line.includes(BOOT));
      expect(notices).toEqual([expect.stringContaining('CUSTOMERS_DATA_REQUEST')]);
      expect(notices[0]).not.toMatch(/CUSTOMERS_REDACT|SHOP_REDACT/);
    } finally {
      await host.close();
    }
  });
});

describe('privacy topics in Remix', () => {
  it('are acknowledged by handle(), and left to a route of the app otherwise', async () => {
    const lines: string[] = [];
    const { scopes = [], ...rest } = appOptions({ logger: logTo(lines) });
    const sessionStorage = new MemorySessionStorage();
    const shopify = remixApp({ ...rest, scopes, sessionStorage } as RemixAppOptions);
    try {
      for (const topic of TOPICS) {
        const request = (secret?: string) =>
          new Request(new URL('/webhooks', APP_URL), signed(topic, secret));
        expect((await shopify.handle(request()))?.status).toBe(200);
        expect((await shopify.handle(request('another')))?.status).toBe(401);
        expect((await shopify.authenticate.webhook(request())).topic).toBe(
          topic.toUpperCase().replace('/', '_'),
        );
        await expect(shopify.authenticate.webhook(request('another'))).rejects.toMatchObject({
          status: 401,
        });
      }
      // Only the routes of the app know what is done about them.
      expect(lines.filter((line) => line.includes(BOOT))).toEqual([]);
    } finally {
      await shopify.close();
    }
  });
});
