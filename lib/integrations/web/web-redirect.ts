import type { AdminRedirect, RedirectTarget } from '../../auth/admin/admin-redirect.js';

/** The response of a redirect, and the window that it is for. */
export interface RedirectInit extends ResponseInit {
  /**
   * The window that goes there. `_parent`, `_top` and `_blank` leave the admin's frame.
   * @default '_parent' for a page of the admin, else '_self'
   */
  readonly target?: RedirectTarget | undefined;
}

/**
 * Goes on to another page: of the app, with the parameters that it needs inside the admin; of the
 * admin, as `shopify://admin/products`; or of the web. It returns what the browser follows, and
 * throws what opens another window, or tells a script to.
 */
export type RedirectFunction = (url: string | URL, init?: number | RedirectInit) => Response;

/** What the `redirect` of one request works with. */
interface RedirectAnswers {
  readonly decide: (url: string, target?: RedirectTarget) => AdminRedirect;
  /** The page that opens an address in a window. */
  readonly open: (url: string, target: RedirectTarget) => Response;
  /** What tells a script where the window has to go, or refuses the address. */
  readonly leave: (url: string) => Response;
}

/** The `redirect` of one request. */
export function createRedirect({ decide, open, leave }: RedirectAnswers): RedirectFunction {
  return (url, init = 302) => {
    const {
      target,
      status = 302,
      headers,
      ...rest
    } = typeof init === 'number' ? { status: init } : init;
    const decision = decide(String(url), target);
    if (decision.kind === 'leave') throw leave(decision.url);
    if (decision.kind === 'open') throw open(decision.url, decision.target);
    const response = new Response(null, { ...rest, status, headers: headers ?? [] });
    response.headers.set('location', decision.location);
    return response;
  };
}
