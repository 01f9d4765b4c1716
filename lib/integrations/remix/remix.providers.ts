import { REMIX_CONVENTIONS } from '../web/route-conventions.js';
import { webBinding } from '../web/web.providers.js';
import { RemixIntegration } from './remix.integration.js';

/** The object for Remix. */
export const REMIX_BINDINGS = [
  webBinding(
    RemixIntegration,
    REMIX_CONVENTIONS,
    (dependencies) => new RemixIntegration(dependencies),
  ),
];
