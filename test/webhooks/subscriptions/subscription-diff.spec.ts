import { describe, expect, it } from '@jest/globals';

import {
  desiredSubscriptions,
  diffSubscriptions,
} from '../../../lib/webhooks/subscriptions/subscription-diff.js';
import { SubscriptionDialect } from '../../../lib/webhooks/subscriptions/webhook.queries.js';
import type { SubscriptionNode } from '../../../lib/webhooks/subscriptions/webhook.queries.js';

const APP = 'https://app.example.com';
const TOPIC = 'PRODUCTS_UPDATE';
const HERE = `${APP}/webhooks`;

const nodeOf = (id: string, uri: string, filter: string | null = null): SubscriptionNode => ({
  id,
  topic: TOPIC,
  uri,
  filter,
  includeFields: [],
  metafieldNamespaces: [],
});

function changes(existing: SubscriptionNode[], prune: boolean): string[] {
  const desired = desiredSubscriptions(TOPIC, [{ deliveryMethod: 'http' }], () => HERE);
  const isOwn = (uri: string): boolean => uri.startsWith(`${APP}/`);
  const dialect = new SubscriptionDialect('2026-07', []);
  return diffSubscriptions(desired, existing, dialect, { prune, isOwn })
    .filter(({ operation }) => operation !== 'keep')
    .map(({ operation, id }) => `${operation} ${id}`);
}

// They stayed, and every event was delivered twice.
describe('two subscriptions to one address', () => {
  const twice = [nodeOf('1', HERE, 'id:1'), nodeOf('2', HERE), nodeOf('3', HERE)];

  it('become the one that is as desired when everything else is pruned', () => {
    expect(changes(twice, true)).toEqual(['delete 1', 'delete 3']);
  });

  it('become one that is updated when neither is as desired', () => {
    const filtered = [nodeOf('1', HERE, 'id:1'), nodeOf('2', HERE, 'id:2')];
    expect(changes(filtered, true)).toEqual(['update 1', 'delete 2']);
  });

  it('stay unless that is asked for', () => {
    expect(changes(twice, false)).toEqual([]);
  });
});
