import { createHash, randomBytes } from 'node:crypto';

import type { PlatformConfig } from '../../core/config/platform-config.js';
import type { HeaderList } from '../../core/decision.js';
import { CSP, frameAncestorsOfHelper } from '../../core/http/content-security-policy.js';
import { PAGE_STYLE, html, inScript } from '../../core/http/html.js';
import { QUERY } from '../../core/vendor.js';
import type { AuthDocument, DocumentReason } from './auth-responses.js';
import { documentHeaders } from './document-headers.js';

/** The contents of an App Bridge page. */
interface AppBridgePage {
  readonly reason: DocumentReason;
  readonly title: string;
  /** Canonical; `null` when the request names none. */
  readonly shop: string | null;
  /** Where a window goes once App Bridge is loaded. @default nowhere */
  readonly url?: string | undefined;
  /** That window. @default '_top' */
  readonly target?: string | undefined;
  /** The page that App Bridge loads with a fresh session token. @default none */
  readonly reload?: string | undefined;
}

/** How a page says what it may load. */
interface Policy {
  /** Attribute of its scripts. */
  readonly nonce: string;
  /** In the head of the page. */
  readonly meta: string;
  readonly headers: HeaderList;
}

/** A page that only loads App Bridge, which then sends the browser to where it has to go. */
export function appBridgePage(config: PlatformConfig, page: AppBridgePage): AuthDocument {
  const { reason, title, shop, url, target = '_top', reload } = page;
  const source = config.appBridgeUrl(shop ?? undefined);
  const first = reload === undefined ? '' : addressScript(reload);
  const last = url === undefined ? '' : `window.open(${inScript(url)}, ${inScript(target)})`;
  const { nonce, meta, headers } =
    config.conventions.scriptPolicy === 'page'
      ? policyInPage(config, shop, [first, last])
      : policyInHeader(config, shop);
  const script = (text: string): string => text && `<script${nonce}>${text}</script>\n`;
  const appBridge = `<script${nonce}${html` data-api-key="${config.apiKey}" src="${source}"`}></script>`;
  // Nothing else, so that a page of the app can show it anywhere inside itself.
  if (first + last + nonce === '') return { kind: 'document', reason, html: appBridge, headers };
  const link = url === undefined ? '' : html` href="${url}" target="${target}"`;
  return {
    kind: 'document',
    reason,
    html: `<!doctype html>
<html lang="en">
<head><meta charset="utf-8" /><meta name="viewport" content="width=device-width, initial-scale=1" />${meta}${html`<title>${title}</title>`}
${script(first)}${appBridge}${PAGE_STYLE}</head>
<body><p>${link === '' ? html`${title}` : `<a${link}>${html`${title}`}</a>`}</p>
${script(last)}</body>
</html>
`,
    headers,
  };
}

/** App Bridge loads more scripts: those it loads are trusted. */
function policyInHeader(config: PlatformConfig, shop: string | null): Policy {
  const nonce = randomBytes(16).toString('base64');
  const policy = `script-src 'nonce-${nonce}' 'strict-dynamic'; ${NOTHING_ELSE}`;
  return {
    nonce: ` nonce="${nonce}"`,
    meta: '',
    headers: [[CSP, `${frameAncestorsOfHelper(config, shop)} ${policy}`]],
  };
}

/**
 * Where the page may be shown inside a page of the app, whose scripts a policy in the header would
 * stop. It counts where the page stands alone.
 */
function policyInPage(
  config: PlatformConfig,
  shop: string | null,
  scripts: readonly string[],
): Policy {
  const hashes = scripts
    .filter((script) => script !== '')
    .map((script) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`);
  const { origin } = new URL(config.appBridgeUrl(shop ?? undefined));
  const policy = `script-src ${[...hashes, origin].join(' ')}; ${NOTHING_ELSE}`;
  return {
    nonce: '',
    meta: `<meta http-equiv="content-security-policy" content="${policy}" />`,
    headers: [
      ['content-type', 'text/html;charset=utf-8'],
      ...documentHeaders(config, shop, { preload: true, withoutShop: 'admin' }),
    ],
  };
}

const NOTHING_ELSE = "object-src 'none'; base-uri 'none';";

/** App Bridge takes the page to load from the address, when it starts. */
function addressScript(reload: string): string {
  return `
  const address = new URL(location);
  address.searchParams.set(${inScript(QUERY.reload)}, ${inScript(reload)});
  history.replaceState(null, '', address);
`;
}
