import type { DynamicModule, Type } from '@nestjs/common';
import type { ApplicationConfig } from '@nestjs/core';

import { isRecord } from '../core/json.js';
import type { PlatformApi } from '../platform/api/platform.api.js';
import { AppNotFoundError, UsageError } from './cli.errors.js';
import { wantedExports } from './module-exports.js';

/** An app a command works on, such as what `platformApp()` of any host returns. */
interface LoadedApp {
  readonly api: PlatformApi;
  close(): Promise<void>;
}

type NestModule = Type | DynamicModule;

/**
 * Loads the app a module exports: what `platformApp()` returned, or a Nest module, whose container
 * is built without a server.
 * @param target a path, with `#name` behind it when the module exports several apps
 * @throws {AppNotFoundError} when the module cannot be loaded or exports no app
 * @throws {UsageError} when an option does not fit the app, or a Nest module needs a prefix
 */
export async function loadApp(target: string, options: LoadOptions = {}): Promise<LoadedApp> {
  const [path = '', name] = target.split('#', 2);
  const found = await exportOf(path, name);
  const { app, prefix, needsPaths = false } = options;
  if (!isLoadedApp(found)) {
    if (needsPaths && prefix === undefined)
      throw new UsageError(
        `${target} is a Nest module, whose addresses depend on the global prefix of its server: say --prefix <path>, as in app.setGlobalPrefix(), or --prefix / when there is none or the webhook path is excluded from it.`,
      );
    return openNest(found, app, prefix);
  }
  const unfit = app !== undefined ? '--app' : prefix !== undefined ? '--prefix' : undefined;
  if (unfit !== undefined)
    throw new UsageError(
      `${target} exports what platformApp() returned: it is one app, and takes no ${unfit}.`,
    );
  return found;
}

/** How {@link loadApp} opens an app. */
interface LoadOptions {
  /** Name of the app in a Nest module. @default the unnamed one */
  readonly app?: string | undefined;
  /** The global prefix of a Nest app, which its server sets outside the module. */
  readonly prefix?: string | undefined;
  /** Whether the command uses addresses of the app: then a Nest module needs the prefix. */
  readonly needsPaths?: boolean | undefined;
}

async function exportOf(path: string, name: string | undefined): Promise<LoadedApp | NestModule> {
  const apps = await wantedExports(path, { isWanted: isApp, name, refusal: AppNotFoundError });
  const [first, ...others] = preferred(apps);
  if (!first) {
    const what = name === undefined ? 'no app' : `no app called "${name}"`;
    throw new AppNotFoundError(
      `${path} exports ${what}: export what platformApp() returned, or the class of a Nest module.`,
    );
  }
  if (others.length === 0) return first[1];
  const names = [first, ...others].map(([exportName]) => `${path}#${exportName}`);
  throw new AppNotFoundError(
    `${path} exports several apps. Name one of them: ${names.join(', ')}.`,
  );
}

/** The default export if there is one, else all of them. */
function preferred<T>(apps: [string, T][]): [string, T][] {
  const chosen = apps.filter(([name]) => name === 'default');
  return chosen.length > 0 ? chosen : apps;
}

async function openNest(
  module: NestModule,
  app: string | undefined,
  prefix: string | undefined,
): Promise<LoadedApp> {
  const { ApplicationConfig, NestFactory } = await import('@nestjs/core');
  const { apiTokenOf } = await import('../platform/nest/platform-tokens.js');
  const opened = prefix === undefined ? module : prefixed(module, ApplicationConfig, prefix);
  const context = await NestFactory.createApplicationContext(opened, {
    logger: ['error', 'warn'],
    abortOnError: false,
  });
  try {
    const api = context.get<PlatformApi>(apiTokenOf(app), { strict: false });
    return { api, close: () => context.close() };
  } catch (cause) {
    await context.close();
    throw new AppNotFoundError(
      `The Nest module has no ${app === undefined ? 'PlatformModule' : `app called "${app}"`}.`,
      { cause },
    );
  }
}

/** The module in one that sets the global prefix before anything is initialised. */
function prefixed(
  module: NestModule,
  config: Type<ApplicationConfig>,
  prefix: string,
): DynamicModule {
  return {
    module: class Command {},
    imports: [module],
    providers: [
      {
        provide: Symbol('shopwright:PREFIX'),
        inject: [config],
        useFactory: (given: ApplicationConfig) => given.setGlobalPrefix(prefix),
      },
    ],
  };
}

function isApp(value: unknown): value is LoadedApp | NestModule {
  return isLoadedApp(value) || isNestModule(value);
}

function isLoadedApp(value: unknown): value is LoadedApp {
  return (
    isRecord(value) &&
    typeof value['close'] === 'function' &&
    isRecord(value['api']) &&
    'migrateTokens' in Object(value['api']['auth'])
  );
}

/** The metadata that `@Module` sets on a class. */
const MODULE_METADATA = ['imports', 'providers', 'controllers', 'exports'];

function isNestModule(value: unknown): value is NestModule {
  if (isRecord(value)) return typeof value['module'] === 'function';
  return (
    typeof value === 'function' &&
    MODULE_METADATA.some((key) => Reflect.hasMetadata?.(key, value) ?? false)
  );
}
