import type { ServerResponse } from 'node:http';

import type { HeaderList } from '../../core/decision.js';
import { mergeHeaders } from '../../core/http/inbound-request.js';
import type { Session } from '../../sessions/session.js';
import type { ExpressHandler, ExpressRequest, ExpressResponse } from './express-handler.js';
import './express-locals.js';

/**
 * Puts headers on a response that the app will finish: cookies and policies it has already stay.
 */
export function addHeaders(res: ServerResponse, headers: HeaderList = []): void {
  mergeHeaders(
    {
      get: (name) => res.getHeader(name)?.toString(),
      set: (name, value) => void res.setHeader(name, value),
      append: (name, value) => void res.appendHeader(name, value),
    },
    headers,
  );
}

/** Keeps the session for the handlers that come after, at `res.locals.shopify.session`. */
export function remember(res: ExpressResponse, session: Session): void {
  res.locals.shopify = { ...res.locals.shopify, session };
}

/** The session that a handler before has kept. */
export function sessionOf(res: ExpressResponse): Session | undefined {
  const locals: Partial<ExpressResponse['locals']> = res.locals;
  return locals.shopify?.session;
}

/** True when no handler of the same route would come after `handler`. */
export function isLastOfItsRoute(handler: ExpressHandler, req: ExpressRequest): boolean {
  const { stack } = (req.route ?? {}) as {
    stack?: readonly { handle: unknown; method?: string }[];
  };
  return stack?.filter(({ method }) => !method || method === 'get').at(-1)?.handle === handler;
}
