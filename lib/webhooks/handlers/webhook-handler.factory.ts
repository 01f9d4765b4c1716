import type { ExecutionContext } from '@nestjs/common';
import { ContextIdFactory } from '@nestjs/core';
import type { ContextId, ExternalContextCreator } from '@nestjs/core';

import { LazyPromise } from '../../core/concurrency/lazy-promise.js';
import { contextFor, resolveInContext } from '../../core/nest/handler.explorer.js';
import type { HandlerHost, StaticHost } from '../../core/nest/handler.explorer.js';
import type { ScopedEnhancers } from '../../core/nest/scoped-enhancers.js';
import type { WebhookDelivery } from '../deliveries/webhook-delivery.js';
import { DiscardedResponse, readableAsRequest } from './http-view.js';
import { PARAMETERS, PAYLOAD_PARAMETERS, hasParameters } from './payload.decorator.js';

const CONTEXT_TYPE = 'shopwright:webhook';

/**
 * True inside a webhook handler, where guards, interceptors and parameter decorators receive a
 * delivery instead of an HTTP request.
 */
export function isWebhookContext(context: ExecutionContext): boolean {
  return context.getType<string>() === CONTEXT_TYPE;
}

/** Runs one handler with one delivery. */
type RunHandler = (delivery: WebhookDelivery) => Promise<unknown>;

/** What a handler runs in: the objects of the app, or those of one delivery. */
interface Scope {
  readonly instance: object;
  readonly contextId?: ContextId;
}

/**
 * Turns a method of a provider into a handler that Nest runs: with pipes and parameter decorators,
 * and with enhancers where asked for.
 */
export class WebhookHandlerFactory {
  constructor(
    private readonly contexts: ExternalContextCreator,
    private readonly scoped: ScopedEnhancers,
  ) {}

  /**
   * Creates the handler of a method. It is prepared once, on first use; for each delivery when the
   * provider, or an enhancer that runs around the method, is request-scoped.
   */
  create(host: HandlerHost, method: string, enhancers: boolean): RunHandler {
    let run: RunHandler | undefined;
    return (delivery) => {
      if (run) return run(delivery);
      // Known by now: no delivery comes before the app is initialised.
      const scoped = this.scoped.around(enhancers);
      const transient = this.scoped.on(host);
      if (!('instance' in host) || scoped.length > 0)
        run = async (each) => {
          const contextId = contextFor(each, host);
          await this.scoped.resolve([...scoped, ...transient], contextId, host.id);
          const instance =
            'instance' in host ? host.instance : await resolveInContext(host, contextId);
          return this.#prepare(host, method, enhancers, { instance, contextId })(each);
        };
      else if (transient.length > 0)
        run = this.#withTransient(host, transient, (scope) =>
          this.#prepare(host, method, enhancers, scope),
        );
      else run = this.#prepare(host, method, enhancers, host);
      return run(delivery);
    };
  }

  /** Its transient enhancers are made once, for the provider, as for the routes of a controller. */
  #withTransient(
    host: StaticHost,
    transient: ReturnType<ScopedEnhancers['on']>,
    prepare: (scope: Scope) => RunHandler,
  ): RunHandler {
    const prepared = new LazyPromise(async () => {
      const contextId = ContextIdFactory.create();
      await this.scoped.resolve(transient, contextId, host.id);
      return prepare({ instance: host.instance, contextId });
    });
    return async (delivery) => (await prepared.get())(delivery);
  }

  #prepare(
    host: HandlerHost,
    method: string,
    enhancers: boolean,
    { instance, contextId }: Scope,
  ): RunHandler {
    const own = (instance as Readonly<Record<string, Callback>>)[method]!;
    const target = contextsIn(host, this.contexts).create(
      instance,
      enhancers && !hasParameters(instance, method) ? withoutResponse(own) : own,
      method,
      PARAMETERS,
      PAYLOAD_PARAMETERS,
      contextId,
      contextId && host.id,
      // Never with filters: one that answers would turn a failed delivery into an acknowledged one.
      { guards: enhancers, interceptors: enhancers, filters: false },
      CONTEXT_TYPE,
    );
    if (!enhancers) return target;
    return (delivery) => target(readableAsRequest(delivery), new DiscardedResponse());
  }
}

/**
 * Nest finds the module of a provider by itself, but not that of a controller, whose guards and
 * pipes it would leave out.
 */
function contextsIn(
  { moduleKey }: HandlerHost,
  contexts: ExternalContextCreator,
): ExternalContextCreator {
  const getContextModuleKey: ExternalContextCreator['getContextModuleKey'] = () => moduleKey;
  return Object.assign(Object.create(contexts) as ExternalContextCreator, { getContextModuleKey });
}

type Callback = (...args: unknown[]) => unknown;

/**
 * The method with the delivery as its only argument, though its guards see a response as well. It
 * inherits from the method, since `Reflector` reads decorators from what it is given.
 */
function withoutResponse(method: Callback): Callback {
  const alone: Callback = function (this: unknown, delivery) {
    return method.call(this, delivery);
  };
  Object.defineProperty(alone, 'name', { value: method.name });
  return Object.setPrototypeOf(alone, method) as Callback;
}
