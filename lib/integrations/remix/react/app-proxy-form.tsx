import { Form } from '@remix-run/react';

import { createAppProxyForm } from '../../web/react/app-proxy.js';

/**
 * Remix's `Form` within an {@link AppProxyProvider}. @throws {MissingProviderError} outside of one
 */
export const AppProxyForm = /* @__PURE__ */ createAppProxyForm(Form);
