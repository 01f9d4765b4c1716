import { PAGE_STYLE, html } from './html.js';

/** What a browser shows of a request that is denied. */
export function errorPage(status: number | string, message: string): string {
  const head = html`<meta charset="utf-8" /><meta
      name="viewport"
      content="width=device-width"
    /><title>${status}</title>`;
  const body = html`<main>
    <h1>This request could not be completed</h1>
    <p>${message}</p>
  </main>`;
  return `<!doctype html>\n<html lang="en">\n<head>${head}${PAGE_STYLE}</head>\n<body>${body}</body>\n</html>\n`;
}

/**
 * True for an {@link errorPage}, and for what somebody has made to look like one: it can hold
 * nothing but text either way.
 */
export function isErrorPage(text: string): boolean {
  const [head, middle, tail] = errorPage('\0', '\0').split('\0') as [string, string, string];
  const status = text.slice(head.length, head.length + 3);
  if (!/^\d{3}$/.test(status) || !text.startsWith(head) || !text.endsWith(tail)) return false;
  const start = head.length + status.length + middle.length;
  if (!text.startsWith(middle, head.length + status.length)) return false;
  return !/[<>]/.test(text.slice(start, Math.max(start, text.length - tail.length)));
}
