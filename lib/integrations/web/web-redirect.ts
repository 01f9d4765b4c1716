import type { AdminRedirect, RedirectTarget } from '../../auth/admin/admin-redirect.js';

export interface RedirectInit extends ResponseInit {
  /**
   * `_self` keeps even a foreign address in the admin's frame. @default '_self' for pages of the
   * app, else '_top'
   */
  readonly target?: RedirectTarget | undefined;
}

/**
 * Goes on to another page: of the app, where the embedded page loads again inside the admin, or
 * elsewhere, out of the frame.
 */
export type RedirectFunction = (url: string, init?: number | RedirectInit) => Response;

/**
 * The `redirect` of one request. It returns what stays in the frame, and throws the response that
 * leaves it, which `leave` makes.
 */
export function createRedirect(
  decide: (url: string, target?: RedirectTarget) => AdminRedirect,
  leave: (url: string) => Response,
): RedirectFunction {
  return (url, init = 302) => {
    const {
      target,
      status = 302,
      headers,
      ...rest
    } = typeof init === 'number' ? { status: init } : init;
    const decision = decide(url, target);
    if (decision.kind === 'leave') throw leave(decision.url);
    const response = new Response(null, { ...rest, status, headers: headers ?? [] });
    response.headers.set('location', decision.location);
    return response;
  };
}
