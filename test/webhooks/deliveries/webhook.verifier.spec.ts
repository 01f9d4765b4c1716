import { createHmac, hkdfSync } from 'node:crypto';

import { describe, expect, it } from '@jest/globals';

import { SecretKeys } from '../../../lib/core/crypto/secret-keys.js';
import { signedQuery, signedSessionToken } from '../../../lib/dev-store/base/request-factories.js';
import { WebhookVerifier } from '../../../lib/webhooks/deliveries/webhook.verifier.js';
import { normalizeTopic } from '../../../lib/webhooks/handlers/webhook.registry.js';

const SECRET = 'hush';
const BODY = Buffer.from('{"a":1}');
/** A reference vector: the signature of the body above with the secret above. */
const HMAC = '3+Yq/TpwjqJ7IXuMq8EfED7b+y0XbokqOKLUdagDxMI=';

const CLASSIC = {
  'X-Shopify-Hmac-Sha256': HMAC,
  'X-Shopify-Topic': 'products/create',
  'X-Shopify-Shop-Domain': 'Test-Shop.myshopify.com',
  'X-Shopify-API-Version': '2026-07',
  'X-Shopify-Webhook-Id': 'w-1',
};
const EVENTS = {
  'shopify-hmac-sha256': HMAC,
  'shopify-topic': 'Product',
  'shopify-shop-domain': 'test-shop.myshopify.com',
  'shopify-api-version': '2026-10',
  'shopify-webhook-id': 'w-2',
};

const verifier = new WebhookVerifier(new SecretKeys([SECRET]));
const verify = (
  headers: Record<string, string>,
  body: Buffer = BODY,
  by = verifier,
): ReturnType<WebhookVerifier['verify']> => {
  const all = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  return by.verify(body, (name) => all.get(name.toLowerCase()));
};
const sign = (secret: string | ArrayBuffer): string =>
  createHmac('sha256', typeof secret === 'string' ? secret : Buffer.from(secret))
    .update(BODY)
    .digest('base64');

describe('WebhookVerifier', () => {
  it('accepts a classic delivery and tells its facts, nothing else', () => {
    const facts = {
      topic: 'PRODUCTS_CREATE',
      shop: 'test-shop.myshopify.com',
      apiVersion: '2026-07',
      webhookId: 'w-1',
    };
    expect(verify(CLASSIC)).toStrictEqual({
      kind: 'verified',
      hmac: HMAC,
      facts: { webhookType: 'webhooks', ...facts },
    });
  });

  it('tells the optional facts of a classic delivery', () => {
    const optional = {
      'X-Shopify-Event-Id': 'e',
      'X-Shopify-Name': 'n',
      'X-Shopify-Triggered-At': '2026-07-01T00:00:00Z',
    };
    expect(verify({ ...CLASSIC, ...optional })).toMatchObject({
      facts: {
        eventId: 'e',
        name: 'n',
        triggeredAt: '2026-07-01T00:00:00Z',
      },
    });
  });

  it('reads the topic of each delivery, of however many different ones and however long', () => {
    const topics = [
      ...Array.from({ length: 2_500 }, (_, number) => `made/up_${number}`),
      `very/${'long'.repeat(1_000)}`,
    ];
    for (const topic of [...topics, ...topics.reverse()])
      expect(verify({ ...CLASSIC, 'X-Shopify-Topic': topic })).toMatchObject({
        facts: { topic: topic.toUpperCase().replace('/', '_') },
      });
  });

  it('accepts an event without its optional headers', () => {
    const facts = {
      topic: 'PRODUCT',
      shop: 'test-shop.myshopify.com',
      apiVersion: '2026-10',
      webhookId: 'w-2',
    };
    expect(verify(EVENTS)).toStrictEqual({
      kind: 'verified',
      hmac: HMAC,
      facts: { webhookType: 'events', ...facts },
    });
  });

  it('tells the optional facts of an event', () => {
    const optional = {
      handle: 'h',
      action: 'create',
      'resource-id': 'gid://x/1',
      'event-id': 'e',
      'triggered-at': 't',
    };
    const headers = Object.fromEntries(
      Object.entries(optional).map(([name, value]) => [`shopify-${name}`, value]),
    );
    expect(verify({ ...EVENTS, ...headers })).toMatchObject({
      facts: {
        handle: 'h',
        action: 'create',
        resourceId: 'gid://x/1',
        eventId: 'e',
        triggeredAt: 't',
      },
    });
  });

  it('takes a request with both families of headers for an event', () => {
    expect(verify({ ...CLASSIC, ...EVENTS })).toMatchObject({
      facts: {
        webhookType: 'events',
        webhookId: 'w-2',
      },
    });
  });

  it.each(Object.keys(CLASSIC).slice(1))('names %s when it is missing or empty', (name) => {
    const { [name]: _, ...rest } = CLASSIC as Record<string, string>;
    const rejection = { kind: 'rejected', reason: 'missing_headers', missingHeaders: [name] };
    expect([verify(rest), verify({ ...rest, [name]: '' })]).toEqual([rejection, rejection]);
  });

  it.each(Object.keys(EVENTS).slice(1))('names %s when it is missing or empty', (name) => {
    const { [name]: _, ...rest } = EVENTS as Record<string, string>;
    expect(verify(rest)).toEqual({
      kind: 'rejected',
      reason: 'missing_headers',
      missingHeaders: [name],
    });
  });

  it('names all missing headers in the order of the documentation', () => {
    expect(verify({ 'X-Shopify-Hmac-Sha256': HMAC })).toEqual({
      kind: 'rejected',
      reason: 'missing_headers',
      missingHeaders: [
        'X-Shopify-Topic',
        'X-Shopify-Shop-Domain',
        'X-Shopify-API-Version',
        'X-Shopify-Webhook-Id',
      ],
    });
  });

  it('refuses a body that is missing and a signature that is missing', () => {
    expect(verify(CLASSIC, Buffer.alloc(0))).toEqual({ kind: 'rejected', reason: 'missing_body' });
    expect(verify({ ...CLASSIC, 'X-Shopify-Hmac-Sha256': '' })).toEqual({
      kind: 'rejected',
      reason: 'missing_hmac',
    });
  });

  it.each([
    ['of another secret', sign('other')],
    ['that is too short', HMAC.slice(0, 20)],
    ['that is too long', `${HMAC}AAAA`],
    ['that is no base64', '!!!'],
    ['in another spelling of the same bytes', HMAC.replace(/=$/, '')],
    [
      'made for a cookie',
      sign(hkdfSync('sha256', SECRET, '', 'shopify-app-js/cookie-signing/v1', 32)),
    ],
  ])('refuses a signature %s, before it looks at other headers', (_name, hmac) => {
    expect(verify({ 'X-Shopify-Hmac-Sha256': hmac })).toEqual({
      kind: 'rejected',
      reason: 'invalid_hmac',
    });
  });

  it('refuses a body that differs in one byte', () => {
    expect(verify(CLASSIC, Buffer.from('{"a":2}'))).toEqual({
      kind: 'rejected',
      reason: 'invalid_hmac',
    });
  });

  describe('keeps other things the platform signs with the same key apart from deliveries', () => {
    // Topic and shop of a delivery are not signed: any of these was a valid delivery of any topic,
    // for any shop.
    const signed = (body: string): ReturnType<typeof verify> =>
      verify(
        {
          ...CLASSIC,
          'X-Shopify-Hmac-Sha256': createHmac('sha256', SECRET).update(body).digest('base64'),
        },
        Buffer.from(body),
      );
    const refusal = { kind: 'rejected', reason: 'invalid_hmac' };

    it('refuses a session token', () => {
      const [header, payload, signature] = signedSessionToken({
        apiKey: 'k',
        secret: SECRET,
        shop: 'a.myshopify.com',
      }).split('.');
      const hmac = Buffer.from(signature!, 'base64url').toString('base64');
      expect(
        verify({ ...CLASSIC, 'X-Shopify-Hmac-Sha256': hmac }, Buffer.from(`${header}.${payload}`)),
      ).toEqual(refusal);
    });

    it('refuses the query of an OAuth callback or of a page in the admin', () => {
      const query = signedQuery(
        { code: 'c', shop: 'a.myshopify.com', host: 'h', ' {"a"': '[<' },
        SECRET,
      );
      const hmac = Buffer.from(query.get('hmac')!, 'hex').toString('base64');
      query.delete('hmac');
      query.sort();
      const message = query.toString().replaceAll('+', '%20');
      expect(createHmac('sha256', SECRET).update(message).digest('base64')).toBe(hmac);
      expect(verify({ ...CLASSIC, 'X-Shopify-Hmac-Sha256': hmac }, Buffer.from(message))).toEqual(
        refusal,
      );
    });

    it.each(['', 'a', '{', '[', '<', ' {', '\n\t[', '<?xml', '~', '\uFEFF{'])(
      'refuses the query of an app proxy with a parameter called %j of the visitor',
      (name) => {
        const added = [
          'logged_in_customer_id=',
          'path_prefix=/apps/a',
          'shop=a.myshopify.com',
          'timestamp=1750000000',
        ];
        expect(signed([...added, ...(name ? [`${name}=}`] : [])].sort().join(''))).toEqual(refusal);
      },
    );

    it.each(['["', '<a ', ' {"', '\n["'])(
      'refuses a query of the admin that is signed over plain values, with a parameter called %j',
      (name) => {
        expect(signed(`${name}=1&shop=a.myshopify.com&timestamp=1750000000&z="]`)).toEqual(refusal);
      },
    );

    it.each(['text', '"text"', '1', 'null', '\uFEFFtrue', '   ', '\u00a0{}', '\0{}', 'ey{}'])(
      'refuses %j, which the platform never delivers',
      (body) => {
        expect(signed(body)).toEqual(refusal);
      },
    );

    it.each([
      '{}',
      '[]',
      '<?xml version="1.0"?><shop/>',
      '\uFEFF{"a":1}',
      '\uFEFF\r\n\t [1]',
      '{"note":"path_prefix=shop=timestamp="}',
      '{"note":"&shop=&timestamp="}',
      '<?xml version="1.0"?><site>/?a=1&amp;shop=a&amp;timestamp=1</site>',
    ])('accepts %j', (body) => {
      expect(signed(body).kind).toBe('verified');
    });
  });

  it('knows without the body what no body can make right', () => {
    const precheck = (headers: Record<string, string>) =>
      verifier.precheck((name) => headers[name]);
    expect(precheck({})).toEqual({ kind: 'rejected', reason: 'missing_hmac' });
    expect(precheck({ 'x-shopify-hmac-sha256': 'AAAA' })).toEqual({
      kind: 'rejected',
      reason: 'invalid_hmac',
    });
    expect(precheck({ 'x-shopify-hmac-sha256': HMAC, 'shopify-hmac-sha256': 'AAAA' })).toEqual({
      kind: 'rejected',
      reason: 'invalid_hmac',
    });
    expect(
      precheck({ 'x-shopify-hmac-sha256': 'AAAA', 'shopify-hmac-sha256': HMAC }),
    ).toBeUndefined();
    expect(precheck({ 'x-shopify-hmac-sha256': HMAC })).toBeUndefined();
  });

  it('accepts the signature of a secret that is being replaced', () => {
    const rotating = new WebhookVerifier(new SecretKeys(['new', SECRET]));
    expect(verify(CLASSIC, BODY, rotating).kind).toBe('verified');
  });

  it.each(['evil.example', 'test-shop.myshopify.com.evil.example', 'a b.myshopify.com'])(
    'refuses the shop %s',
    (shop) => {
      expect(verify({ ...CLASSIC, 'X-Shopify-Shop-Domain': shop })).toEqual({
        kind: 'rejected',
        reason: 'invalid_shop',
      });
    },
  );
});

describe('normalizeTopic', () => {
  it.each([
    ['products/create', 'PRODUCTS_CREATE'],
    ['PRODUCTS_CREATE', 'PRODUCTS_CREATE'],
    ['app_subscriptions/update', 'APP_SUBSCRIPTIONS_UPDATE'],
    ['domain.sub_domain.something_happened', 'DOMAIN_SUB_DOMAIN_SOMETHING_HAPPENED'],
    ['Product', 'PRODUCT'],
    ['some-topic/x', 'SOME-TOPIC_X'],
  ])('turns %s into %s', (topic, constant) => {
    expect(normalizeTopic(topic)).toBe(constant);
  });
});
