import type { Provider } from '@nestjs/common';

import { AdminRestClient } from './admin-rest.client.js';

/**
 * Where the floor above puts the app's REST client: it also serves code that knows no container.
 */
export const ADMIN_REST = Symbol.for('shopwright:ADMIN_REST');

export const REST_CLIENT_PROVIDERS: Provider[] = [
  { provide: AdminRestClient, useExisting: ADMIN_REST },
];
