import { platformApp } from '../../../lib/integrations/express/index.js';
import { API_KEY, API_SECRET } from '../../support/app.js';
import { stage } from './stage.js';

const app = platformApp({
  api: {
    apiKey: API_KEY,
    apiSecretKey: API_SECRET,
    apiVersion: '2026-07',
    hostName: 'app.example.com',
    scopes: ['write_products'],
    shopOrigin: (shop) => stage.shopOrigin(shop),
    logger: { log: () => {} },
  },
  sessionStorage: stage.storage,
});
const { close } = app;

export default Object.assign(app, { close: () => (stage.closed++, close()) });
/** Neither is an app. */
export const VERSION = 1;
export class NoModule {}
