import { REACT_ROUTER_CONVENTIONS } from '../web/route-conventions.js';
import { webBinding } from '../web/web.providers.js';
import { ReactRouterIntegration } from './react-router.integration.js';

/** The object for React Router. */
export const REACT_ROUTER_BINDINGS = [
  webBinding(
    ReactRouterIntegration,
    REACT_ROUTER_CONVENTIONS,
    (dependencies) => new ReactRouterIntegration(dependencies),
  ),
];
