import { Injectable } from '@nestjs/common';
import type { CanActivate, ExecutionContext, INestApplicationContext, Type } from '@nestjs/common';
import { HttpAdapterHost, ModuleRef } from '@nestjs/core';

import type { AdminGranted } from '../auth/admin/admin-responses.js';
import { AuthService } from '../auth/auth.service.js';
import { withLazyClients } from '../auth/clients/lazy-clients.js';
import { ApiClients } from '../auth/clients/shop-clients.js';
import { TokenManager } from '../auth/tokens/token-manager.js';
import { PlatformConfig } from '../core/config/platform-config.js';
import { nodeRequest } from '../core/http/node-http.js';
import type { NodeRequest } from '../core/http/node-http.js';
import { attachRequest } from '../core/session-request.js';
import { requestIn } from '../integrations/nest/guarded-request.js';
import { AuthenticatedSessionGuard } from '../integrations/nest/session.guard.js';
import { RequestContexts } from '../platform/host/request-context.js';
import { getPlatformToken } from '../platform/nest/platform-tokens.js';
import { Session } from '../sessions/session.js';

/** The session of a test's requests: a session, or the shop whose stored offline session it is. */
export type GrantedSession = Session | string;

/** Where the objects of an app come from: a Nest app, a testing module, or a `ModuleRef`. */
type ObjectsOfApp = Pick<INestApplicationContext, 'get'>;

/**
 * Grants a request a session, as `AuthenticatedSessionGuard` does for a valid session token: for a
 * guard that a test puts in its place.
 * @param app where the objects of the app are, such as a `ModuleRef`
 * @param name of the app. @default the unnamed app
 * @throws {SessionNotFoundError} when it is a shop that has no session
 * @example
 * overrideGuard(AuthenticatedSessionGuard).useValue({ canActivate: (context) => grantSession(context, app, 'dev-shop.myshopify.com') })
 */
export async function grantSession(
  context: ExecutionContext,
  app: ObjectsOfApp,
  session: GrantedSession,
  name?: string,
): Promise<true> {
  const get = <T>(token: abstract new (...args: never[]) => T): T =>
    app.get<T>(getPlatformToken(token, name), { strict: false });
  const config = get(PlatformConfig);
  const found = typeof session === 'string' ? await get(TokenManager).session(session) : session;
  const own = new Session(found);
  attachRequest(own, { app: config });
  const granted: AdminGranted = withLazyClients(
    { kind: 'granted' as const, session: own, headers: [] },
    get(ApiClients).for(own),
    ['admin', 'storefront'],
  );
  const request = requestIn(context) ?? { method: 'POST', url: '/', headers: {} };
  const inbound = nodeRequest((request.raw ?? request) as NodeRequest, config);
  const host = app.get(HttpAdapterHost, { strict: false });
  const Guard = AuthenticatedSessionGuard.of(name ?? AuthenticatedSessionGuard.app);
  const guard = new Guard(get(AuthService), config, get(RequestContexts), host);
  return guard.letIn(context, inbound, granted);
}

/**
 * A guard that lets every request in with one session, for a test's
 * `overrideGuard(AuthenticatedSessionGuard).useClass(SessionGrantingGuard.for(shop))`.
 */
@Injectable()
export abstract class SessionGrantingGuard implements CanActivate {
  constructor(private readonly objects: ModuleRef) {}

  protected abstract readonly session: GrantedSession;
  protected readonly name: string | undefined;

  /**
   * The guard for a session, or for the shop whose stored offline session it is.
   * @param name of the app. @default the unnamed app
   */
  static for(session: GrantedSession, name?: string): Type<CanActivate> {
    @Injectable()
    class GuardWithSession extends SessionGrantingGuard {
      protected override readonly session = session;
      protected override readonly name = name;
    }
    return GuardWithSession;
  }

  /** Rejects as {@link grantSession} throws. */
  canActivate(context: ExecutionContext): Promise<boolean> {
    return grantSession(context, this.objects, this.session, this.name);
  }
}
