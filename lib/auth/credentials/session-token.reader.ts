import type { InboundRequest } from '../../core/http/inbound-request.js';
import { QUERY } from '../../core/vendor.js';

/** The token of an `Authorization: Bearer` header; the scheme may be written in any case. */
export function bearerToken(request: InboundRequest): string | undefined {
  return /^bearer +(\S+) *$/i.exec(request.header('authorization') ?? '')?.[1];
}

/**
 * The session token a request came with: in the header, as App Bridge sends it, or in the URL the
 * admin opens.
 */
export function sessionTokenOf(request: InboundRequest): string | undefined {
  return bearerToken(request) ?? (request.url.searchParams.get(QUERY.idToken) || undefined);
}
