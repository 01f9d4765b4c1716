import { Inject } from '@nestjs/common';
import type { InjectionToken } from '@nestjs/common';

import { PlatformApi } from '../api/platform.api.js';
import { getPlatformToken } from './platform-tokens.js';

/**
 * Injects the library object of an app, `PlatformApi`: clients, sessions, webhooks, billing and
 * `utils` behind one name.
 * @param app name of the app. @default the unnamed app
 * @example
 * constructor(@InjectPlatform() private readonly platform: PlatformApi) {}
 */
export function InjectPlatform(app?: string): ParameterDecorator & PropertyDecorator {
  return Inject(getPlatformToken(PlatformApi, app) as InjectionToken);
}
