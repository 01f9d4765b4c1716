// What the demo and its walks know of the app that they install: its shop, its keys, and what it
// hears of from webhooks.
import { signedWebhook } from 'shopwright/dev-store';

export const SHOP = 'dev-shop.myshopify.com';
export const KEY = 'demo-api-key';
export const SECRET = 'demo-api-secret';
/** What a browser adds to a request for a page in a frame. */
export const IN_FRAME = { 'sec-fetch-dest': 'iframe' };

/** The titles that an app has written of, from webhooks. @param lines what it has written */
export function titlesIn(lines) {
  return lines.flatMap((line) => / has a new product: (.+)$/.exec(line)?.[1] ?? []);
}

/** Delivers a webhook of our own; resolves to the status of the answer. */
export async function deliver(appUrl, { title, secret = SECRET, webhookId }) {
  const { headers, body } = signedWebhook({
    ...{ secret, shop: SHOP, topic: 'PRODUCTS_CREATE', payload: { title }, webhookId },
  });
  return (await fetch(`${appUrl}/webhooks`, { method: 'POST', headers, body })).status;
}
