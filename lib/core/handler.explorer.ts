import { Inject } from '@nestjs/common';
import type { Type } from '@nestjs/common';
import { ContextIdFactory, ModuleRef } from '@nestjs/core';
import type { ContextId, DiscoveryService } from '@nestjs/core';

import type { PlatformError } from './core.errors.js';

type InstanceWrapper = ReturnType<DiscoveryService['getProviders']>[number];

/** A method of a class, and what its decorators say. */
export interface MarkedMethod<Mark> {
  readonly method: string;
  readonly marks: readonly Mark[];
}

/** What decorators mark, and how it is spoken of. */
export interface HandlerKind<Mark> {
  /** The methods that may be marked, in the order they are to be found; those without a mark do not count. */
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

/** What a method is called on: an instance that lives as long as the app, or one that is made for each call. */
export type HandlerHost = { readonly instance: object } | ScopedHost;

/** A marked method, and where it is. */
export interface FoundHandler<Mark> extends MarkedMethod<Mark> {
  /** Such as `ProductHandlers.onProduct`. */
  readonly name: string;
  readonly host: HandlerHost;
}

/**
 * Finds the methods of all providers and controllers that decorators mark. To be called when the app starts; runs none of them.
 * @throws `InvalidHandlerError` naming a class that could not be made
 */
export function findHandlers<Mark>(discovery: DiscoveryService, kind: HandlerKind<Mark>): FoundHandler<Mark>[] {
  const providers = discovery.getProviders();
  const modules = new Map(providers.filter(({ token }) => token === ModuleRef).map(({ host, instance }) => [host, instance as ModuleRef]));
  const visited = new Visits();
  return [...providers, ...discovery.getControllers()].flatMap((wrapper) => {
    const prototype = prototypeOf(wrapper);
    if (!prototype || !visited.isFirst(wrapper, prototype)) return [];
    const methods = kind.markedMethods(prototype).filter(({ marks }) => marks.length > 0);
    if (methods.length > 0) assertConstructible(wrapper, prototype, kind);
    const { id, token } = wrapper;
    const host = livesWithTheApp(wrapper)
      ? { instance: wrapper.instance as object }
      : { id, token: token as Type, module: modules.get(wrapper.host)! };
    return methods.map(({ method, marks }) => ({ name: `${prototype.constructor.name}.${method}`, method, marks, host }));
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

/** Compilers such as esbuild drop the types of constructor arguments. Nest then passes nothing, and the first call would die. */
function assertConstructible<Mark>(
  { metatype, inject }: InstanceWrapper,
  { constructor }: object,
  { does, InvalidHandlerError }: HandlerKind<Mark>,
): void {
  if (metatype !== constructor || inject || constructor.length === 0) return;
  const types = (Reflect.getMetadata('design:paramtypes', constructor) ?? []) as readonly unknown[];
  const injected = (Reflect.getMetadata(INJECTED, constructor) ?? []) as readonly { readonly index: number }[];
  const known = new Set([...types.keys(), ...injected.map(({ index }) => index)]);
  if (Array.from({ length: constructor.length }, (_, index) => index).every((index) => known.has(index))) return;
  throw new InvalidHandlerError(
    `${constructor.name} ${does} and takes constructor arguments, but their types are unknown: Nest would pass nothing. ` +
      'Decorate it with @Injectable() and compile with emitDecoratorMetadata (tsc, swc; not esbuild), or mark each argument with @Inject().',
  );
}
