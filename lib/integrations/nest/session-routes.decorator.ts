import { SetMetadata, UseGuards, applyDecorators } from '@nestjs/common';
import type { CanActivate, Type } from '@nestjs/common';

import { DEFAULT_APP } from '../../platform/nest/platform-tokens.js';
import { ACCESS_MODE, ON_UNAUTHENTICATED } from './session-routes.js';
import type { UnauthenticatedStrategy } from './session-routes.js';
import { AuthenticatedSessionGuard } from './session.guard.js';

/** Whose session guard a decorator brings along. */
export interface SessionRouteOptions {
  /** Name of the app whose sessions are meant. @default the unnamed app */
  readonly app?: string | undefined;
  /**
   * The guard that finds the session, such as one that overrides `getRequest()`; it has to be a
   * guard of the same `app`, as one of `YourGuard.of(app)` is. @default `AuthenticatedSessionGuard`
   * of the app
   */
  readonly guard?: Type<CanActivate> | undefined;
}

type RouteDecorator = ClassDecorator & MethodDecorator;

/**
 * The handler gets the session of the user, whatever `useOnlineTokens` says; goes on a handler or a
 * controller, and brings `AuthenticatedSessionGuard` along. What a handler says counts before what
 * its controller says. For apps in the admin; any other is refused at boot, as its cookie names a
 * session of one access mode.
 * @see
 * https://shopify.dev/docs/apps/build/authentication-authorization/access-tokens/online-access-tokens
 * @example
 * @UseOnlineSession()
 * @Get('mine') mine(@CurrentSession() session: Session) {}
 */
export function UseOnlineSession(options: SessionRouteOptions = {}): RouteDecorator {
  return marked(options, (app) => SetMetadata(ACCESS_MODE.key(app), 'online'));
}

/**
 * The handler gets the app's own session in the shop, whatever `useOnlineTokens` says; otherwise as
 * {@link UseOnlineSession}.
 * @see
 * https://shopify.dev/docs/apps/build/authentication-authorization/access-tokens/offline-access-tokens
 */
export function UseOfflineSession(options: SessionRouteOptions = {}): RouteDecorator {
  return marked(options, (app) => SetMetadata(ACCESS_MODE.key(app), 'offline'));
}

/**
 * Says what becomes of requests without a session; goes on a handler or a controller, and brings
 * `AuthenticatedSessionGuard` along. What a handler says counts before what its controller says.
 * @example
 * @OnUnauthenticated('deny')
 * @Get('api/products') products(@AdminApi() admin: AdminContext) {}
 */
export function OnUnauthenticated(
  strategy: UnauthenticatedStrategy,
  options: SessionRouteOptions = {},
): RouteDecorator {
  return marked(options, (app) => SetMetadata(ON_UNAUTHENTICATED.key(app), strategy));
}

function marked(
  { app = DEFAULT_APP, guard = AuthenticatedSessionGuard.of(app) }: SessionRouteOptions,
  mark: (app: string) => RouteDecorator,
): RouteDecorator {
  return applyDecorators(mark(app), UseGuards(guard)) as RouteDecorator;
}
