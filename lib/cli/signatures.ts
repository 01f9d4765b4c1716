import { createHmac } from 'node:crypto';

/** What the platform signs a delivery with: an HMAC-SHA256 over its bytes, in base64. */
export function signatureOf(body: Buffer, secret: string): string {
  return createHmac('sha256', secret).update(body).digest('base64');
}
