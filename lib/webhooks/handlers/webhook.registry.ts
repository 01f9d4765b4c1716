import { isCommand } from '../../core/command-mark.js';
import { freeName } from '../../core/free-name.js';
import { normalizedPath } from '../../core/config/platform-config.js';
import type { PlatformConfig } from '../../core/config/platform-config.js';
import type { PlatformLogger } from '../../core/logger.js';
import { PRIVACY_TOPICS } from '../../core/vendor.js';
import type { WebhookDelivery } from '../deliveries/webhook-delivery.js';
import {
  declaredPathOf,
  namedPath,
  pathOf,
  queueOf,
} from '../subscriptions/webhook-subscription.js';
import type { NamedPath } from '../subscriptions/webhook-subscription.js';
import { unknownTopic } from '../subscriptions/topic-spelling.js';
import { InvalidDeliveryMethodError, InvalidWebhookHandlerError } from '../webhooks.errors.js';
import { registrationOf } from './declared-handlers.js';
import type {
  RegisteredHandler,
  RegisteredSubscription,
  WebhookRegistration,
} from './registered-handler.js';
import { problemsInHandlers } from './webhook-handler-map.js';
import type { HandlerDeclarations } from './webhook-handler-map.js';

/**
 * Whether the app may see a delivery: one that is `refused` is answered as if it had been handled,
 * since no later attempt would be believed either; one that is `undecided` must be delivered again.
 */
export type Admission = 'admitted' | 'refused' | 'undecided';

/**
 * What the toolkit itself does with the deliveries of a topic: after the handlers of the app, or
 * before a route of the app receives the delivery. At most one for each topic.
 */
export interface BuiltInHandler {
  /** As a constant. */
  readonly topic: string;
  /** For logs and errors. */
  readonly name: string;
  /**
   * Whether deliveries go to routes of the app, which pass them on to the toolkit: then what the
   * app declares without a handler is received as well.
   */
  readonly runsInRoutes: boolean;
  /** Decides whether the app may see a delivery. @default every delivery is admitted */
  readonly admit?: (delivery: WebhookDelivery) => Promise<Admission>;
  /** Runs in every attempt and for every subscription, so it must be idempotent. */
  readonly run: (delivery: WebhookDelivery) => Promise<void>;
}

/** How handlers run unless they say otherwise. */
export interface HandlerDefaults {
  /** With the app's guards and interceptors. @default false */
  readonly enhancers?: boolean | undefined;
}

const NONE: readonly never[] = [];

interface Topic {
  readonly registrations: WebhookRegistration[];
  readonly handlers: RegisteredHandler[];
}

/** Keeps the handlers and subscriptions of an app by topic, in the order they were registered. */
export class WebhookRegistry {
  readonly #topics = new Map<string, Topic>();
  readonly #namedPaths: NamedPath[] = [];
  #receives = false;
  #isComplete = false;

  constructor(
    private readonly logger: PlatformLogger,
    readonly defaults: HandlerDefaults,
    /** What the toolkit itself does with deliveries. */
    readonly builtInHandlers: readonly BuiltInHandler[],
    /** Which topics are subscribed for the toolkit alone, where it handles them itself. */
    private readonly subscribed: ReadonlySet<string> = new Set(),
  ) {}

  /** To be called by what answers the webhook path: the toolkit subscribes for itself only then. */
  receive(): void {
    if (this.#receives) return;
    this.#receives = true;
    this.#tellPrivacy();
  }

  /** To be called once, when the handlers of all modules are known. */
  complete(): void {
    this.#isComplete = true;
    this.#tellPrivacy();
  }

  /** True when deliveries at the webhook path are known to reach the toolkit. */
  get receives(): boolean {
    return this.#receives;
  }

  /**
   * @throws {InvalidDeliveryMethodError} when the topic is delivered to the same queue already
   * @throws {InvalidWebhookHandlerError} when it is of no known kind
   */
  add(registration: WebhookRegistration): void {
    const name = normalizeTopic(registration.topic);
    const known = this.#topics.get(name);
    const topic = known ?? { registrations: [], handlers: [] };
    if (registration.kind === 'handler') this.#addHandler(name, registration, topic);
    else if (registration.kind === 'subscription') addSubscription(name, registration, topic);
    else
      throw new InvalidWebhookHandlerError(
        `A registration for ${name} has no kind: 'handler' or 'subscription'.`,
      );
    if (known) return;
    this.#topics.set(name, topic);
    const notice = unknownTopic(name);
    if (notice !== undefined) this.logger.warn(notice);
  }

  /**
   * Adds the handlers of a map, which is not changed.
   * @throws {InvalidDeliveryMethodError} when a delivery method is unknown, or a topic is delivered
   * to the same queue twice
   * @throws {InvalidWebhookHandlerError} when anything else about a handler is wrong
   */
  addHandlers(map: HandlerDeclarations): void {
    const problems = problemsInHandlers(map);
    if (problems.length > 0) {
      const InvalidError = problems.some(({ option }) => option.endsWith('.deliveryMethod'))
        ? InvalidDeliveryMethodError
        : InvalidWebhookHandlerError;
      throw new InvalidError(
        `Webhook handlers cannot be added: ${problems.map(({ option, message }) => `${option} ${message}`).join('; ')}.`,
      );
    }
    for (const [topic, declared] of Object.entries(map)) {
      for (const option of [declared].flat()) this.add(registrationOf(topic, option));
    }
  }

  /** The handlers of a topic in any spelling, each with a unique name, in the order they run. */
  handlersFor(topic: string): readonly RegisteredHandler[] {
    return this.#topic(topic)?.handlers ?? NONE;
  }

  /** The app's handlers and subscriptions of a topic in any spelling. */
  registrationsFor(topic: string): readonly WebhookRegistration[] {
    return this.#topic(topic)?.registrations ?? NONE;
  }

  /** What the toolkit itself does with the deliveries of a topic, given as a constant. */
  builtInHandlerFor(topic: string): BuiltInHandler | undefined {
    return this.builtInHandlers.find((handler) => handler.topic === topic);
  }

  /** True when something that runs for the topic may read the session of the shop. */
  usesShop(topic: string): boolean {
    return (
      this.builtInHandlerFor(topic) !== undefined ||
      this.handlersFor(topic).some((handler) => handler.usesShop !== false)
    );
  }

  /** True when something runs for the topic. */
  handles(topic: string): boolean {
    return this.handlersFor(topic).length > 0 || this.builtInHandlerFor(topic) !== undefined;
  }

  /** Topics that the app handles or subscribes to, as constants, in the order of registration. */
  topics(): string[] {
    return [...this.#topics].flatMap(([name, { registrations }]) =>
      registrations.length > 0 ? [name] : [],
    );
  }

  /** Topics that the toolkit needs for itself and may subscribe to, as constants. */
  ownTopics(): string[] {
    return [...this.subscribed].filter(
      (topic) =>
        this.builtInHandlerFor(topic) || this.handlersFor(topic).some(({ isOwn }) => isOwn),
    );
  }

  /**
   * The paths on the app, without trailing slash, that handlers name for their deliveries. Cheap:
   * called for every request.
   */
  paths(config: PlatformConfig): string[] {
    return this.#namedPaths.map((path) => path(config)).filter((path) => path !== undefined);
  }

  /**
   * The path that handlers of the topic declare for what arrives at `path`; that itself where they
   * declare none or several, or where one handler is all there is to run.
   */
  declaredPath(path: string, topic: string, config: PlatformConfig): string {
    const handlers = this.handlersFor(topic);
    if (handlers.length < 2) return path;
    const arrived = normalizedPath(path);
    const declared = handlers
      .filter(({ subscription }) => pathOf(subscription, config) === arrived)
      .map(({ subscription }) => declaredPathOf(subscription, config));
    const [first] = declared;
    return first !== undefined && declared.every((one) => one === first) ? first : path;
  }

  /** Deliveries name it as a constant already. */
  #topic(topic: string): Topic | undefined {
    return this.#topics.get(topic) ?? this.#topics.get(normalizeTopic(topic));
  }

  /** Only where deliveries arrive: elsewhere a route of the app may handle them. */
  #tellPrivacy(): void {
    if (!this.#receives || !this.#isComplete || isCommand()) return;
    const unhandled = PRIVACY_TOPICS.filter((topic) => !this.handles(topic));
    if (unhandled.length > 0)
      this.logger.info(
        'Deliveries of these privacy topics are acknowledged, but no handler acts upon them',
        { topics: unhandled.join(', ') },
      );
  }

  #addHandler(name: string, handler: RegisteredHandler, topic: Topic): void {
    if (topic.handlers.length > 0)
      this.logger.debug(`${name} has several handlers; they run one after the other`);
    const added = { ...handler, topic: name, name: freeName(handler.name, topic.handlers) };
    topic.handlers.push(added);
    if (!handler.isOwn) topic.registrations.push(added);
    if (handler.subscription.callbackUrl !== undefined)
      this.#namedPaths.push(namedPath(handler.subscription));
  }
}

function addSubscription(
  name: string,
  { subscription }: RegisteredSubscription,
  { registrations }: Topic,
): void {
  if (subscription.deliveryMethod !== 'http') {
    const queue = queueOf(subscription);
    const isTaken = registrations.some(
      ({ subscription: other }) => other.deliveryMethod !== 'http' && queueOf(other) === queue,
    );
    if (isTaken)
      throw new InvalidDeliveryMethodError(
        `${name} is delivered to ${queue} already. Only subscriptions over http can have several handlers for one topic and address.`,
      );
  }
  registrations.push({ kind: 'subscription', topic: name, subscription });
}

/** `products/create`, `products.create` or `PRODUCTS_CREATE` → `PRODUCTS_CREATE`. */
export function normalizeTopic(topic: string): string {
  return topic.toUpperCase().replace(/[/.]/g, '_');
}
