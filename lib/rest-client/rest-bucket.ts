import type { BucketState } from '../core/pacing/pacer.js';
import { HEADERS } from '../core/vendor.js';

/**
 * What a reply says of the bucket of requests (`32/40`: used and size). How fast it fills up is
 * learnt elsewhere.
 */
export function restBucket(response: Response): { readonly bucket: BucketState } | undefined {
  const [used, capacity] = (response.headers.get(HEADERS.callLimit) ?? '').split('/').map(Number);
  if (used === undefined || !capacity || !(used >= 0)) return undefined;
  return { bucket: { available: Math.max(0, capacity - used), capacity } };
}
