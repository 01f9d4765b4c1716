import { describeScope } from '../../base/access-scopes.js';
import type { RegisteredApp } from '../../base/app-registry.js';
import { html } from '../../http/page-html.js';
import { questionPage, type ConsentForm } from '../../http/question.page.js';
import type { StoreReply } from '../../http/store-request.js';
import type { Installations } from '../../state/apps/installations.js';
import type { ShopIdentity } from '../../state/shop/shop-identity.js';

/** A shop whose merchant is asked to install an app. */
export interface ConsentShop extends ShopIdentity {
  readonly installed: Installations;
}

/** Asks the merchant to install an app, or to grant more scopes to an installed one. */
export function consentPage(
  shop: ConsentShop,
  app: RegisteredApp,
  scopes: readonly string[],
  form: ConsentForm,
): StoreReply {
  const installed = shop.installed.find(app.apiKey) !== undefined;
  const title = `${installed ? 'Update' : 'Install'} ${app.name}`;
  const content = html`<h2>${app.name} will be able to</h2>
    <ul class="scopes">
      ${scopes.map((scope) => html`<li>${describeScope(scope)}</li>`)}
      <li>See the name, domain and contact details of ${shop.name}</li>
    </ul>
    <p class="soft small">
      You can uninstall the app at any time from the admin of ${shop.domain}.
    </p>`;
  const buttons = html`<button name="decision" value="cancel">Cancel</button
    ><button class="primary" name="decision" value="install">
      ${installed ? 'Update' : 'Install'}
    </button>`;
  return questionPage(shop, app, { title, content, buttons }, form);
}
