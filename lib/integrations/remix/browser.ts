/**
 * What bundles for browsers get of `shopwright/remix`.
 * @module shopwright/remix
 */
import { serverMember } from '../web/server-member.js';

export const RemixIntegration = /* @__PURE__ */ serverMember('RemixIntegration');
export * from '../web/browser-exports.js';
