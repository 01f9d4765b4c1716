import type { OnModuleInit } from '@nestjs/common';
import type { DiscoveryService, MetadataScanner } from '@nestjs/core';

import { findHandlers, instanceFor } from '../../core/nest/handler.explorer.js';
import type { HandlerHost } from '../../core/nest/handler.explorer.js';
import { LIFECYCLE_MARKS } from './lifecycle.decorator.js';
import { InvalidLifecycleHandlerError } from './lifecycle.errors.js';
import type { LifecycleHandler, LifecycleHandlers } from './lifecycle-handlers.js';

type Methods = Readonly<Record<string, unknown>>;

/**
 * Finds the methods that `@OnInstalled` and the other decorators mark, and adds them to the
 * handlers. It never runs one.
 */
export class LifecycleExplorer implements OnModuleInit {
  constructor(
    readonly app: string,
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly handlers: LifecycleHandlers,
  ) {}

  /**
   * @throws {InvalidLifecycleHandlerError} naming a handler that cannot run, or whose app does not
   * exist
   */
  onModuleInit(): void {
    const found = findHandlers(this.discovery, this.app, {
      Explorer: LifecycleExplorer,
      markedMethods: (prototype) =>
        this.scanner
          .getAllMethodNames(prototype)
          .map((method) => ({ method, marks: LIFECYCLE_MARKS.on((prototype as Methods)[method]) })),
      misplacedOn: (constructor) => LIFECYCLE_MARKS.misplacedOn(constructor),
      does: 'handles events of installations',
      InvalidHandlerError: InvalidLifecycleHandlerError,
    });
    for (const { name, method, host, marks } of found) {
      for (const { event } of marks)
        this.handlers.add(event, { name, run: runnerOf(host, method) });
    }
  }
}

function runnerOf(host: HandlerHost, method: string): LifecycleHandler['run'] {
  const call = (instance: object, context: object): unknown =>
    (instance as Record<string, (context: object) => unknown>)[method]!(context);
  if ('instance' in host) return (context) => call(host.instance, context);
  return async (context) => call(await instanceFor(context, host), context);
}
