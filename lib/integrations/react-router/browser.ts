/**
 * What bundles for browsers get of `shopwright/react-router`.
 * @module shopwright/react-router
 */
import { serverMember } from '../web/server-member.js';

export const ReactRouterIntegration = /* @__PURE__ */ serverMember('ReactRouterIntegration');
export * from '../web/browser-exports.js';
