import type { HeaderList } from '../../core/decision.js';
import { withSlashedPaths } from './liquid-links.js';

/** How a page of an app proxy is answered. */
export interface LiquidInit extends ResponseInit {
  /** False for a page without the layout of the shop's theme. @default true */
  readonly layout?: boolean | undefined;
}

/** A page that the platform renders within the shop's theme. */
interface LiquidPage {
  readonly status: number;
  readonly statusText: string;
  /** The type of the content is among them. */
  readonly headers: HeaderList;
  readonly body: string;
}

/** The type by which the platform knows Liquid: in exactly this form. */
const LIQUID = 'application/liquid';
const NO_LAYOUT = '{% layout none %} ';

/**
 * A page of Liquid, for the platform to render. The paths of its links and forms end with a slash,
 * without which the storefront would redirect them.
 * @param init a status, or what a `Response` takes, with `layout`; status 200 by default
 * @see https://shopify.dev/docs/apps/build/online-store/app-proxies
 */
export function liquidPage(body: string, init: number | LiquidInit = {}): LiquidPage {
  const {
    status = 200,
    statusText = '',
    headers,
    layout,
  } = typeof init === 'number' ? { status: init } : init;
  const all = new Headers(headers);
  all.set('content-type', LIQUID);
  return {
    status,
    statusText,
    headers: [...all],
    body: `${layout === false ? NO_LAYOUT : ''}${withSlashedPaths(body)}`,
  };
}
