import { randomBytes } from 'node:crypto';

import type { PlatformConfig } from '../../core/config/platform-config.js';
import { frameAncestors } from '../../core/http/content-security-policy.js';
import { PAGE_STYLE, html, inScript } from '../../core/http/html.js';
import { QUERY } from '../../core/vendor.js';
import type { AuthDocument, DocumentReason } from './auth-responses.js';

/** The contents of an App Bridge page. */
export interface AppBridgePage {
  readonly reason: DocumentReason;
  readonly title: string;
  /** Canonical; `null` when the request names none. */
  readonly shop: string | null;
  /** Where the whole window goes once App Bridge is loaded. @default nowhere */
  readonly target?: string | undefined;
  /**
   * The page that App Bridge loads with a fresh session token. @default the one that the page's own
   * address names
   */
  readonly reload?: string | undefined;
}

/** A page that only loads App Bridge, which then sends the browser to where it has to go. */
export function appBridgePage(
  config: PlatformConfig,
  { reason, title, shop, target, reload }: AppBridgePage,
): AuthDocument {
  const nonce = randomBytes(16).toString('base64');
  const source = config.appBridgeUrl(shop ?? undefined);
  const head = html`<meta charset="utf-8" /><meta
      name="viewport"
      content="width=device-width, initial-scale=1"
    /><title>${title}</title>
    <script nonce="${nonce}" data-api-key="${config.apiKey}" src="${source}"></script>`;
  const address = reload === undefined ? '' : addressScript(nonce, reload);
  const body =
    target === undefined
      ? html`<p>${title}</p>`
      : html`<p><a href="${target}" target="_top">${title}</a></p>`;
  const script =
    target === undefined
      ? ''
      : `<script nonce="${nonce}">window.open(${inScript(target)}, '_top');</script>\n`;
  return {
    kind: 'document',
    reason,
    html: `<!doctype html>\n<html lang="en">\n<head>${address}${head}${PAGE_STYLE}</head>\n<body>${body}\n${script}</body>\n</html>\n`,
    headers: [['content-security-policy', `${frameAncestors(config, shop)} ${SCRIPTS(nonce)}`]],
  };
}

/** App Bridge takes the page to load from the address, when it starts. */
function addressScript(nonce: string, reload: string): string {
  return `<script nonce="${nonce}">
  const address = new URL(location);
  address.searchParams.set(${inScript(QUERY.reload)}, ${inScript(reload)});
  history.replaceState(null, '', address);
</script>
`;
}

// App Bridge loads more scripts: those it loads are trusted.
const SCRIPTS = (nonce: string): string =>
  `script-src 'nonce-${nonce}' 'strict-dynamic'; object-src 'none'; base-uri 'none';`;
