import type { OptionProblem } from '../core/core.errors.js';
import { problemsInHandlers } from './webhook.handler-map.js';
import type { WebhookHandlerMap, WebhookHandlerOption } from './webhook.handler-map.js';

/** Where deliveries arrive, and what is done with them: topics are keys in capitals. */
export interface WebhookSettings {
  /** The path deliveries arrive at. @default '/webhooks' */
  readonly path?: string | undefined;
  /** Longest body that is accepted, in bytes. @default 5 MB */
  readonly bodyLimit?: number | undefined;
  readonly [topic: Uppercase<string>]: WebhookHandlerOption | readonly WebhookHandlerOption[] | undefined;
}

/** What an app can say about its webhooks. */
export interface WebhooksOptions {
  /** @default none besides what `@WebhookHandler` declares */
  readonly webhooks?: WebhookSettings | undefined;
  /** Runs `@WebhookHandler` methods with the app's guards and interceptors, unless they say otherwise. @default false */
  readonly enhancers?: boolean | undefined;
}

/** The handlers among the options. */
export function topicsIn({ webhooks = {} }: WebhooksOptions): WebhookHandlerMap {
  const { path: _, bodyLimit: __, ...topics } = webhooks;
  return Object.fromEntries(Object.entries(topics).flatMap(([topic, handlers]) => (handlers === undefined ? [] : [[topic, handlers]])));
}

/** Everything that is wrong with the options about webhooks. `path` and `bodyLimit` are checked where they end up. */
export function problemsInWebhooks(options: WebhooksOptions): OptionProblem[] {
  const { webhooks, enhancers } = options;
  const problems: OptionProblem[] = [];
  if (enhancers !== undefined && typeof enhancers !== 'boolean') problems.push({ option: 'enhancers', message: 'must be true or false' });
  if (webhooks === undefined) return problems;
  if (typeof webhooks !== 'object' || webhooks === null)
    return [...problems, { option: 'webhooks', message: 'must be an object of topics' }];
  return [...problems, ...problemsInHandlers(topicsIn(options), 'webhooks.')];
}
