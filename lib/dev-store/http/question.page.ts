import type { RegisteredApp } from '../base/app-registry.js';
import { html, type Html } from './page-html.js';
import { initial, pageReply, topBar, type PageShop } from './page-layout.js';
import type { StoreReply } from './store-request.js';

/** Where the merchant's decision is posted to. */
export interface ConsentForm {
  readonly action: string;
  /** Id that proves the decision comes from the page. */
  readonly consent: string;
  /** Origins the response may redirect to, besides the store and the app. */
  readonly formTargets?: readonly string[];
}

/** A page that asks the merchant for one decision. */
export function questionPage(
  shop: PageShop,
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
  // Browsers apply this list to the whole chain of redirects after a form: the target of the
  // response, and the app the admin redirects to.
  return pageReply({ title, body, formTargets: [...formTargets, app.origin] });
}
