import { Catch } from '@nestjs/common';
import type { ArgumentsHost } from '@nestjs/common';
import { BaseExceptionFilter } from '@nestjs/core';

import { refusedRequestOf } from '../../core/session-request.js';
import { tokenRefusedOn } from './grant.js';

/** Stands for the errors of guarded requests whose own token the platform has rejected for good. */
abstract class TokenRefused {
  static [Symbol.hasInstance](error: unknown): boolean {
    return refusedRequestOf(error) !== undefined;
  }
}

/**
 * Answers a guarded request on which the platform has rejected the access token: the page loads
 * again with another one, and App Bridge repeats a `fetch`. All other errors, those of the same
 * class included, go to the filters of the app.
 */
@Catch(TokenRefused)
export class TokenRefusedFilter extends BaseExceptionFilter {
  override catch(error: unknown, host: ArgumentsHost): void {
    // Resolvers, gateways and message handlers answer in ways of their own.
    if (host.getType() !== 'http') throw error;
    super.catch(tokenRefusedOn(host, error) ?? error, host);
  }
}
