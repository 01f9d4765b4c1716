import 'reflect-metadata';

import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate } from 'node:timers/promises';

import { Logger } from '@nestjs/common';
import type { LoggerService, ModuleMetadata } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';

import { LogSeverity, PlatformLogger } from '../../core/logger.js';
import type { AnyNestModule, Container } from './lazy-container.js';
import type { Resolver } from '../kernel/resolver.js';
import { PlatformRootModule } from './platform-root.module.js';

/** Starts a container over the objects of an app, together with the app's own modules. */
export async function bootContainer(
  app: Resolver,
  modules: readonly AnyNestModule[],
): Promise<Container> {
  const imports = [PlatformRootModule.over(app), ...modules] as NonNullable<
    ModuleMetadata['imports']
  >;
  return quietly(app.get(PlatformLogger), () => {
    // A factory of our own: `abortOnError` lives on the instance, and the shared one belongs to the
    // app's own boot.
    const factory = new (NestFactory.constructor as new () => typeof NestFactory)();
    return factory.createApplicationContext(
      { module: class ShopwrightContainer {}, imports },
      { abortOnError: false, logger: SPLITTER },
    );
  });
}

/** Reads and writes the logger of the process, which Nest keeps in a protected static. */
class ProcessLogger extends Logger {
  static get current(): LoggerService | undefined {
    return Logger.staticInstanceRef;
  }

  static set current(logger: LoggerService | undefined) {
    // Nest declares the field without `undefined`, though it is undefined when logging is switched
    // off.
    (Logger as unknown as { staticInstanceRef: LoggerService | undefined }).staticInstanceRef =
      logger;
  }
}

/** The boots under way, and the logger the process had before the first of them. */
const boots = new Set<PlatformLogger>();
let before: LoggerService | undefined;
const booting = new AsyncLocalStorage<PlatformLogger>();

// Test runners that give each file a realm of its own lose the asynchronous context: there, what
// says where it comes from is enough.
const BOOT_CONTEXTS: ReadonlySet<unknown> = new Set(['NestFactory', 'InstanceLoader']);

const line =
  (level: 'log' | 'error' | 'warn' | 'debug' | 'verbose' | 'fatal') =>
  (message: unknown, ...optional: unknown[]): void => {
    const ours =
      booting.getStore() ??
      (level === 'log' && BOOT_CONTEXTS.has(optional.at(-1)) ? [...boots].at(-1) : undefined);
    if (ours) ours.log(LogSeverity.Debug, String(message));
    else before?.[level]?.(message, ...optional);
  };

/**
 * Sends the lines of our boots to our loggers, at debug level, and those of a Nest app that boots
 * beside them to that app's logger.
 */
const SPLITTER: LoggerService = {
  log: line('log'),
  error: line('error'),
  warn: line('warn'),
  debug: line('debug'),
  verbose: line('verbose'),
  fatal: line('fatal'),
};

/**
 * Runs a boot without a word on the process's own logger; afterwards the process logs as before.
 */
async function quietly<T>(ours: PlatformLogger, boot: () => Promise<T>): Promise<T> {
  if (ProcessLogger.current !== SPLITTER) before = ProcessLogger.current;
  boots.add(ours);
  try {
    return await booting.run(ours, boot);
  } catch (error) {
    // Modules that were being initialised beside the one that failed still have a line to write.
    await setImmediate();
    throw error;
  } finally {
    boots.delete(ours);
    // An app that set a logger of its own meanwhile keeps it.
    if (boots.size === 0 && ProcessLogger.current === SPLITTER) ProcessLogger.current = before;
  }
}
