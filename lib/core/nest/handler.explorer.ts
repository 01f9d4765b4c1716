import { Inject } from '@nestjs/common';
import type { Type } from '@nestjs/common';
import { ContextIdFactory, ModuleRef } from '@nestjs/core';
import type { ContextId, DiscoveryService } from '@nestjs/core';

import type { PlatformError } from '../core.errors.js';

type InstanceWrapper = ReturnType<DiscoveryService['getProviders']>[number];

/** What a decorator says, at the least. */
export interface AppMark {
  /** Name of the app. @default the unnamed app */
  readonly app?: string | undefined;
}

/** A method of a class, and what its decorators say. */
export interface MarkedMethod<Mark extends AppMark> {
  readonly method: string;
  readonly marks: readonly Mark[];
}

/** What decorators mark, and how it is spoken of. */
export interface HandlerKind<Mark extends AppMark> {
  /** What looks for them: each app of the container has one of its own. */
  readonly Explorer: abstract new (...args: never[]) => { readonly app: string };
  /**
   * The methods that may be marked, in the order they are to be found; those without a mark do not
   * count.
   */
  markedMethods(prototype: object): readonly MarkedMethod<Mark>[];
  /** What a class with such a method does, as in `handles webhooks`. */
  readonly does: string;
  readonly InvalidHandlerError: new (message: string) => PlatformError;
}

/** A provider that has to be made anew for each call, and where it is made. */
export interface ScopedHost {
  /** Nest's id of the provider: tells apart the same class in two modules. */
  readonly id: string;
  readonly token: Parameters<ModuleRef['resolve']>[0];
  readonly module: ModuleRef;
}

/**
 * What a method is called on: an instance that lives as long as the app, or one that is made for
 * each call.
 */
export type HandlerHost = { readonly instance: object } | ScopedHost;

/** A marked method, and where it is. */
export interface FoundHandler<Mark extends AppMark> extends MarkedMethod<Mark> {
  /** Such as `ProductHandlers.onProduct`. */
  readonly name: string;
  readonly host: HandlerHost;
}

/**
 * Finds the methods of all providers and controllers that decorators mark as those of `app`. To be
 * called when every provider is made; runs none of them.
 * @throws `InvalidHandlerError` naming a class that could not be made, or a method of an app that
 * is not there
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
  const modules = new Map(
    providers
      .filter(({ token }) => token === ModuleRef)
      .map(({ host, instance }) => [host, instance as ModuleRef]),
  );
  const visited = new Visits();
  return [...providers, ...discovery.getControllers()].flatMap((wrapper) => {
    const prototype = prototypeOf(wrapper);
    if (!prototype || !visited.isFirst(wrapper, prototype)) return [];
    const methods = kind.markedMethods(prototype).flatMap(({ method, marks }) => {
      for (const mark of marks)
        assertRegistered(appOf(mark), apps, `${prototype.constructor.name}.${method}`, kind);
      const own = marks.filter((mark) => appOf(mark) === app);
      return own.length > 0 ? [{ method, marks: own }] : [];
    });
    if (methods.length > 0) assertConstructible(wrapper, prototype, kind);
    const { id, token } = wrapper;
    const host = livesWithTheApp(wrapper)
      ? { instance: wrapper.instance as object }
      : { id, token: token as Type, module: modules.get(wrapper.host)! };
    return methods.map(({ method, marks }) => ({
      name: `${prototype.constructor.name}.${method}`,
      method,
      marks,
      host,
    }));
  });
}

/** Makes the instance for one call. Inside, `REQUEST` is `request`. */
export async function instanceFor(
  request: object,
  { token, module }: ScopedHost,
): Promise<{ readonly instance: object; readonly contextId: ContextId }> {
  const contextId = ContextIdFactory.create();
  module.registerRequestByContextId(request, contextId);
  return { instance: await module.resolve<object>(token, contextId, { strict: true }), contextId };
}

/**
 * Which classes of which modules, and which instances, have been looked at. A second name for
 * either is not a second handler.
 */
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

/**
 * The prototype whose methods are looked at: of the instance, or of the class when there is none
 * yet; nothing for null values, aliases and scoped factories.
 */
function prototypeOf(wrapper: InstanceWrapper): object | undefined {
  const { instance, metatype, inject, isAlias } = wrapper;
  if (isAlias) return undefined;
  if (livesWithTheApp(wrapper)) {
    return typeof instance === 'object' && instance !== null
      ? (Object.getPrototypeOf(instance) ?? undefined)
      : undefined;
  }
  return inject ? undefined : ((metatype as Type | null)?.prototype ?? undefined);
}

/**
 * The metadata key under which Nest keeps `@Inject()` on constructor arguments, learnt by using it:
 * Nest does not export it.
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
 * Of apps that are registered in any order each looks for its own handlers: one of an app that is
 * not there would be nobody's.
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

/**
 * Compilers such as esbuild drop the types of constructor arguments. Nest then passes nothing, and
 * the first call would die.
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
