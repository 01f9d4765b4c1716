import type { WebhookEndpoint } from './webhook-address.js';

/** A metafield that deliveries of a subscription bring along. */
export interface MetafieldIdentifier {
  namespace: string;
  key: string;
}

/** A webhook subscription of one app in one shop. */
export interface WebhookSubscription {
  id: number;
  apiKey: string;
  /** Header spelling, e.g. `products/create`. */
  topic: string;
  endpoint: WebhookEndpoint;
  /** Top-level fields of the payload; empty for all. */
  includeFields: string[];
  metafieldNamespaces: string[];
  /** Their namespaces are written out: `app--1`, not `$app`. */
  metafields: MetafieldIdentifier[];
  filter: string | null;
  name: string | null;
  format: 'json' | 'xml';
  apiVersion: string;
  createdAt: Date;
  updatedAt: Date;
}
