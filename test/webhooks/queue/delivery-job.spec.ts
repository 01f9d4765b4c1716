import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import type { WebhookFacts } from '../../../lib/webhooks/deliveries/webhook-delivery.js';
import { BodyCipher } from '../../../lib/webhooks/queue/bullmq/body-cipher.js';
import {
  fromStored,
  jobIdOf,
  progressIn,
  storedIn,
  toStored,
} from '../../../lib/webhooks/queue/bullmq/delivery-job.js';
import { WebhookQueueError } from '../../../lib/webhooks/webhooks.errors.js';
import { SHOP } from '../../support/app.js';

const facts = (overrides: Partial<WebhookFacts> = {}): WebhookFacts => ({
  webhookType: 'webhooks',
  topic: 'PRODUCTS_CREATE',
  shop: SHOP,
  webhookId: '1',
  apiVersion: '2026-07',
  ...overrides,
});
const NO_KEYS = new BodyCipher(undefined);
const KEYS = [
  { id: 'new', key: 'a'.repeat(64) },
  { id: 'old', key: 'b'.repeat(64) },
];

describe('a delivery as it is stored', () => {
  it('is the same again after JSON, whatever its bytes are, and has no character that a database refuses', () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.boolean(), (bytes, isEncrypted) => {
        const body = Buffer.from(bytes);
        const verified = { facts: facts(), path: '/webhooks', body };
        const cipher = isEncrypted ? new BodyCipher(KEYS) : NO_KEYS;
        const text = JSON.stringify(toStored(verified, 'd-1', cipher));
        expect(text).not.toContain('\\u0000');
        const stored = storedIn(JSON.parse(text))!;
        expect(fromStored(stored, stored.body!, 'd-1', cipher)).toEqual(verified);
      }),
    );
  });

  it('has an id of its own for each app, shop and delivery, of a form that every queue takes', () => {
    const ids = [
      jobIdOf('app', facts()),
      jobIdOf('other', facts()),
      jobIdOf('app', facts({ shop: 'other.myshopify.com' })),
      jobIdOf('app', facts({ webhookId: '2' })),
      jobIdOf('app', facts({ webhookId: `${SHOP}:1` })),
    ];
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^d-[0-9a-f]{64}$/);
    expect(jobIdOf('app', facts({ topic: 'ORDERS_CREATE', apiVersion: '2026-10' }))).toBe(ids[0]);
  });

  it.each([undefined, null, 1, 'text', {}, { version: 2 }, { version: 1, facts: {}, path: '/' }])(
    'is not found in %p',
    (data) => {
      expect(storedIn(data)).toBeUndefined();
    },
  );

  it('has made no progress at first', () => {
    for (const progress of [0, undefined, {}])
      expect(progressIn(progress)).toEqual({ handled: [], crashes: 0, forgiven: 0 });
  });
});

describe('an encrypted body', () => {
  const body = Buffer.from('the body');
  const open = (text: string, place: string, keys = KEYS) => new BodyCipher(keys).open(text, place);

  it('is sealed with the first key, differently each time, and opened with any', () => {
    const [current, previous] = [new BodyCipher(KEYS), new BodyCipher(KEYS.slice(1))];
    const sealed = previous.seal(body, 'd-1');
    expect(sealed.startsWith('old:')).toBe(true);
    expect(current.seal(body, 'd-1').startsWith('new:')).toBe(true);
    expect(previous.seal(body, 'd-1')).not.toBe(sealed);
    expect(open(sealed, 'd-1')).toEqual(body);
  });

  it('opens for no other delivery, under no other key, and not when it was changed', () => {
    const sealed = new BodyCipher(KEYS).seal(body, 'd-1');
    expect(() => open(sealed, 'd-2')).toThrow(WebhookQueueError);
    expect(() => open(sealed.replace('new:', 'old:'), 'd-1')).toThrow(WebhookQueueError);
    expect(() => open(sealed, 'd-1', KEYS.slice(1))).toThrow('"new"');
    expect(() => open('new:AAAA', 'd-1')).toThrow(WebhookQueueError);
    expect(() => open('', 'd-1')).toThrow(WebhookQueueError);
  });
});
