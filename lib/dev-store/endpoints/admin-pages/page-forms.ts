import { randomBytes } from 'node:crypto';
import { hmacHex, sameText } from '../../base/signing.js';
import { html, type Html } from '../../http/page-html.js';
import { messagePage, type PageShop } from '../../http/page-layout.js';
import { formOf, StoreReplyError, type StoreRequest } from '../../http/store-request.js';

/**
 * Creates the token that proves a request comes from one of the store's pages, for the path it is
 * posted to.
 */
export type PageToken = (action: string) => string;

/** The tokens in the forms of some pages. */
export class PageForms {
  private readonly key = randomBytes(32).toString('hex');

  constructor(private readonly shop: PageShop) {}

  readonly token: PageToken = (action) => hmacHex(this.key, action);

  /** The posted form. @throws StoreReplyError with 403 when it is from none of the pages */
  checked(request: StoreRequest): URLSearchParams {
    const form = formOf(request);
    this.check(request, form.get('page_token') ?? undefined);
    return form;
  }

  /** @throws StoreReplyError with 403 when the token is not that of the request's path */
  check(request: StoreRequest, token: string | undefined): void {
    if (sameText(token ?? '', this.token(request.url.pathname))) return;
    throw new StoreReplyError(
      messagePage(this.shop, 403, 'This page has expired', 'Reload the admin and try again.'),
    );
  }
}

/** A form that is posted with its token. */
export function postForm(
  action: string,
  pageToken: PageToken,
  content: Html,
  layout: 'inline' | 'block' = 'inline',
): Html {
  return html`<form class="${layout}" method="post" action="${action}">
    <input type="hidden" name="page_token" value="${pageToken(action)}" />${content}
  </form>`;
}

/** Why what was posted was refused, if it was. */
export function problemBox(problem: string | undefined): Html | undefined {
  return problem ? html`<p class="problem" role="alert">${problem}</p>` : undefined;
}
