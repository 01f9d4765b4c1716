import { platformApp } from '../../../lib/integrations/express/index.js';
import { API_KEY, API_SECRET } from '../../support/app.js';
import { stage } from './stage.js';

/** An app with a subscription of each kind; one of its addresses has secrets in it. */
export default platformApp({
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
  webhooks: {
    ownTopics: false,
    PRODUCTS_CREATE: { deliveryMethod: 'http', callbackUrl: '/hooks', filter: 'id:1' },
    PRODUCTS_UPDATE: {
      deliveryMethod: 'pubsub',
      pubSubProject: 'project',
      pubSubTopic: 'topic',
      includeFields: ['id'],
    },
    PRODUCTS_DELETE: {
      deliveryMethod: 'http',
      callbackUrl: 'https://me:hidden-1@elsewhere.example/hooks?key=hidden-2&x=hidden-3',
    },
  },
});
