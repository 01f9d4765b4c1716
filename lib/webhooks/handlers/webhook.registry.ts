import { freeName } from '../../core/free-name.js';
import type { PlatformConfig } from '../../core/config/platform-config.js';
import type { PlatformLogger } from '../../core/logger.js';
import { tellUnhandledPrivacy } from '../subscriptions/privacy-topics.js';
import { withSchema, type WebhookDelivery } from '../deliveries/webhook-delivery.js';
import { sameQueue } from '../subscriptions/webhook-subscription.js';
import type { WebhookSubscription } from '../subscriptions/webhook-subscription.js';
import { unknownTopic } from '../subscriptions/topic-spelling.js';
import { assertOwnPaths } from '../signed/signed-paths.js';
import { isSignedTopic, noteAddress, type NamedAddress } from '../signed/signed-topic.js';
import { InvalidDeliveryMethodError, InvalidWebhookHandlerError } from '../webhooks.errors.js';
import { subscriptionsIn, type DeclaredSubscription } from './declared-subscriptions.js';
import { assertHandlers } from './webhook-handler-map.js';
import type { HandlerDeclarations, WebhookCallback } from './webhook-handler-map.js';

/** A subscription whose deliveries are handled by `run`. */
export interface RegisteredHandler {
  readonly kind: 'handler';
  /** In any spelling. */
  readonly topic: string;
  readonly subscription: WebhookSubscription;
  /** For logs and errors, such as `ProductHandlers.onProduct`. The registry makes it unique. */
  readonly name: string;
  /** False for one that never reads the session or the API clients: none is loaded for it. */
  readonly usesShop?: boolean | undefined;
  /** In milliseconds; `Infinity` for none. @default the option `webhooks.handlerTimeout` */
  readonly timeout?: number | undefined;
  readonly run: (delivery: WebhookDelivery) => unknown;
  /** What was declared, when it was a function. */
  readonly callback?: WebhookCallback | undefined;
  /** Of the toolkit itself: nothing the app has declared. @default false */
  readonly isOwn?: boolean | undefined;
}

/** A subscription whose deliveries go elsewhere: to a queue, or to a route of the app. */
interface RegisteredSubscription {
  readonly kind: 'subscription';
  /** In any spelling. */
  readonly topic: string;
  readonly subscription: WebhookSubscription;
}

/** What an app has registered for a topic. */
export type WebhookRegistration = RegisteredHandler | RegisteredSubscription;

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

const NONE: readonly never[] = [];

interface Topic {
  readonly registrations: WebhookRegistration[];
  readonly handlers: RegisteredHandler[];
}

/** Keeps the handlers and subscriptions of an app by topic, in the order they were registered. */
export class WebhookRegistry {
  readonly #topics = new Map<string, Topic>();
  readonly #addresses: NamedAddress[] = [];
  #receives = false;
  #isComplete = false;

  constructor(
    private readonly logger: PlatformLogger,
    /**
     * How handlers run unless they say otherwise: with the app's guards and interceptors, if
     * `enhancers` is set.
     */
    readonly defaults: { readonly enhancers?: boolean | undefined },
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
    const notice = isSignedTopic(name) ? undefined : unknownTopic(name);
    if (notice !== undefined) this.logger.warn(notice);
  }

  /**
   * Adds the handlers of a map, which is not changed.
   * @param config of an app that was made already: their addresses are compared with the others
   * @throws {InvalidDeliveryMethodError} for an unknown one, or the same queue twice for a topic
   * @throws {InvalidWebhookHandlerError} when anything else about a handler is wrong
   * @throws {InvalidOptionsError} when signed requests arrive at one of them: none is added
   */
  addHandlers(map: HandlerDeclarations, config?: PlatformConfig): void {
    assertHandlers(map);
    const added = subscriptionsIn(map).map(registrationOf);
    if (config) {
      const addresses = [...this.#addresses];
      for (const { kind, topic, subscription } of added)
        if (kind === 'handler') noteAddress(addresses, normalizeTopic(topic), subscription);
      assertOwnPaths(addresses, config);
    }
    for (const registration of added) this.add(registration);
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
    return [...this.#topics.keys()].filter((topic) => this.registrationsFor(topic).length > 0);
  }

  /** Every handler of the app, by topic. */
  handlers(): RegisteredHandler[] {
    const all = [...this.#topics.values()].flatMap(({ handlers }) => handlers);
    return all.filter(({ isOwn }) => !isOwn);
  }

  /** Topics that the toolkit needs for itself and may subscribe to, as constants. */
  ownTopics(): string[] {
    return [...this.subscribed].filter(
      (topic) =>
        this.builtInHandlerFor(topic) || this.handlersFor(topic).some(({ isOwn }) => isOwn),
    );
  }

  /** Where handlers have their deliveries arrive, other than at the webhook path. */
  get addresses(): readonly NamedAddress[] {
    return this.#addresses;
  }

  /** Those on the app, as paths without trailing slash. Cheap: called for every request. */
  paths(config: PlatformConfig): string[] {
    return this.#addresses.map(({ path }) => path(config)).filter((path) => path !== undefined);
  }

  /** Deliveries name it as a constant already. */
  #topic(topic: string): Topic | undefined {
    return this.#topics.get(topic) ?? this.#topics.get(normalizeTopic(topic));
  }

  #tellPrivacy(): void {
    if (this.#receives && this.#isComplete)
      tellUnhandledPrivacy(this.logger, (topic) => this.handles(topic));
  }

  #addHandler(name: string, handler: RegisteredHandler, topic: Topic): void {
    if (topic.handlers.length > 0)
      this.logger.debug(`${name} has several handlers; they run one after the other`);
    const added = { ...handler, topic: name, name: freeName(handler.name, topic.handlers) };
    topic.handlers.push(added);
    if (!handler.isOwn && !isSignedTopic(name)) topic.registrations.push(added);
    noteAddress(this.#addresses, name, handler.subscription);
  }
}

function addSubscription(
  name: string,
  { subscription }: RegisteredSubscription,
  { registrations }: Topic,
): void {
  const taken = sameQueue(subscription, registrations);
  if (taken !== undefined)
    throw new InvalidDeliveryMethodError(
      `${name} is delivered to ${taken} already. Only handlers can share a topic and an address.`,
    );
  registrations.push({ kind: 'subscription', topic: name, subscription });
}

/** What is registered for it. Made here, because `run` is part of the way of each delivery. */
function registrationOf(declared: DeclaredSubscription): WebhookRegistration {
  const { topic, subscription, name, handling } = declared;
  const { callback, handler, schema, timeout } = handling;
  const registered = { kind: 'handler' as const, topic, subscription, name, timeout };
  if (callback)
    return {
      ...registered,
      callback,
      usesShop: false,
      run: withSchema(schema, ({ topic, shop, rawBody, webhookId, apiVersion, context }) =>
        callback(topic, shop, rawBody, webhookId, apiVersion, context),
      ),
    };
  if (!handler) return { kind: 'subscription', topic, subscription };
  return { ...registered, run: withSchema(schema, (delivery) => handling.handler?.(delivery)) };
}

/** `products/create`, `products.create` or `PRODUCTS_CREATE` → `PRODUCTS_CREATE`. */
export function normalizeTopic(topic: string): string {
  return topic.toUpperCase().replace(/[/.]/g, '_');
}
