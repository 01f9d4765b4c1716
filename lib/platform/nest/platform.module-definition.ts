import { ConfigurableModuleBuilder, Logger } from '@nestjs/common';

import { InvalidOptionsError } from '../../core/core.errors.js';
import { assemble } from './platform-module.factory.js';
import type { PlatformExtras } from './platform-module.factory.js';
import { PlatformKernel, createKernel } from '../kernel/platform-kernel.js';
import type { PlatformOptions } from '../kernel/platform.options.js';
import { DEFAULT_APP } from './platform-tokens.js';

const EXTRAS: Required<PlatformExtras> = {
  name: DEFAULT_APP,
  paths: undefined,
  isGlobal: undefined,
  rooms: [],
};

/** Injection token of the options as the app passed them. */
const PLATFORM_OPTIONS = Symbol.for('shopwright:OPTIONS');

export const { ConfigurableModuleClass, OPTIONS_TYPE, ASYNC_OPTIONS_TYPE } =
  new ConfigurableModuleBuilder<PlatformOptions>({
    moduleName: 'Platform',
    optionsInjectionToken: PLATFORM_OPTIONS,
  })
    .setClassMethodName('forRoot')
    .setExtras<PlatformExtras>(EXTRAS, (root, extras) =>
      assemble(
        root,
        {
          imports: root.imports,
          providers: [
            ...(root.providers ?? []),
            {
              provide: PlatformKernel,
              useFactory: (options: PlatformOptions) => {
                refuseExtrasIn(options);
                return createKernel(
                  { ...options, paths: extras.paths },
                  { logger: new Logger('shopwright') },
                );
              },
              inject: [PLATFORM_OPTIONS],
            },
          ],
        },
        extras,
      ),
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
