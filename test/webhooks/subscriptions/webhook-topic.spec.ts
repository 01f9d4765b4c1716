import { describe, expect, it } from '@jest/globals';

import { normalizeTopic } from '../../../lib/webhooks/subscriptions/webhook-topic.js';

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
