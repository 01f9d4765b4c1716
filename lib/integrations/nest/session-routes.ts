import { Reflector } from '@nestjs/core';
import type { ArgumentsHost, ExecutionContext } from '@nestjs/common';

import type { AuthResponse } from '../../auth/responses/auth-responses.js';
import type { AccessMode } from '../../core/config/config.options.js';

/**
 * What becomes of a request that has no session. `redirect` answers in the way that the kind of
 * request allows: a page is led to where its session can be had, a `fetch` gets what App Bridge
 * understands. `deny` answers with a status, 401 where the request would be led elsewhere, and the
 * reason as JSON; never with a redirect or a page. A function decides by itself: it may throw an
 * exception of the app's, or answer with true to let the request through without a session.
 */
export type UnauthenticatedStrategy =
  | 'redirect'
  | 'deny'
  | ((refused: AuthResponse, context: ExecutionContext) => boolean | Promise<boolean>);

/** What decorators say about a value of each app, wherever it is asked for. */
class RouteMark<Value> {
  constructor(private readonly name: string) {}

  /** Each app's has a place of its own, so that one app does not take away that of another. */
  key(app: string): symbol {
    return Symbol.for(`shopwright:${app}:${this.name}`);
  }

  /** That of the handler, else that of its controller; `undefined` in filters. */
  of(host: ArgumentsHost & Partial<ExecutionContext>, app: string): Value | undefined {
    const handler = host.getHandler?.();
    const controller = host.getClass?.();
    return handler && controller
      ? reflector.getAllAndOverride<Value | undefined>(this.key(app), [handler, controller])
      : undefined;
  }
}

const reflector = new Reflector();

/** The access mode that a handler asks for. */
export const ACCESS_MODE = new RouteMark<AccessMode>('ACCESS_MODE');
/** What becomes of requests to a handler that have no session. */
export const ON_UNAUTHENTICATED = new RouteMark<UnauthenticatedStrategy>('ON_UNAUTHENTICATED');
