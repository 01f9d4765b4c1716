import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** ` (page …)` around the 43 characters of a digest. */
const MARK_LENGTH = 51;
/** Common to all copies of the toolkit in a process, each of which may have a boundary. */
const KEY = Symbol.for('shopwright:PAGE_KEY');

/**
 * The status text of a page that the toolkit has made. Routers hand it to error boundaries together
 * with the text of the page, and no header: by it the toolkit knows its own pages, in the process
 * that has made them. Whoever controls the text of some other response does not control its status
 * text, and who controls both does not know the key.
 */
export function markedStatusText(statusText: string, page: string): string {
  return `${statusText} (page ${markOf(page)})`;
}

/** True when this process has made the page. */
export function isMarked(statusText: string, page: string): boolean {
  const [expected, claimed] = [markedStatusText('', page), statusText].map((text) =>
    Buffer.from(text.slice(-MARK_LENGTH)),
  );
  return expected!.length === claimed!.length && timingSafeEqual(expected!, claimed!);
}

function markOf(page: string): string {
  const shared = globalThis as { [KEY]?: Buffer };
  const key = (shared[KEY] ??= randomBytes(32));
  return createHmac('sha256', key).update(page).digest('base64url');
}
