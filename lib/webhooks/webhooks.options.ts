import { LONGEST_TIMER } from '../core/time/clock.js';
import type { OptionProblem } from '../core/core.errors.js';
import { problemsInHandlers } from './handlers/webhook-handler-map.js';
import type { WebhookHandlerMap, WebhookHandlerOption } from './handlers/webhook-handler-map.js';

/** Where deliveries arrive, and what is done with them: topics are keys in capitals. */
export interface WebhookSettings {
  /** The path deliveries arrive at. @default '/webhooks' */
  readonly path?: string | undefined;
  /** Longest body that is accepted, in bytes. @default 5 MB */
  readonly bodyLimit?: number | undefined;
  /**
   * Memory that all bodies which are being received may take together, in bytes; at least
   * `bodyLimit`. Beyond it bodies are dropped, stalled and oldest first, and the platform is asked
   * to deliver again (503). Of several apps in a process, the largest counts for all. @default 64
   * MB
   */
  readonly bodyMemoryLimit?: number | undefined;
  /**
   * How long a handler may take, in milliseconds; `Infinity` for any time. Then it counts as
   * failed, and the delivery is handled again by the platform's next attempt. @default 600,000 (10
   * minutes)
   */
  readonly handlerTimeout?: number | undefined;
  /**
   * How long a shutdown waits for deliveries that are being handled and for the toolkit's other
   * work, in milliseconds; `Infinity` for any time. Then the deliveries are given back, so that the
   * platform's next attempt runs at once. @default 25,000
   */
  readonly shutdownTimeout?: number | undefined;
  readonly [topic: Uppercase<string>]:
    WebhookHandlerOption | readonly WebhookHandlerOption[] | undefined;
}

/** What an app can say about its webhooks. */
export interface WebhooksOptions {
  /** @default none besides what `@WebhookHandler` declares */
  readonly webhooks?: WebhookSettings | undefined;
  /**
   * Runs `@WebhookHandler` methods with the app's guards and interceptors, unless they say
   * otherwise. @default false
   */
  readonly enhancers?: boolean | undefined;
}

const TIMEOUTS = ['handlerTimeout', 'shutdownTimeout'] as const;
/** The keys of `webhooks` that are no topics. */
const SETTINGS: ReadonlySet<string> = new Set([
  'path',
  'bodyLimit',
  'bodyMemoryLimit',
  ...TIMEOUTS,
]);

/** The handlers among the options. */
export function topicsIn({ webhooks = {} }: WebhooksOptions): WebhookHandlerMap {
  return Object.fromEntries(
    Object.entries(webhooks).flatMap(([key, handlers]) =>
      SETTINGS.has(key) || handlers === undefined ? [] : [[key, handlers]],
    ),
  );
}

/** How long things may take, in milliseconds. */
export function timeoutsIn({
  webhooks = {},
}: WebhooksOptions): Record<(typeof TIMEOUTS)[number], number> {
  return {
    handlerTimeout: webhooks.handlerTimeout ?? 10 * 60_000,
    shutdownTimeout: webhooks.shutdownTimeout ?? 25_000,
  };
}

/**
 * Everything that is wrong with the options about webhooks. `path` and the limits of bodies are
 * checked where they end up.
 */
export function problemsInWebhooks(options: WebhooksOptions): OptionProblem[] {
  const { webhooks, enhancers } = options;
  const problems: OptionProblem[] = [];
  if (enhancers !== undefined && typeof enhancers !== 'boolean')
    problems.push({ option: 'enhancers', message: 'must be true or false' });
  if (webhooks === undefined) return problems;
  if (typeof webhooks !== 'object' || webhooks === null)
    return [...problems, { option: 'webhooks', message: 'must be an object of topics' }];
  for (const name of TIMEOUTS) {
    if (!isTimeout(webhooks[name]))
      problems.push({ option: `webhooks.${name}`, message: NO_TIMEOUT });
  }
  return [...problems, ...problemsInHandlers(topicsIn(options), 'webhooks.')];
}

const NO_TIMEOUT = `must be a positive number of milliseconds up to ${LONGEST_TIMER} (24 days), or Infinity`;

function isTimeout(value: unknown): boolean {
  return (
    value === undefined ||
    value === Infinity ||
    (typeof value === 'number' && value > 0 && value <= LONGEST_TIMER)
  );
}
