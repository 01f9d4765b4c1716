import type { ApiLimits } from '../base/api-limits.js';
import type { AppRegistry } from '../base/app-registry.js';
import type { BulkDuration } from './bulk/bulk.operations.js';
import type { SeedProduct } from './products/product-catalog.js';
import type { WebhookSimulator } from './webhooks/webhook.simulator.js';

/** An app in a shop. */
export interface Installation {
  readonly apiKey: string;
  readonly scopes: readonly string[];
  /** Those it cannot give back. */
  readonly required: readonly string[];
  readonly installedAt: Date;
}

/** How a shop is described before it opens. */
export interface DevShopOptions {
  /** e.g. `dev-shop.myshopify.com` */
  domain: string;
  /** @default made from the domain */
  name?: string;
  /** Address of the shop and its owner. @default `owner@<store>.example` */
  email?: string;
  /** @default six products */
  products?: readonly SeedProduct[];
  /** How fast each app may call. @default the platform's */
  limits?: Partial<ApiLimits>;
  /** How long a bulk operation runs. @default the platform's */
  bulkDuration?: BulkDuration;
}

/** What every shop of one simulated platform shares. */
export interface Platform {
  apps: AppRegistry;
  webhooks: WebhookSimulator;
  now: () => Date;
  limits: Partial<ApiLimits>;
  bulkDuration: BulkDuration;
}

/** The person who uses the admin: owner of the shop and subject of its session tokens. */
export interface ShopUser {
  id: number;
  first_name: string;
  last_name: string;
  email: string;
  email_verified: boolean;
  account_owner: boolean;
  locale: string;
  collaborator: boolean;
}

/** Who owns every shop. */
export const OWNER: Omit<ShopUser, 'id' | 'email'> = {
  first_name: 'Ada',
  last_name: 'Byrne',
  email_verified: true,
  account_owner: true,
  locale: 'en',
  collaborator: false,
};
