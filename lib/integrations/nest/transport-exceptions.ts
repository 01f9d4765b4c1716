import { HttpException } from '@nestjs/common';
import type { ArgumentsHost } from '@nestjs/common';
import { from, mergeMap } from 'rxjs';
import type { Observable } from 'rxjs';

import type { ResponseDecision } from '../../core/decision.js';
import type { InboundRequest } from '../../core/http/inbound-request.js';
import { APP_BRIDGE_HEADERS } from '../../core/vendor.js';
import { MissingDriverError } from '../../sessions/sessions.errors.js';

/**
 * Makes the exception with which a guard ends a request.
 * @param seenAs the request as its response is made for it; default: as it was authenticated
 */
export type Refuse = (decision: ResponseDecision, shop?: string, seenAs?: InboundRequest) => Error;

/** What a client of a transport without HTTP responses is sent about a refused request. */
export interface RefusedMessage {
  readonly status: 'error';
  /** That of the response to an HTTP request. */
  readonly statusCode: number;
  /** Machine-readable, such as `session_token_invalid`. */
  readonly error: string;
  /** For people. */
  readonly message: string;
  /** Where the window has to go so that the shop authorizes the app again, or pays. */
  readonly reauthorizeUrl?: string | undefined;
}

/**
 * The exception of a refused resolver: its `extensions` are those of the GraphQL error, with the
 * code that Apollo and its clients know.
 */
export class RefusedOperationException extends HttpException {
  readonly extensions: Readonly<Record<string, unknown>>;

  constructor({ statusCode, error, message, reauthorizeUrl }: RefusedMessage) {
    super({ statusCode, error, message }, statusCode);
    this.extensions = {
      code: CODES[statusCode] ?? 'BAD_USER_INPUT',
      statusCode,
      reason: error,
      ...(reauthorizeUrl !== undefined && { reauthorizeUrl }),
    };
  }
}

const CODES: Readonly<Record<number, string>> = {
  401: 'UNAUTHENTICATED',
  402: 'PAYMENT_REQUIRED',
  403: 'FORBIDDEN',
  500: 'INTERNAL_SERVER_ERROR',
  503: 'SERVICE_UNAVAILABLE',
};

/**
 * How requests of a transport without HTTP responses are refused: with the exception that its own
 * filters send to the client. Its package is there where there is a gateway or message handler.
 */
export function refusalIn(host: ArgumentsHost): Refuse | Promise<Refuse> {
  switch (host.getType<string>()) {
    case 'ws':
      return ofGateways().then(
        ({ WsException }): Refuse =>
          (decision) =>
            new WsException(messageOf(decision)),
      );
    case 'rpc':
      return ofMessageHandlers().then(
        ({ RpcException }): Refuse =>
          (decision) =>
            new RpcException(messageOf(decision)),
      );
    default:
      return (decision) => new RefusedOperationException(messageOf(decision));
  }
}

/**
 * Has the filters of Nest's answer for an exception in a gateway, or a message handler.
 * @returns what the filter of a message handler has to return
 */
export function answerWith(error: unknown, host: ArgumentsHost): Observable<unknown> | void {
  if (host.getType<string>() === 'rpc')
    return from(ofMessageHandlers()).pipe(
      mergeMap(({ BaseRpcExceptionFilter }) =>
        new BaseRpcExceptionFilter<unknown, unknown>().catch(error, host),
      ),
    );
  void ofGateways().then(({ BaseWsExceptionFilter }) =>
    new BaseWsExceptionFilter<unknown>().catch(error, host),
  );
}

// In `try`, so that bundlers let these packages be missing.
async function ofGateways(): Promise<typeof import('@nestjs/websockets')> {
  try {
    return await import('@nestjs/websockets');
  } catch (cause) {
    throw missing('@nestjs/websockets', cause);
  }
}

async function ofMessageHandlers(): Promise<typeof import('@nestjs/microservices')> {
  try {
    return await import('@nestjs/microservices');
  } catch (cause) {
    throw missing('@nestjs/microservices', cause);
  }
}

function missing(name: string, cause: unknown): MissingDriverError {
  return new MissingDriverError(`A refused message needs ${name}: npm install ${name}`, { cause });
}

const ELSEWHERE = 'This request cannot be redirected: open the app again.';

function messageOf(decision: ResponseDecision): RefusedMessage {
  const url = decision.headers?.find(([name]) => name === APP_BRIDGE_HEADERS.reauthorizeUrl)?.[1];
  const { reason } = decision;
  return {
    status: 'error',
    ...(decision.kind === 'denied'
      ? { statusCode: decision.status, error: reason, message: decision.message }
      : { statusCode: 401, error: reason, message: ELSEWHERE }),
    ...(url !== undefined && { reauthorizeUrl: url }),
  };
}
