import { Inject } from '@nestjs/common';
import type { Type } from '@nestjs/common';
import { ContextIdFactory, ModuleRef } from '@nestjs/core';
import type { ContextId, DiscoveryService } from '@nestjs/core';

import type { PlatformError } from '../core.errors.js';
import { isOfFeature } from './platform-plugin.js';

type InstanceWrapper = ReturnType<DiscoveryService['getProviders']>[number];

/** The metadata that every handler decorator sets. */
export interface AppMark {
  /** Name of the app. @default the unnamed app */
  readonly app?: string | undefined;
}

/** A method of a class, and the metadata of its decorators. */
export interface MarkedMethod<Mark extends AppMark> {
  readonly method: string;
  readonly marks: readonly Mark[];
}

/** A kind of handler: which decorators mark it, and how messages describe it. */
interface HandlerKind<Mark extends AppMark> {
  /** The explorer of these handlers; each app of the container has its own. */
  readonly Explorer: abstract new (...args: never[]) => { readonly app: string };
  /** The decorated methods of a class, in the order they are registered. */
  markedMethods(prototype: object): readonly MarkedMethod<Mark>[];
  /** What is wrong with decorated members of a class that can be no handler. */
  misplacedOn(constructor: unknown): readonly string[];
  /** What a class with such a method does, such as `handles webhooks`. */
  readonly does: string;
  readonly InvalidHandlerError: new (message: string) => PlatformError;
}

/** What Nest knows of the provider or controller that has a method. */
interface HostIdentity {
  /** Nest's id of the provider. It distinguishes the same class in two modules. */
  readonly id: string;
  readonly module: ModuleRef;
  /** Nest's key of the module. */
  readonly moduleKey: string;
  /** The guards, interceptors and pipes that decorate the class and its methods. */
  readonly enhancers: readonly InstanceWrapper[];
}

/** A provider whose instance lives as long as the app. */
export interface StaticHost extends HostIdentity {
  readonly instance: object;
}

/** A provider that is instantiated for each call. */
interface ScopedHost extends HostIdentity {
  readonly token: ProviderToken;
}

/** What a method is called on. */
export type HandlerHost = StaticHost | ScopedHost;

type ProviderToken = Parameters<ModuleRef['resolve']>[0];

/** A decorated method, and its host. */
export interface FoundHandler<Mark extends AppMark> extends MarkedMethod<Mark> {
  /** Such as `ProductHandlers.onProduct`. */
  readonly name: string;
  /** Of the class, which has the method itself or inherits it. */
  readonly prototype: object;
  readonly host: HandlerHost;
}

/**
 * Finds the methods of all providers and controllers that are decorated as handlers of `app`.
 * Requires that every provider is instantiated; calls none of the methods.
 * @throws `InvalidHandlerError` naming a class that cannot be instantiated, a method of an app that
 * is not registered, or a decorated member that is no method of instances
 */
export function findHandlers<Mark extends AppMark>(
  discovery: DiscoveryService,
  app: string,
  kind: HandlerKind<Mark>,
): FoundHandler<Mark>[] {
  const providers = discovery.getProviders();
  const apps = providers.flatMap(({ instance }) =>
    instance instanceof kind.Explorer ? [instance.app] : [],
  );
  const modules = modulesOf(providers);
  const visited = new Visits();
  return [...providers, ...discovery.getControllers()].flatMap((wrapper) => {
    const prototype = prototypeOf(wrapper);
    if (!prototype || !visited.isFirst(wrapper, prototype)) return [];
    assertPlaced(prototype, kind);
    const methods = kind.markedMethods(prototype).flatMap(({ method, marks }) => {
      for (const mark of marks)
        assertRegistered(appOf(mark), apps, `${prototype.constructor.name}.${method}`, kind);
      const own = marks.filter((mark) => appOf(mark) === app);
      return own.length > 0 ? [{ method, marks: own }] : [];
    });
    if (methods.length === 0) return [];
    assertConstructible(wrapper, prototype, kind);
    const { id, token } = wrapper;
    const identity = {
      id,
      module: modules.get(wrapper.host)!,
      moduleKey: wrapper.host!.token,
      enhancers: wrapper.getEnhancersMetadata() ?? [],
    };
    const host = livesWithTheApp(wrapper)
      ? { ...identity, instance: wrapper.instance as object }
      : { ...identity, token: token as Type };
    return methods.map(({ method, marks }) => ({
      name: `${prototype.constructor.name}.${method}`,
      method,
      marks,
      prototype,
      host,
    }));
  });
}

/** Creates the instance for one call. `REQUEST` resolves to `request` in it. */
export async function instanceFor(request: object, host: ScopedHost): Promise<object> {
  return resolveInContext(host, contextFor(request, host));
}

/** What one call has to itself: providers of its request, for which `REQUEST` is `request`. */
export function contextFor(request: object, { module }: Pick<ScopedHost, 'module'>): ContextId {
  const contextId = ContextIdFactory.create();
  module.registerRequestByContextId(request, contextId);
  return contextId;
}

/** The instance of a provider of that module for one call. */
export function resolveInContext(
  { token, module }: Pick<ScopedHost, 'token' | 'module'>,
  contextId: ContextId,
): Promise<object> {
  return module.resolve<object>(token, contextId, { strict: true });
}

/** The `ModuleRef` of each module. */
export function modulesOf(
  providers: readonly InstanceWrapper[],
): ReadonlyMap<InstanceWrapper['host'], ModuleRef> {
  return new Map(
    providers
      .filter(({ token }) => token === ModuleRef)
      .map(({ host, instance }) => [host, instance as ModuleRef]),
  );
}

/**
 * The classes of each module, and the instances, that have been visited. A provider with two tokens
 * is not registered twice.
 */
class Visits {
  readonly #instances = new Set<unknown>();
  readonly #modules = new Map<object, Set<unknown>>();

  isFirst(wrapper: InstanceWrapper, prototype: object): boolean {
    const modules = this.#modules.get(prototype) ?? new Set();
    const instance: unknown = livesWithTheApp(wrapper) ? wrapper.instance : wrapper;
    if (modules.has(wrapper.host) || this.#instances.has(instance)) return false;
    this.#modules.set(prototype, modules.add(wrapper.host));
    this.#instances.add(instance);
    return true;
  }
}

function livesWithTheApp(wrapper: InstanceWrapper): boolean {
  return wrapper.isDependencyTreeStatic() && !wrapper.isTransient;
}

/**
 * The prototype whose methods are scanned: that of the instance, or of the class when there is no
 * instance yet. Undefined for null values, aliases and scoped factories, for the `ModuleRef` that
 * every module has, and for the toolkit's own objects.
 */
function prototypeOf(wrapper: InstanceWrapper): object | undefined {
  const { instance, metatype, inject, isAlias, token } = wrapper;
  if (isAlias || token === ModuleRef || isOurs(wrapper)) return undefined;
  if (livesWithTheApp(wrapper)) {
    return typeof instance === 'object' && instance !== null
      ? (Object.getPrototypeOf(instance) ?? undefined)
      : undefined;
  }
  return inject ? undefined : ((metatype as Type | null)?.prototype ?? undefined);
}

/**
 * Most providers of a small app. What the app has passed, such as its storage, is of a class of its
 * own.
 */
function isOurs({ instance, metatype, token }: InstanceWrapper): boolean {
  const object = instance as object | null | undefined;
  return isOfFeature(metatype as object | null) && object?.constructor === token;
}

/**
 * The metadata key under which Nest stores the `@Inject()` of constructor arguments. Nest does not
 * export it, so it is learnt by applying the decorator.
 */
const INJECTED = learnInjectedKey();

function learnInjectedKey(): string {
  class Probe {}
  Inject('probe')(Probe, undefined, 0);
  return Reflect.getMetadataKeys(Probe)[0] as string;
}

function appOf({ app = 'default' }: AppMark): string {
  return app;
}

/**
 * Throws for a handler of an app that is not registered: each app finds only its own handlers, in
 * any order, so no app would find this one.
 */
function assertRegistered<Mark extends AppMark>(
  app: string,
  apps: readonly string[],
  handler: string,
  { does, InvalidHandlerError }: HandlerKind<Mark>,
): void {
  if (apps.includes(app)) return;
  throw new InvalidHandlerError(
    `${handler} ${does} of the app "${app}", which is not registered. Those that are: ${apps.map((name) => `"${name}"`).join(', ')}. ` +
      'Name one of them as `app` in its decorator, or register that app.',
  );
}

function assertPlaced<Mark extends AppMark>(
  { constructor }: object,
  { misplacedOn, does, InvalidHandlerError }: HandlerKind<Mark>,
): void {
  const [problem] = misplacedOn(constructor);
  if (problem !== undefined)
    throw new InvalidHandlerError(
      `A member is decorated as one that ${does}, but would never be called: ${problem}`,
    );
}

/**
 * Compilers such as esbuild drop the types of constructor arguments. Nest then injects nothing, and
 * the first call would fail.
 */
function assertConstructible<Mark extends AppMark>(
  { metatype, inject }: InstanceWrapper,
  { constructor }: object,
  { does, InvalidHandlerError }: HandlerKind<Mark>,
): void {
  if (metatype !== constructor || inject || constructor.length === 0) return;
  const types = (Reflect.getMetadata('design:paramtypes', constructor) ?? []) as readonly unknown[];
  const injected = (Reflect.getMetadata(INJECTED, constructor) ?? []) as readonly {
    readonly index: number;
  }[];
  const known = new Set([...types.keys(), ...injected.map(({ index }) => index)]);
  if (
    Array.from({ length: constructor.length }, (_, index) => index).every((index) =>
      known.has(index),
    )
  )
    return;
  throw new InvalidHandlerError(
    `${constructor.name} ${does} and takes constructor arguments, but their types are unknown: Nest would pass nothing. ` +
      'Decorate it with @Injectable() and compile with emitDecoratorMetadata (tsc, swc; not esbuild), or mark each argument with @Inject().',
  );
}
