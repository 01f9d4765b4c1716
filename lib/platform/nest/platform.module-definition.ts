import { ConfigurableModuleBuilder, Logger } from '@nestjs/common';

import { InvalidOptionsError } from '../../core/core.errors.js';
import { HOST_CONTEXT, PLATFORM_OPTIONS } from '../kernel/platform.providers.js';
import type { PlatformOptions } from '../kernel/platform.options.js';
import { appModule } from './platform-module.factory.js';
import type { PlatformExtras } from './platform-module.factory.js';
import { DEFAULT_APP, getPlatformToken } from './platform-tokens.js';

const EXTRAS: Required<PlatformExtras> = {
  name: DEFAULT_APP,
  paths: undefined,
  isGlobal: undefined,
  plugins: [],
};

/** Injection token of the options as `forRoot` and `forRootAsync` were given them. */
export const GIVEN_OPTIONS = Symbol.for('shopwright:OPTIONS');
/** Injection token of what was given beside them, for what replaces the options of an app. */
export const GIVEN_EXTRAS = Symbol.for('shopwright:EXTRAS');

export const { ConfigurableModuleClass, OPTIONS_TYPE, ASYNC_OPTIONS_TYPE } =
  new ConfigurableModuleBuilder<PlatformOptions>({
    moduleName: 'Platform',
    optionsInjectionToken: GIVEN_OPTIONS,
  })
    .setClassMethodName('forRoot')
    .setFactoryMethodName('createPlatformOptions')
    .setExtras<PlatformExtras>(EXTRAS, (root, extras) =>
      appModule(root, extras, {
        imports: root.imports,
        providers: [
          ...(root.providers ?? []),
          { provide: GIVEN_EXTRAS, useValue: extras },
          {
            provide: getPlatformToken(PLATFORM_OPTIONS, extras.name),
            useFactory: (options: PlatformOptions | undefined) => {
              refuseExtrasIn(options);
              return { ...options, paths: extras.paths };
            },
            inject: [GIVEN_OPTIONS],
          },
          {
            provide: getPlatformToken(HOST_CONTEXT, extras.name),
            useFactory: () => ({ logger: new Logger(contextOf(extras.name)) }),
          },
        ],
        tokens: [PLATFORM_OPTIONS, HOST_CONTEXT],
      }),
    )
    .build();

/** Under which the log of an app stands. */
function contextOf(app: string = DEFAULT_APP): string {
  return app === DEFAULT_APP ? 'shopwright' : `shopwright:${app}`;
}

/** What `PlatformModule` takes as well, beside the extras of every root module. */
const LATE = [...Object.keys(EXTRAS), 'routes'];

/**
 * Routes and injection tokens are laid before an async factory runs; what they depend on cannot
 * come out of it.
 */
function refuseExtrasIn(options: PlatformOptions | undefined): asserts options is PlatformOptions {
  if (typeof options !== 'object' || options === null)
    throw new InvalidOptionsError([{ option: 'options', message: 'the factory returned none' }]);
  const given: object & Partial<Record<string, unknown>> = { ...options };
  const late = LATE.filter((extra) => given[extra] !== undefined);
  if (late.length === 0) return;
  const message =
    'comes too late from useFactory, useClass or useExisting: pass it to forRootAsync() beside them';
  throw new InvalidOptionsError(late.map((option) => ({ option, message })));
}

/**
 * Makes the options of an app: a class for `forRootAsync({ useClass })` or `useExisting`.
 * @example
 * PlatformModule.forRootAsync({ imports: [ConfigModule], useClass: PlatformConfigService })
 */
export interface PlatformOptionsFactory {
  /** Called once, at boot. `name`, `paths`, `routes`, `isGlobal` and `plugins` stand beside it. */
  createPlatformOptions(): PlatformOptions | Promise<PlatformOptions>;
}

/**
 * The injection token of the options of an app, as its module was given them: override it to have
 * another app in a test.
 * @param app name of the app. @default the unnamed app
 */
export function getPlatformOptionsToken(app?: string): symbol {
  return getPlatformToken(PLATFORM_OPTIONS, app) as symbol;
}

/** What `PlatformModule.forRoot` takes. */
export type PlatformModuleOptions = typeof OPTIONS_TYPE;
/** What `PlatformModule.forRootAsync` takes. */
export type PlatformModuleAsyncOptions = typeof ASYNC_OPTIONS_TYPE;
