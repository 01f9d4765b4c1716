import 'reflect-metadata';

import { Body } from '@nestjs/common';
import type { PipeTransform, Type } from '@nestjs/common';

/** What a parameter decorator takes besides a property: a pipe, or a class of pipes. */
type Pipe = PipeTransform | Type<PipeTransform>;

const INDEXES = Symbol.for('shopwright:PAYLOAD_PARAMETERS');

const { key, bodyType } = probed();

/** The metadata key under which Nest keeps the parameter decorators of a method. */
export const PARAMETERS: string = key;

/** The type that Nest gives to parameters decorated with its `@Body()`. */
const BODY_TYPE: string = bodyType;

/**
 * The parsed body of a delivery, or one property of it, in a `@WebhookHandler` method. Pipes get it
 * as they get the `@Body()` of a route, so that a `ValidationPipe` validates it against the class
 * it is declared as.
 * @example
 * onProduct(@Payload() product: ProductDto, @Payload('id', ParseIntPipe) id: number) {}
 */
export function Payload(...pipes: Pipe[]): ParameterDecorator;
export function Payload(property: string, ...pipes: Pipe[]): ParameterDecorator;
export function Payload(...given: (string | Pipe)[]): ParameterDecorator {
  const asBody = Body(...(given as [string, ...Pipe[]]));
  return (target, name, index) => {
    asBody(target, name, index);
    const { constructor } = target;
    Reflect.defineMetadata(INDEXES, [...indexesOn(constructor, name!), index], constructor, name!);
  };
}

/** True when parameters of the method are decorated: without any, it gets the delivery alone. */
export function hasParameters({ constructor }: object, method: string): boolean {
  return parametersOf(constructor, method).length > 0;
}

/**
 * The positions of a method's arguments whose decorators read an HTTP request, such as `@Req()` or
 * Nest's own `@Body()`.
 */
export function foreignParameters({ constructor }: object, method: string): number[] {
  const own = new Set(indexesOn(constructor, method).map((index) => `${BODY_TYPE}:${index}`));
  return parametersOf(constructor, method).flatMap(([key, { index, factory }]) =>
    factory || own.has(key) ? [] : [index],
  );
}

/**
 * The positions of a method's arguments that nothing would be passed for: no decorator says what
 * they are. A method without decorated arguments gets the delivery as its first one.
 */
export function emptyParameters(prototype: object, method: string): number[] {
  const decorated = parametersOf(prototype.constructor, method).map(([, { index }]) => index);
  // More arguments of another method may be for code of the app that calls it.
  if (decorated.length === 0 && method !== 'handle') return [];
  const passed = new Set(decorated.length > 0 ? decorated : [0]);
  // An argument that has a default value needs nothing, and is not counted.
  const { length } = (prototype as Readonly<Record<string, (...args: unknown[]) => unknown>>)[
    method
  ]!;
  return Array.from({ length }, (_, index) => index).filter((index) => !passed.has(index));
}

/** Reads what Nest asks for when it finds `@Payload()`. */
export const PAYLOAD_PARAMETERS = {
  exchangeKeyForValue(
    _type: number,
    property: unknown,
    [{ payload }]: [{ readonly payload: unknown }],
  ): unknown {
    if (typeof property !== 'string') return payload;
    return (payload as Readonly<Record<string, unknown>> | null)?.[property];
  },
};

interface ParameterMetadata {
  readonly index: number;
  /** Of a decorator made with `createParamDecorator`, which reads the context. */
  readonly factory?: unknown;
}

function parametersOf(constructor: object, method: string): [string, ParameterMetadata][] {
  return Object.entries(
    (Reflect.getMetadata(PARAMETERS, constructor, method) ?? {}) as Record<
      string,
      ParameterMetadata
    >,
  );
}

function indexesOn(constructor: object, method: string | symbol): readonly number[] {
  return (Reflect.getMetadata(INDEXES, constructor, method) ?? []) as readonly number[];
}

/** What Nest does not export, learned by applying one of its decorators. */
function probed(): { readonly key: string; readonly bodyType: string } {
  class Probe {
    method(): void {}
  }
  Body()(Probe.prototype, 'method', 0);
  const key = Reflect.getMetadataKeys(Probe, 'method')[0] as string;
  const [parameter] = Object.keys(Reflect.getMetadata(key, Probe, 'method') as object);
  return { key, bodyType: parameter!.split(':')[0]! };
}
