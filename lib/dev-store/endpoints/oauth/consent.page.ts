import { describeScope } from '../../base/access-scopes.js';
import type { RegisteredApp } from '../../base/app-registry.js';
import type { DevShop } from '../../dev-shop.js';
import { html, type Html } from '../../http/page.html.js';
import { initial, pageReply, topBar } from '../../http/page.layout.js';
import type { StoreReply } from '../../http/store-request.js';

/** Where a question to the merchant is answered. */
export interface ConsentForm {
  readonly action: string;
  /** Id that proves the answer comes from the page. */
  readonly consent: string;
  /** Origins the answer may lead to, beside the store and the app. */
  readonly formTargets?: readonly string[];
}

/** Asks the merchant to install an app, or to let an installed one do more. */
export function consentPage(shop: DevShop, app: RegisteredApp, scopes: readonly string[], form: ConsentForm): StoreReply {
  const installed = shop.installation(app.apiKey) !== undefined;
  const title = `${installed ? 'Update' : 'Install'} ${app.name}`;
  const content = html`<h2>${app.name} will be able to</h2>
    <ul class="scopes">
      ${scopes.map((scope) => html`<li>${describeScope(scope)}</li>`)}
      <li>See the name, domain and contact details of ${shop.name}</li>
    </ul>
    <p class="soft small">You can uninstall the app at any time from the admin of ${shop.domain}.</p>`;
  const buttons = html`<button name="decision" value="cancel">Cancel</button
    ><button class="primary" name="decision" value="install">${installed ? 'Update' : 'Install'}</button>`;
  return questionPage(shop, app, { title, content, buttons }, form);
}

/** A page with one question that an app asks the merchant. */
export function questionPage(
  shop: DevShop,
  app: RegisteredApp,
  { title, content, buttons }: { title: string; content: Html; buttons: Html },
  { action, consent, formTargets = [] }: ConsentForm,
): StoreReply {
  const body = html`${topBar(shop)}
    <main class="narrow">
      <div class="card">
        <div class="pair">
          <span class="mark large" aria-hidden="true">${initial(app.name)}</span>
          <div>
            <h1>${title}</h1>
            <div class="soft small">${app.origin}</div>
          </div>
        </div>
        ${content}
        <form method="post" action="${action}">
          <input type="hidden" name="consent" value="${consent}" />
          <div class="actions">${buttons}</div>
        </form>
      </div>
    </main>`;
  // Browsers hold the whole chain of redirects after a form to this list: where the answer leads, and the app the admin leads on to.
  return pageReply({ title, body, formTargets: [...formTargets, app.origin] });
}
