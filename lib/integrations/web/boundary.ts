import { isErrorPage } from '../../core/http/own-pages.js';

/**
 * Holds the status text of a page whose mark the server has checked, for the browser, which cannot
 * check it.
 */
export const MARK_ATTRIBUTE = 'data-shopwright-page';

/**
 * The React element of a {@link Boundary}: a `ReactElement`, whichever version of React has made
 * it.
 */
export interface BoundaryElement {
  readonly type: 'div';
  readonly props: {
    readonly dangerouslySetInnerHTML: { readonly __html: string };
    /** Of a page whose mark was checked: that mark. */
    readonly [MARK_ATTRIBUTE]?: string;
  };
  readonly key: string | null;
}

/** As much of React's `createElement` as a boundary uses. */
export type CreateElement = (
  type: BoundaryElement['type'],
  props: BoundaryElement['props'],
) => BoundaryElement;

/** What the router hands to the `headers` export of a route. */
export interface BoundaryHeadersArgs {
  readonly parentHeaders?: Headers | undefined;
  readonly loaderHeaders?: Headers | undefined;
  readonly actionHeaders?: Headers | undefined;
  /** Those of the response that was thrown. */
  readonly errorHeaders?: Headers | undefined;
}

/**
 * What a layout route needs so that responses that `authenticate` throws reach the browser: their
 * pages as the route's content, their headers as those of the document.
 * @example
 * export const ErrorBoundary = () => boundary.error(useRouteError());
 * export const headers = (args) => boundary.headers(args);
 */
export interface Boundary {
  /**
   * The page of a response that the toolkit has thrown. What anybody else has thrown is shown as
   * text, also when it is HTML: it may quote what somebody has typed. In a browser a page is one of
   * the toolkit's only where the server has rendered it.
   * @throws `error` itself when it is no response, for the boundary above
   */
  error(error: unknown): BoundaryElement;
  /**
   * The headers of the document: of the response that was thrown, else of the routes together.
   */
  headers(args: BoundaryHeadersArgs): Headers;
}

/** What the routers make of a response that was thrown. */
interface ErrorResponse {
  readonly data?: unknown;
  readonly statusText?: unknown;
}

/** The classes of both routers, by the names they have where code is not minified. */
const ERROR_RESPONSES: ReadonlySet<unknown> = new Set(['ErrorResponse', 'ErrorResponseImpl']);

/**
 * @param elements the app's React, asked for only when an element is made
 * @param isMarked whether a status text is the mark of a page of the toolkit; the same on the
 * server and where its markup is hydrated
 */
export function createBoundary(
  elements: () => CreateElement,
  isMarked: (statusText: string, page: string) => boolean,
): Boundary {
  return {
    error(error) {
      if (!isErrorResponse(error)) throw error;
      const { data, statusText } = error;
      const show = (__html: string, props = {}): BoundaryElement =>
        elements()('div', { ...props, dangerouslySetInnerHTML: { __html } });
      if (typeof data !== 'string') return show(inHtml(data));
      if (typeof statusText === 'string' && isMarked(statusText, data))
        return show(data.replace(POLICY, ''), { [MARK_ATTRIBUTE]: statusText });
      return show(isErrorPage(data) ? data.replace(POLICY, '') : inHtml(data));
    },

    headers({ parentHeaders, loaderHeaders, actionHeaders, errorHeaders }) {
      if (errorHeaders && !errorHeaders.keys().next().done) return errorHeaders;
      const merged = new Headers();
      for (const headers of [parentHeaders, loaderHeaders, actionHeaders])
        headers?.forEach((value, name) => merged.append(name, value));
      return merged;
    },
  };
}

function isErrorResponse(error: unknown): error is ErrorResponse {
  if (typeof error !== 'object' || error === null) return false;
  if (ERROR_RESPONSES.has(error.constructor?.name)) return true;
  // Bundles for browsers are minified, and their classes renamed.
  const { status, statusText, internal } = error as Readonly<Record<string, unknown>>;
  return (
    typeof status === 'number' &&
    typeof statusText === 'string' &&
    typeof internal === 'boolean' &&
    'data' in error
  );
}

/** What was thrown, as text. */
function inHtml(data: unknown): string {
  if (data === undefined || data === null || data === '') return 'Handling response';
  return escaped(typeof data === 'string' ? data : (JSON.stringify(data) ?? String(data)));
}

/** What a page says that stands alone; browsers ignore it inside another, and complain. */
const POLICY = /<meta http-equiv="content-security-policy" content="[^"]*" \/>/i;

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

function escaped(text: string): string {
  return text.replace(/[&<>]/g, (character) => ENTITIES[character]!);
}
