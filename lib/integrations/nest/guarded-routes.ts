import 'reflect-metadata';

import { Controller, Get, RequestMethod, UseGuards, Version } from '@nestjs/common';
import type { MiddlewareConsumer, Type } from '@nestjs/common';
import { MetadataScanner } from '@nestjs/core';
import type { ModulesContainer } from '@nestjs/core';

type Target = Parameters<ReturnType<MiddlewareConsumer['apply']>['forRoutes']>[number];
/** Nest's own description of a route, whose type it does not export. */
type RouteInfo = Extract<Target, { readonly path: string }>;
type VersionValue = NonNullable<RouteInfo['version']>;

/** A route of a controller, with the guards that stand on it and on its controller. */
export interface GuardedRoute extends RouteInfo {
  readonly guards: readonly unknown[];
}

/**
 * The keys under which Nest keeps what its decorators are given: learnt by applying them, as Nest
 * exports no names for them.
 */
const KEYS = learnKeys();

/** Every route of the controllers of a container, without the global prefix. */
export function guardedRoutes(modules: ModulesContainer): GuardedRoute[] {
  return [...modules.values()].flatMap(({ metatype, controllers }) => {
    const prefix = modulePath(metatype, modules.applicationId);
    return [...controllers.values()].flatMap(({ metatype: controller }) =>
      typeof controller === 'function' ? routesOf(controller as Type, prefix) : [],
    );
  });
}

function routesOf(controller: Type, prefix: string): GuardedRoute[] {
  const prototype = controller.prototype as Readonly<Record<string, object>>;
  const bases = texts(read(controller, KEYS.path));
  return new MetadataScanner().getAllMethodNames(prototype).flatMap((name) => {
    const handler = prototype[name]!;
    const method = read<RequestMethod | undefined>(handler, KEYS.method);
    if (method === undefined) return [];
    const guards = [controller, handler].flatMap((on) => read<unknown[]>(on, KEYS.guards) ?? []);
    const version =
      read<VersionValue | undefined>(handler, KEYS.version) ??
      read<VersionValue | undefined>(controller, KEYS.version);
    return bases.flatMap((base) =>
      texts(read(handler, KEYS.path)).map((path) => ({
        path: joined(prefix, base, path),
        method,
        guards,
        ...(version !== undefined && { version: version }),
      })),
    );
  });
}

function read<Value>(target: object, key: unknown): Value {
  return Reflect.getMetadata(key, target) as Value;
}

function texts(value: unknown): string[] {
  return [value].flat().filter((one): one is string => typeof one === 'string');
}

function joined(...parts: readonly string[]): string {
  return `/${parts
    .flatMap((part) => part.split('/'))
    .filter(Boolean)
    .join('/')}`;
}

/** Where `RouterModule` has mounted a module in this container. */
function modulePath(metatype: object, applicationId: string): string {
  const key = Reflect.getMetadataKeys(metatype).find((name) =>
    String(name).endsWith(applicationId),
  ) as unknown;
  const path = key === undefined ? undefined : read<unknown>(metatype, key);
  return typeof path === 'string' ? path : '';
}

function learnKeys() {
  class Guard {
    canActivate = (): boolean => true;
  }
  @Controller({ path: 'probe', version: 'probed' })
  @UseGuards(Guard)
  class Probe {
    @Get('probe')
    @Version('probed')
    method(): void {}
  }
  const route = Probe.prototype.method;
  const keyOf = (target: object, isIt: (value: unknown) => boolean): unknown =>
    Reflect.getMetadataKeys(target).find((key) => isIt(Reflect.getMetadata(key, target)));
  return {
    path: keyOf(route, (value) => value === 'probe'),
    method: keyOf(route, (value) => value === RequestMethod.GET),
    version: keyOf(route, (value) => value === 'probed'),
    guards: keyOf(Probe, (value) => Array.isArray(value) && value[0] === Guard),
  };
}
