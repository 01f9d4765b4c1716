import { describe, expect, it } from '@jest/globals';
import { jwtVerify } from 'jose';
import {
  base64Host,
  signedQuery,
  signedSessionToken,
  signedWebhook,
} from '../../../lib/dev-store/index.js';

// Computed by the platform's own libraries with the secret `hush`.
const CALLBACK = {
  code: '0907a61c0c8d55e99db179b68161bc00',
  host: 'YWRtaW4uc2hvcGlmeS5jb20vc3RvcmUvc29tZS1zaG9w',
  shop: 'some-shop.myshopify.com',
  state: '0.6784241404160823',
  timestamp: '1700000000',
};

describe('signedQuery', () => {
  it('signs a callback as the admin does', () => {
    expect(signedQuery(CALLBACK, 'hush').get('hmac')).toBe(
      '5c5df6d7f14b01108f2f3c5fb62fe10559949fafe7cd51b2ab9de627330706bd',
    );
  });

  it('form-encodes values with %20 for a space', () => {
    expect(signedQuery({ ...CALLBACK, x: "a b&c=d+e/~é*()!'" }, 'hush').get('hmac')).toBe(
      '07a4fabfc29dcf49da6a09c6538d2400efea5cf832b42056c5a36e8ee6caac3d',
    );
  });

  it('writes a list as repeated names with brackets', () => {
    const query = signedQuery({ ...CALLBACK, ids: ['1', '2'] }, 'hush');
    expect(query.getAll('ids[]')).toEqual(['1', '2']);
    expect(query.get('hmac')).toBe(
      '227c7e497d6aca7f22ed7707e49eba29369dd31c258cadaf8f41b80b63e22955',
    );
  });

  it('adds a timestamp in seconds', () => {
    const before = Math.floor(Date.now() / 1000);
    const timestamp = Number(
      signedQuery({ shop: 'some-shop.myshopify.com' }, 'hush').get('timestamp'),
    );
    expect(timestamp).toBeGreaterThanOrEqual(before);
    expect(timestamp).toBeLessThanOrEqual(Date.now() / 1000);
  });
});

describe('signedWebhook', () => {
  it('signs the exact bytes of the body', () => {
    const { headers, body } = signedWebhook({
      secret: 'hush',
      shop: 'some-shop.myshopify.com',
      topic: 'PRODUCTS_CREATE',
      body: '{"a":1}',
    });
    expect(body.toString()).toBe('{"a":1}');
    expect(headers['X-Shopify-Hmac-Sha256']).toBe('3+Yq/TpwjqJ7IXuMq8EfED7b+y0XbokqOKLUdagDxMI=');
  });

  it('keeps bytes that are not UTF-8', () => {
    const bytes = Uint8Array.from([0x7b, 0xff, 0xfe, 0x7d]);
    expect([
      ...signedWebhook({ secret: 's', shop: 'a.myshopify.com', topic: 'orders/paid', body: bytes })
        .body,
    ]).toEqual([...bytes]);
  });

  it('carries every header of a delivery, the topic in its header spelling', () => {
    const { headers } = signedWebhook({
      secret: 's',
      shop: 'a.myshopify.com',
      topic: 'CUSTOMERS_DATA_REQUEST',
      payload: {},
      name: 'one',
    });
    expect(headers).toMatchObject({
      'X-Shopify-Topic': 'customers/data_request',
      'X-Shopify-Shop-Domain': 'a.myshopify.com',
      'X-Shopify-API-Version': expect.stringMatching(/^\d{4}-\d{2}$/),
      'X-Shopify-Webhook-Id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      'X-Shopify-Event-Id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      'X-Shopify-Triggered-At': expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      'X-Shopify-Name': 'one',
    });
  });

  it('lets a test replace a header and send a topic nobody knows', () => {
    const headers = { 'X-Shopify-Hmac-Sha256': 'forged' };
    const forged = signedWebhook({
      secret: 's',
      shop: 'a.myshopify.com',
      topic: 'made/up',
      payload: {},
      headers,
    });
    expect(forged.headers).toMatchObject({
      'X-Shopify-Hmac-Sha256': 'forged',
      'X-Shopify-Topic': 'made/up',
    });
  });
});

describe('signedSessionToken', () => {
  const app = { apiKey: 'key', secret: 'hush', shop: 'some-shop.myshopify.com' };

  it('is a token that another implementation accepts', async () => {
    const { payload, protectedHeader } = await jwtVerify(
      signedSessionToken({ ...app, userId: 7 }),
      new TextEncoder().encode('hush'),
    );
    expect(protectedHeader.alg).toBe('HS256');
    expect(payload).toMatchObject({
      iss: 'https://some-shop.myshopify.com/admin',
      dest: 'https://some-shop.myshopify.com',
      aud: 'key',
      sub: '7',
    });
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(60);
    expect(payload.nbf).toBe(payload.iat);
  });

  it('replaces claims, and leaves out those that are undefined', () => {
    const token = signedSessionToken({ ...app, overrides: { aud: 'other', exp: undefined } });
    const claims = JSON.parse(
      Buffer.from(token.split('.')[1] ?? '', 'base64url').toString(),
    ) as Record<string, unknown>;
    expect(claims['aud']).toBe('other');
    expect(claims).not.toHaveProperty('exp');
  });

  it('lies in its header when a test wants it to', () => {
    const [header = ''] = signedSessionToken({ ...app, header: { alg: 'none' } }).split('.');
    expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toEqual({ alg: 'none' });
  });
});

describe('base64Host', () => {
  it("encodes the shop's address in the admin", () => {
    expect(base64Host('some-shop.myshopify.com')).toBe(
      'YWRtaW4uc2hvcGlmeS5jb20vc3RvcmUvc29tZS1zaG9w',
    );
  });
});
