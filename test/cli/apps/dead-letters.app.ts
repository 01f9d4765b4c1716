import { platformApp } from '../../../lib/integrations/express/index.js';
import { API_KEY, API_SECRET } from '../../support/app.js';
import { ListedQueue } from '../../webhooks/queue/listed.queue.js';

/** An app with dead letters. */
export default platformApp({
  api: {
    apiKey: API_KEY,
    apiSecretKey: API_SECRET,
    apiVersion: '2026-07',
    hostName: 'app.example.com',
    logger: { log: () => {} },
  },
  webhooks: { queue: { create: () => new ListedQueue() } },
});
