// What the code in the documentation takes for granted: each of these names is known to every block
// that does not declare it.
import type { Request as ExpressRequest, Response as ExpressResponse } from 'express';
import type { RedisClientType } from 'redis';

import type { StorefrontApiClient } from '../../lib/graphql-client/index.js';
import type { AdminContext, BillingService, Session } from '../../lib/index.js';
import type { ExpressApp } from '../../lib/integrations/express/index.js';
import type { RemixApp, RemixAppOptions } from '../../lib/integrations/remix/index.js';
import type { restResources } from '../../lib/rest-client/resources/generated/versions/2026-07.js';
import type { MemorySessionStorage, SessionStorage } from '../../lib/sessions/index.js';

// The app.
export declare const options: RemixAppOptions;
export declare const shopify: ExpressApp;
export declare const app: RemixApp;
export declare const authenticate: RemixApp['authenticate'];
export declare const billing: BillingService;
export declare const storage: SessionStorage;
export declare const client: RedisClientType;
export declare const store: { storeDomain: string; apiVersion: string; accessToken: string };
export declare const storefront: StorefrontApiClient;
export declare const appUrl: string;
export declare const MyStorage: typeof MemorySessionStorage;

// A request.
export declare const admin: AdminContext<typeof restResources>;
export declare const session: Session;
export declare const request: Request;
export declare const req: ExpressRequest;
export declare const res: ExpressResponse;
export declare const shop: string;
export declare const id: string;
export declare const accessToken: string;

// What the app does with what it gets.
export declare const PRODUCTS: string;
export declare const QUERY: string;
export declare const QUERY_WITH_DEFER: string;
export declare const changes: Iterable<{ product: { id: string; title: string } }>;
export declare const jobs: { save(id: string): Promise<void> };
export declare const shops: { create(shop: string, plan: string): Promise<void> };
export declare const shutdown: AbortController;
export declare const enoughRequestsAreWaiting: Promise<void>;
export declare function planOf(admin: AdminContext): Promise<string>;
export declare function save(item: unknown): Promise<void>;
export declare function saveProduct(row: object): Promise<void>;
export declare function saveVariant(row: object): Promise<void>;
export declare function report(line: number, problems: unknown): void;
export declare function render(data: unknown): void;
export declare function lines(): AsyncIterable<string>;
