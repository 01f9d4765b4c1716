import { Form } from 'react-router';

import { createAppProxyForm } from '../../web/react/app-proxy.js';

/**
 * React Router's `Form` within an {@link AppProxyProvider}. @throws {MissingProviderError} outside
 * of one
 */
export const AppProxyForm = /* @__PURE__ */ createAppProxyForm(Form);
