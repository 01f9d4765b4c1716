import type { IncomingHttpHeaders } from 'node:http';

import type { ArgumentsHost } from '@nestjs/common';

/**
 * The request that a guard authenticates, as far as it reads it: that of Express, that of Fastify,
 * or an object of the app's own for a transport without HTTP.
 */
export interface GuardedRequest {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly originalUrl?: string | undefined;
  /** By lower-case name. */
  readonly headers: IncomingHttpHeaders;
  /** The request of Node's, where a framework wraps it. */
  readonly raw?: GuardedRequest | undefined;
}

/**
 * A request that consists of a session token, for guards of gateways and message handlers whose
 * messages bring one.
 * @param token as it was received; anything but a text is treated as a missing token
 * @example
 * getRequest(context: ExecutionContext) { return sessionTokenRequest(context.switchToWs().getData()?.token); }
 */
export function sessionTokenRequest(token: unknown): GuardedRequest {
  const headers = typeof token === 'string' ? { authorization: `Bearer ${token}` } : {};
  return { method: 'POST', url: '/', headers };
}

/** The argument of a resolver that is its context. */
const GRAPHQL_CONTEXT = 2;

type Loose = Readonly<Record<string, unknown>>;
const inside = (value: unknown, name: string): unknown =>
  isObject(value) ? (value as Loose)[name] : undefined;

/**
 * The HTTP request behind a handler of any transport: of a route, of the operation of a resolver,
 * or with which the socket of a gateway was opened; `undefined` when there is none.
 */
export function requestIn(host: ArgumentsHost): GuardedRequest | undefined {
  switch (host.getType<string>()) {
    case 'graphql': {
      const context = host.getArgByIndex<unknown>(GRAPHQL_CONTEXT);
      return [
        inside(context, 'req'),
        inside(context, 'request'),
        inside(inside(context, 'reply'), 'request'),
        inside(inside(context, 'extra'), 'request'),
        // Of a subscription, where `context` is left to `@nestjs/apollo`.
        inside(inside(inside(context, 'req'), 'extra'), 'request'),
      ].find(isRequest);
    }
    case 'ws': {
      const client = host.getArgByIndex<unknown>(0);
      return [inside(client, 'request'), inside(client, 'upgradeReq')].find(isRequest);
    }
    case 'rpc':
      return undefined;
    default: {
      const request = host.getArgByIndex<unknown>(0);
      return isRequest(request) ? request : undefined;
    }
  }
}

/**
 * The object that stands for one call of a handler, in its guards as well as in its parameters: the
 * request, the context of an operation, or a message. A message that is no object has its client.
 */
export function carrierOf(host: ArgumentsHost): object {
  switch (host.getType<string>()) {
    case 'graphql':
      return host.getArgByIndex<object>(GRAPHQL_CONTEXT);
    case 'ws':
      return [messageOf(host), host.getArgByIndex<unknown>(0)].find(isObject)!;
    case 'rpc':
      return [host.getArgByIndex<unknown>(1), host.getArgByIndex<unknown>(0)].find(isObject)!;
    default:
      return host.getArgByIndex<object>(0);
  }
}

/** What tells messages apart that share a carrier: those of a client that are no objects. */
export function messageOf(host: ArgumentsHost): unknown {
  return host.getType<string>() === 'ws' ? host.getArgByIndex<unknown>(1) : undefined;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function isRequest(value: unknown): value is GuardedRequest {
  return isObject(inside(value, 'headers'));
}
