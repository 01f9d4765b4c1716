import { coversScope, parseScopes, withImplied } from '../../base/access-scopes.js';
import type { RegisteredApp } from '../../base/app-registry.js';
import { isoTime } from '../../base/iso-time.js';
import { globalId } from '../../base/vendor.js';
import type { BillingCharges } from '../billing/billing-charges.js';
import { shopPayload } from '../shop/shop-payload.js';
import type { ShopContext } from '../shop/shop.context.js';
import type { WebhookSubscriptions } from '../webhooks/webhook-subscriptions.js';
import type { WebhookDelivery } from '../webhooks/webhook-delivery.js';
import type { AccessTokens } from './access-tokens.js';
import type { Installation } from './installation.js';

/** The state of each app besides its installation. */
interface AppState {
  readonly tokens: AccessTokens;
  readonly billing: BillingCharges;
  readonly subscriptions: WebhookSubscriptions;
}

/** The apps installed in one shop, and their scopes. */
export class Installations {
  private readonly installed = new Map<string, Installation>();

  constructor(
    private readonly shop: ShopContext,
    private readonly state: AppState,
  ) {}

  all(): Installation[] {
    return [...this.installed.values()];
  }

  find(apiKey: string): Installation | undefined {
    return this.installed.get(apiKey);
  }

  /** @throws TypeError when the app is not installed */
  require(apiKey: string): Installation {
    const found = this.find(apiKey);
    if (found) return found;
    throw new TypeError(`The app "${apiKey}" is not installed on ${this.shop.identity.domain}.`);
  }

  /** The installed apps. */
  apps(): RegisteredApp[] {
    return this.shop.apps.all().filter(({ apiKey }) => this.installed.has(apiKey));
  }

  /** True when an app is installed with all of the scopes. */
  hasGranted(apiKey: string, scopes: readonly string[]): boolean {
    const granted = this.find(apiKey)?.scopes;
    return granted !== undefined && scopes.every((scope) => coversScope(granted, scope));
  }

  /**
   * Installs an app and returns its non-expiring offline token. @throws TypeError when the app is
   * unknown or a scope is malformed
   */
  install(apiKey: string, scopes: readonly string[] | string): string {
    const granted = scopesIn(scopes);
    this.grant(this.shop.apps.require(apiKey), granted);
    return this.state.tokens.offline(apiKey, granted).token;
  }

  /** Records the merchant's consent to an installation or to other scopes. */
  grant(app: RegisteredApp, scopes: readonly string[]): void {
    const { apiKey } = app;
    const before = this.find(apiKey);
    const required = app.scopes ?? scopes.filter((scope) => !app.optionalScopes.includes(scope));
    this.installed.set(apiKey, {
      apiKey,
      scopes,
      required,
      installedAt: before?.installedAt ?? this.shop.now(),
    });
    this.note(`${app.name} installed with ${scopes.join(', ') || 'no scopes'}`);
    if (before) this.announceScopes(before, scopes);
  }

  /**
   * Changes the scopes of an installed app and its tokens. @throws TypeError when the app is not
   * installed or a scope is malformed
   */
  setScopes(apiKey: string, scopes: readonly string[] | string): void {
    const before = this.require(apiKey);
    const granted = scopesIn(scopes);
    this.installed.set(apiKey, { ...before, scopes: granted });
    this.state.tokens.setScopes(apiKey, granted);
    this.note(`${this.shop.apps.require(apiKey).name} may ${granted.join(', ') || 'do nothing'}`);
    this.announceScopes(before, granted);
  }

  /**
   * Removes an app from the shop. The returned function delivers `app/uninstalled`, with the
   * present time, each time it is called.
   */
  uninstall(apiKey: string): () => Promise<WebhookDelivery[]> {
    const { name } = this.shop.apps.require(apiKey);
    if (!this.installed.delete(apiKey)) return async () => [];
    this.state.billing.end(apiKey);
    this.state.tokens.revoke(apiKey);
    this.note(`${name} uninstalled`);
    const deliver = this.shop.dispatcher.prepare(
      'app/uninstalled',
      shopPayload(this.shop.identity),
      { apiKey },
    );
    this.state.subscriptions.drop(apiKey);
    return deliver;
  }

  private note(summary: string): void {
    this.shop.log.add({ kind: 'install', summary });
  }

  private announceScopes({ apiKey, scopes }: Installation, granted: readonly string[]): void {
    const [previous, current] = [withImplied(scopes), withImplied(granted)];
    if (previous.length === current.length && previous.every((scope) => current.includes(scope)))
      return;
    const { id } = this.shop.identity;
    const payload = {
      id,
      shop_id: globalId('Shop', id),
      previous,
      current,
      updated_at: isoTime(this.shop.now()),
    };
    void this.shop.dispatcher.deliver('app/scopes_update', payload, { apiKey });
  }
}

function scopesIn(scopes: readonly string[] | string): string[] {
  const parsed = parseScopes(typeof scopes === 'string' ? scopes : scopes.join(','));
  if (!parsed)
    throw new TypeError(
      `Scopes look like "read_products" or "write_orders", got "${String(scopes)}".`,
    );
  return parsed;
}
