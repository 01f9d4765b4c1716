import { createParamDecorator } from '@nestjs/common';
import type { ExecutionContext } from '@nestjs/common';
import type { ContextId, ExternalContextCreator } from '@nestjs/core';

import { instanceFor } from '../../core/nest/handler.explorer.js';
import type { HandlerHost } from '../../core/nest/handler.explorer.js';
import type { WebhookDelivery } from '../deliveries/webhook-delivery.js';
import { InvalidWebhookHandlerError } from '../webhooks.errors.js';

const CONTEXT_TYPE = 'shopwright:webhook';

/**
 * True inside a webhook handler, where guards, interceptors and parameter decorators receive a
 * delivery instead of an HTTP request.
 */
export function isWebhookContext(context: ExecutionContext): boolean {
  return context.getType<string>() === CONTEXT_TYPE;
}

/** Runs one handler with one delivery. */
export type RunHandler = (delivery: WebhookDelivery) => Promise<unknown>;

/**
 * Turns a method of a provider into a handler that Nest runs: with pipes and parameter decorators,
 * and with enhancers where asked for.
 */
export class WebhookHandlerFactory {
  constructor(private readonly contexts: ExternalContextCreator) {}

  /**
   * Creates the handler of a method. It is prepared once, on first use, for a static provider, and
   * for each delivery for a request-scoped one.
   */
  create(host: HandlerHost, method: string, enhancers: boolean): RunHandler {
    if (!('instance' in host)) {
      return async (delivery) => {
        const { instance, contextId } = await instanceFor(delivery, host);
        return this.prepare(instance, method, enhancers, contextId, host.id)(delivery);
      };
    }
    let run: RunHandler | undefined;
    return (delivery) => (run ??= this.prepare(host.instance, method, enhancers))(delivery);
  }

  private prepare(
    instance: object,
    method: string,
    enhancers: boolean,
    contextId?: ContextId,
    id?: string,
  ): RunHandler {
    const callback = (instance as Record<string, (...args: unknown[]) => unknown>)[method]!;
    // Never with filters: one that answers would turn a failed delivery into an acknowledged one.
    const options = { guards: enhancers, interceptors: enhancers, filters: false };
    return this.contexts.create(
      instance,
      callback,
      method,
      PARAMETERS,
      FOREIGN_PARAMETERS,
      contextId,
      id,
      options,
      CONTEXT_TYPE,
    );
  }
}

/**
 * The metadata key under which Nest keeps parameter decorators, learned by applying one: Nest does
 * not export it.
 */
const PARAMETERS = findParameterKey();

function findParameterKey(): string {
  class Probe {
    method(): void {}
  }
  createParamDecorator(() => undefined)()(Probe.prototype, 'method', 0);
  return Reflect.getMetadataKeys(Probe, 'method')[0] as string;
}

/** Refuses built-in parameter decorators such as `@Body()`: there is no HTTP request to read. */
const FOREIGN_PARAMETERS = {
  exchangeKeyForValue(): never {
    throw new InvalidWebhookHandlerError(
      'A webhook handler has a parameter decorator that belongs to HTTP routes. Use @Payload(), @WebhookContext(), @CurrentSession() or @AdminApi().',
    );
  },
};
