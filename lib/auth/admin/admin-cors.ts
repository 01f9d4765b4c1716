import type { PlatformConfig } from '../../core/config/platform-config.js';
import type { HeaderList } from '../../core/decision.js';
import type { InboundRequest } from '../../core/http/inbound-request.js';
import { REAUTHORIZE_URL_TITLE, APP_BRIDGE_HEADERS } from '../../core/vendor.js';

/** Headers that pages of other origins may send. */
const ALLOWED = ['Authorization', 'Content-Type'];
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

/** Names of headers. */
interface CorsOptions {
  /** Those that the page may send besides `Authorization` and `Content-Type`. @default none */
  readonly allowed?: readonly string[] | undefined;
  /** Those that it may read. @default what App Bridge acts on */
  readonly exposed?: string | undefined;
}

/**
 * The headers that make a reply readable for a page of another origin, such as an extension; none
 * when the app itself sent the request.
 */
export function corsHeaders(
  request: InboundRequest,
  config: PlatformConfig,
  { allowed = [], exposed = EXPOSED }: CorsOptions = {},
): HeaderList {
  const origin = request.header('origin');
  if (origin === undefined || origin === config.appUrl) return [];
  return [
    ['access-control-allow-origin', '*'],
    ['access-control-allow-headers', distinct([...ALLOWED, ...allowed]).join(', ')],
    ['access-control-expose-headers', exposed],
  ];
}

/** The names in their order, each once in whatever spelling. */
function distinct(names: readonly string[]): string[] {
  const spellings = names.map((name) => name.toLowerCase());
  return names.filter((_, index) => spellings.indexOf(spellings[index]!) === index);
}

/** Decides about a preflight request; `undefined` for any other request. */
export function preflight(
  request: InboundRequest,
  config: PlatformConfig,
  options: Pick<CorsOptions, 'allowed'> = {},
): PreflightDecision | undefined {
  if (request.method !== 'OPTIONS') return undefined;
  return {
    kind: 'preflight',
    status: 204,
    headers: [
      ['access-control-max-age', String(PREFLIGHT_LIFETIME_SECONDS)],
      ...corsHeaders(request, config, { ...options, exposed: REAUTHORIZE_URL_TITLE }),
    ],
  };
}
