import type { ArgumentsHost, ExecutionContext } from '@nestjs/common';
import { MetadataScanner, Reflector } from '@nestjs/core';

import type { AccessMode } from '../../core/config/config.options.js';

const reflector = new Reflector();

/** Each app's has a place of its own, so that one app does not take away that of another. */
export const accessModeKey = (app: string): symbol => Symbol.for(`shopwright:${app}:ACCESS_MODE`);
/** As {@link accessModeKey}, of what becomes of requests without a session. */
export const strategyKey = (app: string): symbol => Symbol.for(`shopwright:${app}:UNAUTHENTICATED`);

/** What a handler, or else its controller, is marked with; `undefined` in filters. */
export function markOn<Mark>(
  host: ArgumentsHost & Partial<ExecutionContext>,
  key: symbol,
): Mark | undefined {
  const handler = host.getHandler?.();
  return handler && reflector.getAllAndOverride<Mark>(key, [handler, host.getClass!()]);
}

/** The access mode that a handler asks for. */
export function accessModeOn(host: ArgumentsHost, app: string): AccessMode | undefined {
  return markOn(host, accessModeKey(app));
}

/** A class that Nest may have made objects of. */
type Marked = object & { readonly name: string; readonly prototype?: object | undefined };

/**
 * The marks that count for the handlers of a class, with the name of what has them, for checks at
 * boot: that of a handler replaces that of its class.
 */
export function marksOf<Mark>(
  given: unknown,
  key: symbol,
): { readonly place: string; readonly mark: Mark }[] {
  const { name, prototype } = typeof given === 'function' ? (given as Marked) : { name: '' };
  if (!prototype) return [];
  const methods = prototype as Readonly<Record<string, object>>;
  const ofClass = Reflect.getMetadata(key, prototype.constructor) as Mark | undefined;
  const marks = new Map<string, Mark>();
  for (const method of new MetadataScanner().getAllMethodNames(prototype)) {
    const handler = methods[method]!;
    // What no decorator has marked handles nothing.
    if (Reflect.getMetadataKeys(handler).length === 0) continue;
    const own = Reflect.getMetadata(key, handler) as Mark | undefined;
    const mark = own ?? ofClass;
    if (mark !== undefined) marks.set(own === undefined ? name : `${name}.${method}`, mark);
  }
  return Array.from(marks, ([place, mark]) => ({ place, mark }));
}
