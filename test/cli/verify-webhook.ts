import { createHmac } from 'node:crypto';

import type { Received } from '../dev-store/app-receiver.js';

/** Whether a delivery is signed with a secret. */
export function verifyWebhook({ headers, body }: Received, secret: string): boolean {
  const hmac = createHmac('sha256', secret).update(body).digest('base64');
  return headers['x-shopify-hmac-sha256'] === hmac;
}
