import type { PlatformConfig } from '../../core/config/platform-config.js';
import type { HeaderList } from '../../core/decision.js';
import type { InboundRequest } from '../../core/http/inbound-request.js';
import { REAUTHORIZE_URL_TITLE, APP_BRIDGE_HEADERS } from '../../core/vendor.js';

const EXPOSED = [
  APP_BRIDGE_HEADERS.reauthorize,
  APP_BRIDGE_HEADERS.reauthorizeUrl,
  APP_BRIDGE_HEADERS.retryInvalidSession,
].join(', ');
const PREFLIGHT_LIFETIME_SECONDS = 7200;

/** The reply to a CORS preflight request. */
export interface PreflightDecision {
  readonly kind: 'preflight';
  readonly status: 204;
  readonly headers: HeaderList;
}

/**
 * The headers that make a reply readable for a page of another origin, such as an extension of the
 * admin; none when the app itself sent the request.
 * @param exposed the names of headers that the page may read
 */
export function corsHeaders(
  request: InboundRequest,
  config: PlatformConfig,
  exposed: string = EXPOSED,
): HeaderList {
  const origin = request.header('origin');
  if (origin === undefined || origin === config.appUrl) return [];
  return [
    ['access-control-allow-origin', '*'],
    ['access-control-allow-headers', 'Authorization, Content-Type'],
    ['access-control-expose-headers', exposed],
  ];
}

/** Decides about a preflight request; `undefined` for any other request. */
export function preflight(
  request: InboundRequest,
  config: PlatformConfig,
): PreflightDecision | undefined {
  if (request.method !== 'OPTIONS') return undefined;
  return {
    kind: 'preflight',
    status: 204,
    headers: [
      ['access-control-max-age', String(PREFLIGHT_LIFETIME_SECONDS)],
      ...corsHeaders(request, config, REAUTHORIZE_URL_TITLE),
    ],
  };
}
