import type { ApiBuckets } from '../../base/api-limits.js';
import type { AppRegistry } from '../../base/app-registry.js';
import {
  jsonReply,
  StoreReplyError,
  type Endpoint,
  type StoreReply,
  type StoreRequest,
} from '../../http/store-request.js';
import type { AccessTokens } from '../../state/apps/access-tokens.js';
import type { Installations } from '../../state/apps/installations.js';
import type { StorefrontTokens } from '../../state/apps/storefront-tokens.js';
import type { BillingCharges } from '../../state/billing/billing-charges.js';
import type { PrivacyRequests } from '../../state/customers/privacy-requests.js';
import type { MetafieldStore } from '../../state/metafields/metafield-store.js';
import type { ThemeFiles } from '../../state/themes/theme-files.js';
import type { WebhookSubscriptions } from '../../state/webhooks/webhook-subscriptions.js';
import type { ApiCall } from '../admin-api/admin-api-access.js';
import type { NotifyingShop } from '../payloads/payload-values.js';
import type { NodeWriter } from '../nodes/node-writer.js';

/** The part of a shop that the REST API reads and changes. */
export interface RestShop extends NotifyingShop {
  /** The origin of the shop. */
  readonly origin: string;
  readonly tokens: AccessTokens;
  readonly installed: Installations;
  readonly buckets: ApiBuckets;
  readonly webhooks: WebhookSubscriptions;
  readonly metafields: MetafieldStore;
  readonly storefront: StorefrontTokens;
  readonly privacy: PrivacyRequests;
  readonly themes: ThemeFiles;
  readonly billing: BillingCharges;
}

/** What a call sends, or an object in it. */
export type RestBody = Readonly<Record<string, unknown>>;

/** An authenticated call of the REST API. */
export interface RestCall extends ApiCall {
  readonly shop: RestShop;
  readonly apps: AppRegistry;
  readonly now: () => Date;
  /** Changes the nodes of the shop as GraphQL does, and tells the apps. */
  readonly writer: () => NodeWriter;
}

/**
 * A REST endpoint. Its pattern matches the path after the version, without `.json`; its groups are
 * the ids.
 */
export interface RestEndpoint extends Endpoint {
  /** The scope a token needs. */
  readonly scope?: string;
  /** @param id the first id of the path @param others the ids behind it */
  answer(
    call: RestCall,
    request: StoreRequest,
    id: number,
    ...others: readonly number[]
  ): StoreReply;
}

/** The platform's response when there is no such resource. */
export function notFound(): StoreReply {
  return jsonReply(404, { errors: 'Not Found' });
}

/** The platform's response to an invalid input: messages by field. */
export function unprocessable(
  problems: ReadonlyArray<{ field: string; message: string }>,
): StoreReply {
  const errors: Record<string, string[]> = {};
  for (const { field, message } of problems) (errors[field] ??= []).push(message);
  return jsonReply(422, { errors });
}

/**
 * A resource with only the fields that the `fields` parameter names; with all fields when it names
 * none.
 */
export function selectFields(resource: Record<string, unknown>, url: URL): Record<string, unknown> {
  const names = listOf(url.searchParams.get('fields'));
  return names.length === 0
    ? resource
    : Object.fromEntries(Object.entries(resource).filter(([name]) => names.includes(name)));
}

/**
 * The object under the root key of a posted body. @throws StoreReplyError with 400 when it is
 * missing
 */
export function rootOf(body: Record<string, unknown>, key: string): Record<string, unknown> {
  const root = body[key];
  if (typeof root !== 'object' || root === null || Array.isArray(root)) {
    throw new StoreReplyError(
      jsonReply(400, { errors: { [key]: 'Required parameter missing or invalid' } }),
    );
  }
  return root as Record<string, unknown>;
}

/** An object in a posted body; empty when there is none. @throws StoreReplyError with 400 */
export function objectOf(
  body: Readonly<Record<string, unknown>>,
  key: string,
): Record<string, unknown> {
  return body[key] == null ? {} : rootOf({ ...body }, key);
}

/**
 * The objects of a posted list; undefined when there is none. @throws StoreReplyError with 400 when
 * it is no list of objects
 */
export function objectsOf(
  body: Readonly<Record<string, unknown>>,
  key: string,
): Array<Record<string, unknown>> | undefined {
  const list = body[key];
  if (list == null) return undefined;
  const isObject = (item: unknown): boolean =>
    typeof item === 'object' && item !== null && !Array.isArray(item);
  if (Array.isArray(list) && list.every(isObject)) return list as Array<Record<string, unknown>>;
  throw new StoreReplyError(
    jsonReply(400, { errors: { [key]: 'expected Array to be a list of objects' } }),
  );
}

/** The items of a comma-separated parameter. */
export function listOf(text: string | null): string[] {
  return (text ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean);
}

/** The number of items a page may hold. @default 50, at most 250 */
export function limitOf(url: URL): number {
  const limit = Number(url.searchParams.get('limit') ?? 50);
  if (Number.isInteger(limit) && limit > 0) return Math.min(limit, 250);
  throw new StoreReplyError(
    jsonReply(400, { errors: { limit: 'expected Integer to be a positive number' } }),
  );
}

/** The value if it is a text, else undefined. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** The texts of a list, or undefined when the value is not a list. */
export function textsOf(value: unknown): string[] | undefined {
  return Array.isArray(value)
    ? value.filter((item): item is string => typeof item === 'string')
    : undefined;
}
