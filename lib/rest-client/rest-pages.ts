import { PaginationLoopError } from '../core/http/http.errors.js';
import type { PageInfo, PageInfoParams } from './page-info.js';

/**
 * Fetches a list page by page, as long as the platform names a next one.
 * @param shop the shop of the list
 * @param load fetches the page of the given parameters
 * @param infoOf reads the position of a page
 * @throws {PaginationLoopError} when the platform names a page for the second time
 */
export async function* pagesFrom<First, Page>(
  shop: string,
  first: First,
  load: (params: First | PageInfoParams) => Promise<Page>,
  infoOf: (page: Page) => PageInfo,
): AsyncGenerator<Page, void, undefined> {
  const seen = new Set<string>();
  for (let params: First | PageInfoParams | undefined = first; params;) {
    const page: Page = await load(params);
    yield page;
    const { nextPage, nextPageUrl } = infoOf(page);
    const next: PageInfoParams | undefined = paramsIn(nextPageUrl);
    const cursor = next?.query['page_info'];
    if (next && cursor !== undefined) {
      if (seen.has(cursor)) {
        throw new PaginationLoopError(
          `The pages of ${nextPage?.path} lead in a circle: the same page_info came twice.`,
          {
            shop,
            operation: `GET ${nextPage?.path}`,
          },
        );
      }
      seen.add(cursor);
    }
    params = next;
  }
}

/**
 * The whole path of the link, version included: the short path of `nextPage` would lose the version
 * of the first page.
 */
function paramsIn(url: string | undefined): PageInfoParams | undefined {
  if (url === undefined) return undefined;
  const { pathname, searchParams } = new URL(url);
  return { path: pathname, query: Object.fromEntries(searchParams) };
}
