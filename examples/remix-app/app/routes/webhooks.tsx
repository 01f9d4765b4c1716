import type { ActionFunctionArgs } from '@remix-run/node';

import { authenticate } from '../shopify.server';

/** Deliveries that were handled, by their ids. The platform delivers some of them twice. */
const handled = new Set<string>();

export async function action({ request }: ActionFunctionArgs) {
  const { shop, topic, payload, webhookId } = await authenticate.webhook<{ title?: string }>(
    request,
  );
  if (!handled.has(webhookId) && topic === 'PRODUCTS_CREATE')
    console.log(`${shop} has a new product: ${payload.title}`);
  handled.add(webhookId);
  return new Response();
}
