import { Inject } from '@nestjs/common';
import type { OnModuleInit, Type } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { DiscoveryService, MetadataScanner } from '@nestjs/core';

import { marksOn } from './webhook.decorator.js';
import type { WebhookHandlerMark } from './webhook.decorator.js';
import type { RunHandler, WebhookHandlerFactory } from './webhook.handler-factory.js';
import type { WebhookRegistry } from './webhook.registry.js';
import { DeliveryMethod } from './webhook.subscription.js';
import { InvalidWebhookHandlerError } from './webhooks.errors.js';

type InstanceWrapper = ReturnType<DiscoveryService['getProviders']>[number];

interface MarkedMethod {
  readonly method: string;
  readonly marks: readonly WebhookHandlerMark[];
}

/** Finds what `@WebhookHandler` marks when the app starts, and hands it to the registry. It never runs a handler. */
export class WebhookExplorer implements OnModuleInit {
  constructor(
    private readonly app: string,
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly handlers: WebhookHandlerFactory,
    private readonly registry: WebhookRegistry,
  ) {}

  /** @throws {InvalidWebhookHandlerError} naming a handler that could not run */
  onModuleInit(): void {
    const providers = this.discovery.getProviders();
    const modules = new Map(
      providers.filter(({ token }) => token === ModuleRef).map(({ host, instance }) => [host, instance as ModuleRef]),
    );
    const visited = new Visits();
    for (const wrapper of [...providers, ...this.discovery.getControllers()]) {
      const prototype = prototypeOf(wrapper);
      if (!prototype || !visited.isFirst(wrapper, prototype)) continue;
      for (const { method, marks } of this.markedMethods(prototype)) {
        assertConstructible(wrapper, prototype);
        for (const mark of marks) this.add(mark, prototype, method, wrapper, modules);
      }
    }
  }

  private markedMethods(prototype: object): MarkedMethod[] {
    const methods = this.scanner
      .getAllMethodNames(prototype)
      .map((method) => ({ method, marks: this.own(marksOn((prototype as Record<string, unknown>)[method])) }));
    const ofClass = this.own(marksOn(prototype.constructor));
    if (ofClass.length > 0 && !methods.some(({ method }) => method === 'handle')) {
      throw new InvalidWebhookHandlerError(
        `${prototype.constructor.name} is decorated with @WebhookHandler but has no method handle(). Add one, or decorate a method instead.`,
      );
    }
    return [...(ofClass.length > 0 ? [{ method: 'handle', marks: ofClass }] : []), ...methods.filter(({ marks }) => marks.length > 0)];
  }

  private own(marks: readonly WebhookHandlerMark[]): readonly WebhookHandlerMark[] {
    return marks.filter(({ options }) => (options.app ?? 'default') === this.app);
  }

  private add(
    { topics, options: { app: _, enhancers = this.registry.defaults.enhancers ?? false, ...subscription } }: WebhookHandlerMark,
    prototype: object,
    method: string,
    wrapper: InstanceWrapper,
    modules: ReadonlyMap<unknown, ModuleRef>,
  ): void {
    const run: RunHandler = livesWithTheApp(wrapper)
      ? this.handlers.forInstance(wrapper.instance as object, method, enhancers)
      : this.handlers.forScoped({ id: wrapper.id, token: wrapper.token as Type, module: modules.get(wrapper.host)! }, method, enhancers);
    for (const topic of topics) {
      this.registry.add({
        topic,
        subscription: { ...subscription, deliveryMethod: DeliveryMethod.Http },
        name: `${prototype.constructor.name}.${method}`,
        run,
      });
    }
  }
}

/** Which classes of which modules, and which instances, have been looked at. A second name for either is not a second handler. */
class Visits {
  private readonly instances = new Set<unknown>();
  private readonly modules = new Map<object, Set<unknown>>();

  isFirst(wrapper: InstanceWrapper, prototype: object): boolean {
    const modules = this.modules.get(prototype) ?? new Set();
    const instance: unknown = livesWithTheApp(wrapper) ? wrapper.instance : wrapper;
    if (modules.has(wrapper.host) || this.instances.has(instance)) return false;
    this.modules.set(prototype, modules.add(wrapper.host));
    this.instances.add(instance);
    return true;
  }
}

function livesWithTheApp(wrapper: InstanceWrapper): boolean {
  return wrapper.isDependencyTreeStatic() && !wrapper.isTransient;
}

/** The prototype whose methods are looked at: of the instance, or of the class when there is none yet; nothing for null values, aliases and scoped factories. */
function prototypeOf(wrapper: InstanceWrapper): object | undefined {
  const { instance, metatype, inject, isAlias } = wrapper;
  if (isAlias) return undefined;
  if (livesWithTheApp(wrapper)) {
    return typeof instance === 'object' && instance !== null ? (Object.getPrototypeOf(instance) ?? undefined) : undefined;
  }
  return inject ? undefined : ((metatype as Type | null)?.prototype ?? undefined);
}

/** The metadata key under which Nest keeps `@Inject()` on constructor arguments, learnt by using it: Nest does not export it. */
const INJECTED = learnInjectedKey();

function learnInjectedKey(): string {
  class Probe {}
  Inject('probe')(Probe, undefined, 0);
  return Reflect.getMetadataKeys(Probe)[0] as string;
}

/**
 * Compilers such as esbuild drop the types of constructor arguments. Nest then passes nothing, and the first delivery would die.
 * @throws {InvalidWebhookHandlerError} naming the class
 */
function assertConstructible({ metatype, inject }: InstanceWrapper, { constructor }: object): void {
  if (metatype !== constructor || inject || constructor.length === 0) return;
  const types = (Reflect.getMetadata('design:paramtypes', constructor) ?? []) as readonly unknown[];
  const injected = (Reflect.getMetadata(INJECTED, constructor) ?? []) as readonly { readonly index: number }[];
  const known = new Set([...types.keys(), ...injected.map(({ index }) => index)]);
  if (Array.from({ length: constructor.length }, (_, index) => index).every((index) => known.has(index))) return;
  throw new InvalidWebhookHandlerError(
    `${constructor.name} handles webhooks and takes constructor arguments, but their types are unknown: Nest would pass nothing. ` +
      'Decorate it with @Injectable() and compile with emitDecoratorMetadata (tsc, swc; not esbuild), or mark each argument with @Inject().',
  );
}
