import { HttpException, StreamableFile } from '@nestjs/common';
import type { AbstractHttpAdapter } from '@nestjs/core';

import type { HeaderList, Refusal } from '../../core/decision.js';
import { withFrameAncestors } from '../../core/http/content-security-policy.js';

const CSP = 'content-security-policy';

/** Puts headers on a reply that the app will finish: cookies and policies that are there already stay. */
export function addHeaders(adapter: AbstractHttpAdapter, response: unknown, headers: HeaderList = []): void {
  for (const [name, value] of headers) {
    if (name === 'set-cookie') adapter.appendHeader(response, name, value);
    else if (name === CSP) adapter.setHeader(response, name, withFrameAncestors(adapter.getHeader(response, name), value));
    else adapter.setHeader(response, name, value);
  }
}

/** A decision that ends the request, with its headers put on the reply, as an exception that the app's filters may still dress. */
export function exceptionFor(adapter: AbstractHttpAdapter, response: unknown, decision: Refusal): HttpException {
  addHeaders(adapter, response, decision.headers);
  switch (decision.kind) {
    case 'redirect':
      adapter.setHeader(response, 'location', decision.location);
      return new HttpException({ statusCode: 302, error: decision.reason, message: 'Redirecting' }, 302);
    case 'document':
      // Of all that an exception can hold, only a file reaches the browser as it is.
      return new HttpException(
        new StreamableFile(Buffer.from(decision.html), { type: 'text/html; charset=utf-8' }),
        decision.status ?? 200,
      );
    case 'denied': {
      const { status, reason, message, details } = decision;
      return new HttpException({ ...details, statusCode: status, error: reason, message }, status);
    }
  }
}
