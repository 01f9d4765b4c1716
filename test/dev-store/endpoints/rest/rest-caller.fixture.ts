import type { DevShop } from '../../../../lib/dev-store/index.js';

/** An object of JSON. */
export type Json = Record<string, unknown>;

/** What a call is answered with; the body is empty when there is none. */
export interface RestReply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Json;
}

/** Calls the Admin REST API of a shop. @param path behind the version, with or without `.json` */
export type RestCaller = (method: string, path: string, body?: object) => Promise<RestReply>;

/** Calls a shop with a token; redirects are not followed. */
export function restCaller(shop: DevShop, token: string): RestCaller {
  return async (method, path, body) => {
    const named = path.includes('.json') ? path : `${path}.json`;
    const response = await fetch(`${shop.origin}/admin/api/2026-07/${named}`, {
      method,
      redirect: 'manual',
      headers: { 'X-Shopify-Access-Token': token, 'Content-Type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const { status, headers } = response;
    const text = await response.text();
    return { status, headers, body: (text === '' ? {} : JSON.parse(text)) as Json };
  };
}
