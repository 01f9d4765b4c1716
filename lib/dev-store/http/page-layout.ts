import { randomBytes } from 'node:crypto';
import type { RegisteredApp } from '../base/app-registry.js';
import { Html, html } from './page-html.js';
import { STYLES } from './page-styles.js';
import type { StoreReply } from './store-request.js';

/** One page of the store. */
interface Page {
  title: string;
  body: Html;
  /** @default 200 */
  status?: number;
  /** Source of the page's only script, which a nonce allows. */
  script?: Html;
  /** Origins the page may frame. */
  frames?: string;
  /** Origins the response to a form may redirect to, besides the store's own. */
  formTargets?: string[];
}

/** A complete page with a policy that allows only what it contains. */
export function pageReply(page: Page): StoreReply {
  const nonce = randomBytes(16).toString('base64url');
  const policy = [
    "default-src 'none'",
    `style-src 'nonce-${nonce}'`,
    'img-src data:',
    page.script ? `script-src 'nonce-${nonce}'; connect-src 'self'` : undefined,
    page.frames ? `frame-src ${page.frames}` : undefined,
    `form-action ${["'self'", ...new Set(page.formTargets)].join(' ')}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  const document = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${page.title}</title>
        <link rel="icon" href="data:," />
        <style nonce="${nonce}">
          ${new Html(STYLES)}
        </style>
      </head>
      <body>
        ${page.body}
        ${
          page.script
            ? html`<script nonce="${nonce}">
                ${page.script};
              </script>`
            : undefined
        }
      </body>
    </html> `;
  return {
    status: page.status ?? 200,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': policy.filter((rule) => rule !== undefined).join('; '),
      'X-Frame-Options': 'DENY',
      'Referrer-Policy': 'same-origin',
      'Cache-Control': 'no-store',
    },
    body: document.text,
  };
}

/** The shop that a page belongs to. */
export interface PageShop {
  readonly name: string;
}

/** The dark bar at the top of every page. */
export function topBar(shop: PageShop): Html {
  return html`<header class="bar">
    <span class="mark" aria-hidden="true">${initial(shop.name)}</span><strong>${shop.name}</strong
    ><span class="note">Simulated store</span>
  </header>`;
}

/**
 * A page of the admin: bar, side navigation, content. @param installed the apps in the navigation
 */
export function adminBody(
  shop: PageShop,
  installed: readonly RegisteredApp[],
  current: string,
  content: Html,
): Html {
  const link = (href: string, label: string): Html =>
    html`<li>
      <a href="${href}" ${href === current ? new Html(' aria-current="page"') : undefined}
        >${label}</a
      >
    </li>`;
  return html`${topBar(shop)}
    <div class="shell">
      <div class="side">
        <nav aria-label="Store">
          <ul>
            ${link('/admin', 'Home')}${link('/admin/products', 'Products')}${link('/admin/records', 'Records')}${link('/admin/charges', 'Charges')}${link('/admin/calls', 'API calls')}${link('/admin/deliveries', 'Deliveries')}${link('/admin/faults', 'Faults')}${link('/admin/events', 'Event log')}
          </ul>
          ${
            installed.length > 0
              ? html`<div class="label">Apps</div>
                  <ul>
                    ${installed.map((app) => link(appPath(app), app.name))}
                  </ul>`
              : undefined
          }
        </nav>
      </div>
      ${content}
    </div>`;
}

/** A page outside the admin, for one decision or one message. */
export function messagePage(
  shop: PageShop,
  status: number,
  title: string,
  text: string,
): StoreReply {
  const body = html`${topBar(shop)}
    <main class="narrow">
      <div class="card">
        <h1>${title}</h1>
        <p class="soft">${text}</p>
        <div class="actions"><a class="button" href="/admin">Back to the admin</a></div>
      </div>
    </main>`;
  return pageReply({ title, status, body });
}

/** The address of an app in the admin. */
export function appPath(app: RegisteredApp): string {
  return `/admin/apps/${encodeURIComponent(app.apiKey)}`;
}

/** The initial of a name. */
export function initial(name: string): string {
  return [...name.trim()][0] ?? '·';
}

/** A time for display: `2026-01-31 09:00:00 UTC`. */
export function readableTime(date: Date): string {
  return `${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
