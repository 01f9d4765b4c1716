import type { ActionFunctionArgs } from '@remix-run/node';

import { authenticate } from '../shopify.server';

/**
 * The last deliveries that were handled, by their ids: the platform delivers some of them twice. An
 * app of several processes keeps the ids in its database.
 */
const handled = new Set<string>();
const KEPT = 1_000;

export async function action({ request }: ActionFunctionArgs) {
  const { shop, topic, payload, webhookId } = await authenticate.webhook<{ title?: string }>(
    request,
  );
  if (!handled.has(webhookId) && topic === 'PRODUCTS_CREATE')
    console.log(`${shop} has a new product: ${payload.title}`);
  handled.add(webhookId);
  // A set has the oldest first.
  const [oldest] = handled;
  if (handled.size > KEPT) handled.delete(oldest);
  return new Response();
}
