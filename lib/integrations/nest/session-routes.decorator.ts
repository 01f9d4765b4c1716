import { SetMetadata, UseGuards, applyDecorators } from '@nestjs/common';

import { InvalidOptionsError } from '../../core/core.errors.js';
import { DEFAULT_APP } from '../../platform/nest/platform-tokens.js';
import type { RequiresPlanOptions } from './plan.guard.js';
import { accessModeKey, strategyKey } from './session-routes.js';
import { AuthenticatedSessionGuard } from './session.guard.js';
import type { UnauthenticatedStrategy } from './session.guard.js';

/** The app whose sessions are meant, and the guard that a decorator brings along. */
export type SessionRouteOptions = Pick<RequiresPlanOptions, 'app' | 'guard'>;

type RouteDecorator = ClassDecorator & MethodDecorator;

/**
 * The handler, or each of a controller, gets the session of the user, whatever `useOnlineTokens`
 * says; brings `AuthenticatedSessionGuard` along. Refused at boot unless the app is embedded.
 * @see
 * https://shopify.dev/docs/apps/build/authentication-authorization/access-tokens/online-access-tokens
 */
export function UseOnlineSession(options: SessionRouteOptions = {}): RouteDecorator {
  return marked(options, accessModeKey, 'online');
}

/** As {@link UseOnlineSession}, with the app's own session in the shop. */
export function UseOfflineSession(options: SessionRouteOptions = {}): RouteDecorator {
  return marked(options, accessModeKey, 'offline');
}

/**
 * Says what becomes of requests to a handler or controller without a session; brings
 * `AuthenticatedSessionGuard` along.
 * @throws {InvalidOptionsError} for an unknown strategy
 */
export function OnUnauthenticated(
  strategy: UnauthenticatedStrategy,
  options: SessionRouteOptions = {},
): RouteDecorator {
  if (strategy !== 'redirect' && strategy !== 'deny' && typeof strategy !== 'function') {
    const message = `must be given 'redirect', 'deny' or a function`;
    throw new InvalidOptionsError([{ option: '@OnUnauthenticated()', message }]);
  }
  return marked(options, strategyKey, strategy);
}

function marked(
  { app = DEFAULT_APP, guard = AuthenticatedSessionGuard.of(app) }: SessionRouteOptions,
  key: (app: string) => symbol,
  mark: unknown,
): RouteDecorator {
  return applyDecorators(SetMetadata(key(app), mark), UseGuards(guard));
}
