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
const GIVEN_OPTIONS = Symbol.for('shopwright:OPTIONS');

export const { ConfigurableModuleClass, OPTIONS_TYPE, ASYNC_OPTIONS_TYPE } =
  new ConfigurableModuleBuilder<PlatformOptions>({
    moduleName: 'Platform',
    optionsInjectionToken: GIVEN_OPTIONS,
  })
    .setClassMethodName('forRoot')
    .setExtras<PlatformExtras>(EXTRAS, (root, extras) =>
      appModule(root, extras, {
        imports: root.imports,
        providers: [
          ...(root.providers ?? []),
          {
            provide: getPlatformToken(PLATFORM_OPTIONS, extras.name),
            useFactory: (options: PlatformOptions) => {
              refuseExtrasIn(options);
              return { ...options, paths: extras.paths };
            },
            inject: [GIVEN_OPTIONS],
          },
          {
            provide: getPlatformToken(HOST_CONTEXT, extras.name),
            useFactory: () => ({ logger: new Logger('shopwright') }),
          },
        ],
        tokens: [PLATFORM_OPTIONS, HOST_CONTEXT],
      }),
    )
    .build();

/**
 * Routes and injection tokens are laid before an async factory runs; what they depend on cannot
 * come out of it.
 */
function refuseExtrasIn(options: object): void {
  const late = Object.keys(EXTRAS).filter((extra) => extra in options);
  if (late.length === 0) return;
  const message = 'comes too late from useFactory: pass it to forRootAsync() beside useFactory';
  throw new InvalidOptionsError(late.map((option) => ({ option, message })));
}

export type PlatformModuleOptions = typeof OPTIONS_TYPE;
export type PlatformModuleAsyncOptions = typeof ASYNC_OPTIONS_TYPE;
