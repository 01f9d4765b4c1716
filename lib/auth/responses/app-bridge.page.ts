import { randomBytes } from 'node:crypto';

import type { PlatformConfig } from '../../core/config/platform-config.js';
import type { DocumentDecision } from '../../core/decision.js';
import { frameAncestors } from '../../core/http/content-security-policy.js';
import { PAGE_STYLE, html, inScript } from '../../core/http/html.js';

/** What tells one App Bridge page from another. */
export interface AppBridgePage {
  readonly reason: string;
  readonly title: string;
  /** Canonical; `null` when the request names none. */
  readonly shop: string | null;
  /** Where the whole window goes once App Bridge is there; nowhere when not given. */
  readonly target?: string | undefined;
}

/** A page that does nothing but load App Bridge, which then leads the browser on. */
export function appBridgePage(
  config: PlatformConfig,
  { reason, title, shop, target }: AppBridgePage,
): DocumentDecision {
  const nonce = randomBytes(16).toString('base64');
  const source = config.appBridgeUrl(shop ?? undefined);
  const head = html`<meta charset="utf-8" /><meta
      name="viewport"
      content="width=device-width, initial-scale=1"
    /><title>${title}</title>
    <script nonce="${nonce}" data-api-key="${config.apiKey}" src="${source}"></script>`;
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
    html: `<!doctype html>\n<html lang="en">\n<head>${head}${PAGE_STYLE}</head>\n<body>${body}\n${script}</body>\n</html>\n`,
    headers: [['content-security-policy', `${frameAncestors(config, shop)} ${SCRIPTS(nonce)}`]],
  };
}

// App Bridge loads scripts of its own: what it trusts is trusted.
const SCRIPTS = (nonce: string): string =>
  `script-src 'nonce-${nonce}' 'strict-dynamic'; object-src 'none'; base-uri 'none';`;
