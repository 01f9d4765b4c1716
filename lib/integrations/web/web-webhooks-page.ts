import { MissingRequiredArgument } from '../../core/core.errors.js';
import type { PlatformConfig } from '../../core/config/platform-config.js';
import { denied } from '../../core/decision.js';
import { webRequest } from '../../core/http/web-http.js';
import type { WebhooksPageEndpoint } from '../../webhooks/page/webhooks-page.endpoint.js';
import { responseTo } from './web-response.js';

/** Who may see `webhooksPage()`. */
export interface WebhooksPageOptions {
  /**
   * True lets the request through; anything else is answered with 403. It may throw a `Response`,
   * such as a redirect to a login. The body is not its to read.
   */
  readonly authorize: (request: Request) => boolean | Promise<boolean>;
}

/** What the page is made with. */
export interface WebhooksPageDependencies {
  readonly config: PlatformConfig;
  readonly webhooksPage: WebhooksPageEndpoint;
}

/** Shows the page about webhooks to a browser, or a message that says there is none to see. */
export async function webhooksPageOf(
  { config, webhooksPage }: WebhooksPageDependencies,
  request: Request,
  authorize: WebhooksPageOptions['authorize'],
): Promise<Response> {
  const inbound = webRequest(request, config);
  const decision =
    (await authorize(request)) === true
      ? await webhooksPage.answer(inbound)
      : denied(403, 'forbidden', 'You may not see this page.');
  return responseTo(inbound, decision, config);
}

/** @throws {MissingRequiredArgument} when nothing says who may see the page */
export function authorizeOf(options: WebhooksPageOptions | undefined) {
  if (typeof options?.authorize === 'function') return options.authorize;
  throw new MissingRequiredArgument(
    'webhooksPage() needs authorize: a function that says whether a request may see the page.',
  );
}
