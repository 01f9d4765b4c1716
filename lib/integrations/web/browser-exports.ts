/**
 * What bundles for browsers get of the entry points for React apps: every name that the server has,
 * so that a route may import any of it. What needs no server is the same here; the rest says so
 * when it is called.
 */
import { createElement } from 'react';

import { MARKED } from '../../core/http/own-pages.js';
import { createBoundary } from './boundary.js';
import type { CreateElement } from './boundary.js';
import { serverMember } from './server-member.js';

/**
 * For the layout routes of an app, with the React that is part of the bundle. It repeats what the
 * server has shown, which alone can check the mark.
 */
export const boundary = /* @__PURE__ */ createBoundary(
  () => createElement as CreateElement,
  (statusText) => MARKED.test(statusText),
);

export const platformApp = /* @__PURE__ */ serverMember('platformApp');
export const shopifyApp = /* @__PURE__ */ serverMember('shopifyApp');
export const InvalidWebhookError = /* @__PURE__ */ serverMember('InvalidWebhookError');
export const MemorySessionStorage = /* @__PURE__ */ serverMember('MemorySessionStorage');
export const PlatformApi = /* @__PURE__ */ serverMember('PlatformApi');
export const TokenManager = /* @__PURE__ */ serverMember('TokenManager');

export { LoginErrorType } from '../../auth/login/login.js';
export * from './web.errors.js';
export * from '../../platform/browser-exports.js';
