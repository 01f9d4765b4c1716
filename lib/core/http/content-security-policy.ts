import type { PlatformConfig } from '../config/platform-config.js';
import { FRAME_ANCESTORS } from '../vendor.js';

/** The header, as it is looked up and sent. */
export const CSP = 'content-security-policy';

/**
 * The `Content-Security-Policy` that lets the admin of `shop`, and nobody else, put a page into a
 * frame. Nobody at all when the app is not embedded or the shop is not known.
 * @see https://shopify.dev/docs/apps/build/security/set-up-iframe-protection
 */
export function frameAncestors(config: PlatformConfig, shop: string | null): string {
  if (!config.isEmbeddedApp || shop === null) return "frame-ancestors 'none';";
  const origins = new Set([
    `https://${shop}`,
    new URL(config.shopOrigin(shop)).origin,
    ...FRAME_ANCESTORS,
  ]);
  return `frame-ancestors ${[...origins].join(' ')};`;
}

/**
 * The same for a page that says why a request was refused, or loads App Bridge. A merchant whose
 * request names no shop, or a wrong one, has to see it inside the admin as well, and there is
 * nothing of a shop on it.
 */
export function frameAncestorsOfHelper(config: PlatformConfig, shop: string | null): string {
  if (!config.isEmbeddedApp || shop !== null) return frameAncestors(config, shop);
  // A store that is not on the internet serves App Bridge itself.
  const store = config.hasOwnShopOrigin ? [new URL(config.appBridgeUrl()).origin] : [];
  return `frame-ancestors ${[...FRAME_ANCESTORS, ...store].join(' ')};`;
}

/**
 * Says who may frame a page without losing what the app already says in its policy: `existing` with
 * its own `frame-ancestors` replaced.
 * @param existing value of the `Content-Security-Policy` header so far; several policies are
 * separated by commas
 */
export function withFrameAncestors(
  existing: string | null | undefined,
  frameAncestors: string,
): string {
  const kept = (existing ?? '').split(',').map(withoutFrameAncestors);
  return [...kept.filter((policy) => policy !== ''), frameAncestors].join(', ');
}

/**
 * The policy of a page of the toolkit that goes out over a response of the app, whose policy so far
 * is `existing`. A page that says what it may load needs no other policy, which could keep it from
 * loading; one that only says who may frame it leaves the rest as it is.
 */
export function policyOfPage(existing: string | null | undefined, own: string): string {
  return withoutFrameAncestors(own) === '' ? withFrameAncestors(existing, own) : own;
}

function withoutFrameAncestors(policy: string): string {
  const directives = policy.split(';').map((directive) => directive.trim());
  return directives
    .filter((directive) => directive !== '' && !/^frame-ancestors(?:\s|$)/i.test(directive))
    .join('; ');
}
