/**
 * What bundles for browsers get of the entry points for React apps: every name that the server has,
 * so that a route may import any of it. What needs no server is the same here; the rest says so
 * when it is called.
 */
import { createElement } from 'react';

import { MARK_ATTRIBUTE, createBoundary } from './boundary.js';
import type { CreateElement } from './boundary.js';
import { serverMember } from './server-member.js';

/**
 * For the layout routes of an app, with the React that is part of the bundle. Only the server can
 * check a mark: a page that it has not rendered into this document is shown as text.
 */
export const boundary = /* @__PURE__ */ createBoundary(
  () => createElement as CreateElement,
  isRendered,
);

/** True when the server has rendered a page with this mark. */
function isRendered(statusText: string): boolean {
  if (typeof document === 'undefined') return false;
  return [...document.querySelectorAll(`[${MARK_ATTRIBUTE}]`)].some(
    (element) => element.getAttribute(MARK_ATTRIBUTE) === statusText,
  );
}

export const platformApp = /* @__PURE__ */ serverMember('platformApp');
export const shopifyApp = /* @__PURE__ */ serverMember('shopifyApp');
export const InvalidWebhookError = /* @__PURE__ */ serverMember('InvalidWebhookError');
export const MemorySessionStorage = /* @__PURE__ */ serverMember('MemorySessionStorage');
export const PlatformApi = /* @__PURE__ */ serverMember('PlatformApi');
export const TokenManager = /* @__PURE__ */ serverMember('TokenManager');

export { LoginErrorType } from '../../auth/login/login.js';
export * from './web.errors.js';
export * from '../../platform/browser-exports.js';
