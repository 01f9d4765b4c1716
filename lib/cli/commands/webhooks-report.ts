import type {
  PlannedSubscription,
  SubscriptionDifference,
} from '../../webhooks/subscriptions/subscription-plan.js';
import type { RegisterResult } from '../../webhooks/subscriptions/webhook.registrar.js';
import { shownUri } from '../../webhooks/subscriptions/webhook-subscription.js';
import type { ShopSubscriptions } from '../../webhooks/subscriptions/webhook-rollout.js';
import type { AppConfiguration, ConfiguredSubscription } from '../app-configuration.js';
import { reasonLine } from '../printable.js';

/** The outcome for a shop, as lines for people. What is as declared is left out. */
export function linesOf(result: ShopSubscriptions): string[] {
  const { shop, outcome, subscriptions, results, error } = result;
  const reason = error === undefined ? '' : `: ${reasonLine(error)}`;
  return [
    `${shop} ${outcome}${reason}`,
    ...(results.length > 0 ? results.map(resultLine) : subscriptions.flatMap(planLines)),
  ];
}

/** The same as a line of JSON, with what is as declared. */
export function jsonOf(result: ShopSubscriptions): string {
  const { id, shop, outcome, subscriptions, results, error } = result;
  return JSON.stringify({
    id,
    shop,
    outcome,
    subscriptions: subscriptions.map(({ operation, topic, uri, differences, isDeclared }) => ({
      operation,
      topic,
      uri: shownUri(uri),
      isDeclared,
      differences,
    })),
    results: results.map(({ operation, topic, uri, success, errors }) => ({
      operation,
      topic,
      uri: shownUri(uri),
      success,
      errors,
    })),
    ...(error !== undefined && { error: reasonLine(error) }),
  });
}

/** The subscriptions of the app's configuration file, as lines for people. */
export function configurationLines({ name, subscriptions }: AppConfiguration): string[] {
  return [
    `${name}, for every shop:`,
    ...subscriptions.flatMap(({ topic, uri, isCompliance, filter, includeFields }) => [
      `  ${topic} ${shownUri(uri)}${isCompliance ? ' (privacy)' : ''}`,
      ...(filter === undefined ? [] : [`    filter: ${valueOf(filter)}`]),
      ...(includeFields === undefined ? [] : [`    includeFields: ${valueOf(includeFields)}`]),
    ]),
  ];
}

/** The same as a line of JSON. */
export function configurationJson({ name, subscriptions }: AppConfiguration): string {
  const configured = subscriptions.map(({ uri, ...others }) => ({ ...others, uri: shownUri(uri) }));
  return JSON.stringify({ configuration: { name, subscriptions: configured } });
}

/**
 * Finds subscriptions that shops have, or are to have, beside one of the configuration file to the
 * same topic and address: each event is delivered twice.
 */
export class Overlap {
  readonly #configured: ReadonlyMap<string, ConfiguredSubscription>;
  readonly #found = new Map<string, ConfiguredSubscription>();

  /** @param configuration the file, if there is one to compare with */
  constructor(private readonly configuration: AppConfiguration | undefined) {
    const { subscriptions = [] } = configuration ?? {};
    this.#configured = new Map(subscriptions.map((one) => [`${one.topic} ${one.uri}`, one]));
  }

  /** Looks at the subscriptions of a shop. */
  note({ subscriptions }: ShopSubscriptions): void {
    for (const { operation, topic, uri } of subscriptions) {
      const key = `${topic} ${uri}`;
      const configured = this.#configured.get(key);
      if (configured && operation !== 'delete') this.#found.set(key, configured);
    }
  }

  /** What was found, as lines for people. */
  get lines(): string[] {
    return [...this.#found.values()].map(
      ({ topic, uri }) =>
        `Delivered twice: ${topic} ${shownUri(uri)}, by a subscription of the shops and by ${this.configuration?.name}. Take it out of one of them.`,
    );
  }

  /** The same for a JSON document; nothing without a configuration file. */
  get json(): object {
    const overlaps = [...this.#found.values()].map(({ topic, uri }) => ({
      topic,
      uri: shownUri(uri),
    }));
    return this.configuration ? { overlaps } : {};
  }
}

function planLines({
  operation,
  topic,
  uri,
  differences,
  isDeclared,
}: PlannedSubscription): string[] {
  if (operation === 'keep' && isDeclared) return [];
  const note = operation === 'keep' ? ' (not declared)' : '';
  return [`  ${operation} ${topic} ${shownUri(uri)}${note}`, ...differences.map(differenceLine)];
}

function differenceLine({ detail, existing, desired }: SubscriptionDifference): string {
  return `    ${detail}: ${valueOf(existing)} -> ${valueOf(desired)}`;
}

function valueOf(value: unknown): string {
  const isNothing = value === undefined || (Array.isArray(value) && value.length === 0);
  return isNothing ? 'none' : JSON.stringify(value);
}

function resultLine({ operation, topic, uri, success, errors = [] }: RegisterResult): string {
  const reason = success ? '' : ` failed: ${errors.map(({ message }) => message).join('; ')}`;
  return `  ${operation} ${topic} ${shownUri(uri)}${reason}`;
}
