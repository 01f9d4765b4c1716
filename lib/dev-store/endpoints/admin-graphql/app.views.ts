import { describeScope, withImplied } from '../../base/access-scopes.js';
import type { RegisteredApp } from '../../base/app-registry.js';
import { slug } from '../../base/text-values.js';
import { globalId } from '../../base/vendor.js';
import { appPath } from '../../http/page-layout.js';
import type { Installations } from '../../state/apps/installations.js';
import type { BillingCharges } from '../../state/billing/billing-charges.js';
import type { ShopIdentity } from '../../state/shop/shop-identity.js';
import { installationBilling } from '../billing/billing.views.js';

/** The part of a shop that the views of apps show. */
export interface AppShop extends ShopIdentity {
  /** The origin of the shop. */
  readonly origin: string;
  readonly installed: Installations;
  readonly billing: BillingCharges;
}

/** The handle of an app: its name in small letters, with hyphens. */
export function appHandle({ name }: RegisteredApp): string {
  return slug(name);
}

/** An app as the schema describes it. */
export function appView(shop: AppShop, app: RegisteredApp): object {
  return {
    __typename: 'App',
    id: globalId('App', app.id),
    apiKey: app.apiKey,
    title: app.name,
    handle: appHandle(app),
    embedded: app.embedded,
    requestedAccessScopes: scopesView(
      app.scopes ?? shop.installed.find(app.apiKey)?.required ?? [],
    ),
    optionalAccessScopes: scopesView(app.optionalScopes),
    installation: () => installationView(shop, app),
  };
}

/**
 * An app's installation as the schema describes it; write scopes include their read scopes. Null
 * when the app is not installed.
 */
export function installationView(shop: AppShop, app: RegisteredApp): object | null {
  const installation = shop.installed.find(app.apiKey);
  return installation === undefined
    ? null
    : {
        __typename: 'AppInstallation',
        id: globalId('AppInstallation', shop.id),
        launchUrl: shop.origin + appPath(app),
        app: () => appView(shop, app),
        accessScopes: scopesView(withImplied(installation.scopes)),
        ...installationBilling(shop.billing, app.apiKey),
      };
}

/** Scopes as the schema describes them. */
export function scopesView(scopes: readonly string[]): object[] {
  return scopes.map((handle) => ({ handle, description: describeScope(handle) }));
}
