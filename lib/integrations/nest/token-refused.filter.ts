import { Catch } from '@nestjs/common';
import type { ArgumentsHost } from '@nestjs/common';
import { BaseExceptionFilter } from '@nestjs/core';

import { refusedRequestOf } from '../../core/session-request.js';
import { tokenRefusedOn } from './grant.js';
import { answerWith } from './transport-exceptions.js';

/** Stands for the errors of guarded requests whose own token the platform has rejected for good. */
abstract class TokenRefused {
  static [Symbol.hasInstance](error: unknown): boolean {
    return refusedRequestOf(error) !== undefined;
  }
}

/**
 * Answers a guarded request on which the platform has rejected the access token: the page loads
 * again with another one, and App Bridge repeats a `fetch`. It takes every error of a rejected
 * token. One that it has no answer for, such as that of another session than the request's, it
 * answers as Nest does an unknown error (500), since Nest asks no second filter. All other errors
 * go to the filters of the app. It stands in front of every app; only gateways, for which Nest has
 * no global filters, need `@UseFilters(TokenRefusedFilter)`.
 */
@Catch(TokenRefused)
export class TokenRefusedFilter extends BaseExceptionFilter {
  override catch(error: unknown, host: ArgumentsHost): unknown {
    const exception = tokenRefusedOn(host, error) ?? error;
    switch (host.getType<string>()) {
      case 'http':
        return super.catch(exception, host);
      case 'ws':
      case 'rpc':
        return answerWith(exception, host);
      default:
        // Of a resolver: the error of its field.
        throw exception;
    }
  }
}
