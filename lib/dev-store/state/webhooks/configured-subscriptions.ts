import type { RegisteredApp } from '../../base/app-registry.js';
import { topicName } from '../../base/webhook-topics.js';
import { parseAddress } from './webhook-address.js';
import type { WebhookSubscription } from './webhook-subscription.js';

/**
 * The webhook subscriptions of an app's configuration.
 * @throws TypeError when a topic is unknown or an address is not valid
 */
export function configuredSubscriptions(app: RegisteredApp): WebhookSubscription[] {
  return app.webhooks.map(({ topic: text, uri, includeFields = [], apiVersion = '2026-07' }) => {
    const wrong = (what: string): TypeError =>
      new TypeError(`A webhook of the configuration of "${app.apiKey}" ${what}.`);
    const topic = topicName(text);
    if (!topic) throw wrong(`has the topic "${text}", which does not exist`);
    const endpoint = parseAddress(uri.startsWith('/') ? app.appUrl + uri : uri);
    if ('length' in endpoint)
      throw wrong(`has the address "${uri}", which ${endpoint.join(' and ')}`);
    const at = new Date(0);
    return {
      ...{ id: 0, apiKey: app.apiKey, topic, endpoint, includeFields: [...includeFields] },
      ...{ metafieldNamespaces: [], metafields: [], filter: null, name: null, format: 'json' },
      ...{ apiVersion, createdAt: at, updatedAt: at },
    };
  });
}
