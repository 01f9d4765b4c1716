import type { OnModuleInit } from '@nestjs/common';
import type { DiscoveryService, MetadataScanner } from '@nestjs/core';

import type { PlatformConfig } from '../../core/config/platform-config.js';
import { findHandlers } from '../../core/nest/handler.explorer.js';
import type { FoundHandler, MarkedMethod } from '../../core/nest/handler.explorer.js';
import { withSchema } from '../deliveries/webhook-delivery.js';
import { emptyParameters, foreignParameters } from './payload.decorator.js';
import { assertHandlers, optionsOf } from './webhook-handler-map.js';
import { WEBHOOK_MARKS } from './webhook.decorator.js';
import type { WebhookHandlerMark, WebhookHandlerSettings } from './webhook.decorator.js';
import type { WebhookHandlerFactory } from './webhook-handler.factory.js';
import type { WebhookRegistry } from './webhook.registry.js';
import { assertOwnPaths } from '../signed/signed-paths.js';
import { signedSubscription } from '../signed/signed-topic.js';
import type { SignedPaths } from '../signed/signed-topic.js';
import { DeliveryMethod } from '../subscriptions/webhook-subscription.js';
import type { WebhookSubscription } from '../subscriptions/webhook-subscription.js';
import { InvalidWebhookHandlerError } from '../webhooks.errors.js';

/** Finds the decorated handlers of deliveries when the app starts and adds them to the registry. */
export class WebhookExplorer implements OnModuleInit {
  constructor(
    readonly app: string,
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly handlers: WebhookHandlerFactory,
    private readonly registry: WebhookRegistry,
    private readonly signedPaths: SignedPaths,
    private readonly config: PlatformConfig,
  ) {}

  /**
   * @throws {InvalidWebhookHandlerError} naming a handler that could not run, one whose options are
   * wrong, or one of an app that does not exist
   * @throws {InvalidDeliveryMethodError} when that of one is unknown
   * @throws {InvalidOptionsError} when what is sent to one of them would arrive elsewhere
   */
  onModuleInit(): void {
    const found = findHandlers(this.discovery, this.app, {
      Explorer: WebhookExplorer,
      markedMethods: (prototype) => this.#markedMethods(prototype),
      misplacedOn: (constructor) => WEBHOOK_MARKS.misplacedOn(constructor),
      does: 'handles webhooks',
      InvalidHandlerError: InvalidWebhookHandlerError,
    });
    for (const handler of found) {
      assertReadable(handler);
      for (const mark of handler.marks) this.#add(mark, handler);
    }
    assertOwnPaths(this.registry.addresses, this.config);
  }

  #markedMethods(prototype: object): MarkedMethod<WebhookHandlerMark>[] {
    const methods = this.scanner.getAllMethodNames(prototype).map((method) => ({
      method,
      marks: WEBHOOK_MARKS.on((prototype as Record<string, unknown>)[method]),
    }));
    const classMarks = WEBHOOK_MARKS.on(prototype.constructor);
    if (classMarks.length > 0 && !methods.some(({ method }) => method === 'handle')) {
      throw new InvalidWebhookHandlerError(
        `${prototype.constructor.name} is decorated as a handler but has no method handle(). Add one, or decorate a method instead.`,
      );
    }
    return [{ method: 'handle', marks: classMarks }, ...methods];
  }

  #add(
    {
      source,
      topics,
      options: {
        enhancers = this.registry.defaults.enhancers ?? false,
        timeout,
        schema,
        ...subscription
      },
    }: WebhookHandlerMark,
    { name, method, host }: FoundHandler<WebhookHandlerMark>,
  ): void {
    const handler = this.handlers.create(host, method, enhancers);
    const declared: WebhookSubscription = source
      ? signedSubscription(source, this.signedPaths)
      : { deliveryMethod: DeliveryMethod.Http, ...subscription };
    assertHandlers({ [name]: { ...declared, timeout, schema, handler } });
    assertKnown(name, subscription, source ? [] : optionsOf(declared));
    const run = withSchema(schema, handler);
    for (const topic of topics)
      this.registry.add({ kind: 'handler', topic, subscription: declared, name, timeout, run });
  }
}

/** What any decorator of a handler takes; the compiler keeps it complete. */
const SETTINGS: Readonly<Record<keyof WebhookHandlerSettings, true>> = {
  app: true,
  enhancers: true,
  timeout: true,
  schema: true,
};

/** A misspelt option would be ignored: the topic would be subscribed, but not as it was meant. */
function assertKnown(name: string, options: object, known: readonly string[]): void {
  const unknown = Object.entries(options).flatMap(([option, value]) =>
    known.includes(option) || value === undefined ? [] : [option],
  );
  if (unknown.length > 0)
    throw new InvalidWebhookHandlerError(
      `The decorator of ${name} has options that are unknown: ${unknown.join(', ')}. Those that it can have are ${[...Object.keys(SETTINGS), ...known].join(', ')}.`,
    );
}

/** What reads an HTTP request would fail with the first delivery, as would what gets nothing. */
function assertReadable({ name, prototype, method }: FoundHandler<WebhookHandlerMark>): void {
  const [index] = foreignParameters(prototype, method);
  if (index !== undefined)
    throw new InvalidWebhookHandlerError(
      `${name} has a decorator of HTTP routes on its argument ${index + 1}, but a webhook handler has no HTTP request. ` +
        'Use @Payload(), @WebhookContext(), @CurrentSession(), @AdminApi() or a decorator made with createParamDecorator().',
    );
  const [empty] = emptyParameters(prototype, method);
  if (empty !== undefined)
    throw new InvalidWebhookHandlerError(
      `${name} gets nothing for its argument ${empty + 1}: a webhook handler gets the delivery, or what its parameters are decorated with. ` +
        'Decorate each of them, as in (@Shop() shop: string, @Payload() payload: object, @DeliveryId() id: string), or give it a default value.',
    );
}
