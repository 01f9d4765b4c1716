import 'reflect-metadata';

import { Inject, mixin } from '@nestjs/common';
import type { CanActivate, InjectionToken, Type } from '@nestjs/common';

import type { Token } from '../../core/binding.js';
import type { Untyped } from '../../core/json.js';
import { getPlatformToken } from '../../platform/nest/platform-tokens.js';

/** A guard of the toolkit. */
export interface PlatformGuardClass extends Type<CanActivate> {
  /** What of its dependencies each app has of its own. */
  readonly perApp: readonly Token[];
}

/** The guards of named apps, each made once: so `overrideGuard(Guard.of('b'))` finds it. */
const NAMED = new WeakMap<object, Map<string, PlatformGuardClass>>();

/** A guard whose dependencies are those of a named app. */
export function namedGuard<Guard extends PlatformGuardClass>(base: Guard, app: string): Guard {
  const known = NAMED.get(base) ?? new Map<string, PlatformGuardClass>();
  NAMED.set(base, known);
  let guard = known.get(app);
  if (!guard) known.set(app, (guard = makeGuard(base, app)));
  return guard as unknown as Guard;
}

function makeGuard(base: PlatformGuardClass, app: string): PlatformGuardClass {
  class NamedGuard extends (base as new (...injected: Untyped[]) => CanActivate) {
    static readonly app: string = app;
  }
  const injected = (Reflect.getMetadata('design:paramtypes', base) ?? []) as Token[];
  for (const [index, token] of injected.entries())
    if (base.perApp.includes(token))
      Inject(getPlatformToken(token, app) as InjectionToken)(NamedGuard, undefined, index);
  return mixin(NamedGuard) as unknown as PlatformGuardClass;
}
