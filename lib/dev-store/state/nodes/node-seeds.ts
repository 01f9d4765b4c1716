import { globalId } from '../../base/vendor.js';
import type { ShopIdentity } from '../shop/shop-identity.js';
import type { ThemeFiles } from '../themes/theme-files.js';
import type { NodeStore } from './node-store.js';

/** The searches that every shop has for its orders and drafts, until it removes them. */
const SEARCHES: ReadonlyArray<readonly [resourceType: string, name: string, query: string]> = [
  ['ORDER', 'Unfulfilled', 'status:open fulfillment_status:unshipped,partial'],
  ['ORDER', 'Unpaid', 'status:open financial_status:unpaid'],
  ['ORDER', 'Open', 'status:open'],
  ['ORDER', 'Archived', 'status:closed'],
  ['DRAFT_ORDER', 'Open and invoice sent', 'status:open_and_invoice_sent'],
  ['DRAFT_ORDER', 'Open', 'status:open'],
  ['DRAFT_ORDER', 'Invoice sent', 'status:invoice_sent'],
  ['DRAFT_ORDER', 'Completed', 'status:completed'],
  ['DRAFT_ORDER', 'Submitted for review', 'status:open source:online_store'],
];

/**
 * Adds what every new shop has: a location, the online store it publishes to, its theme, the web
 * presence at its primary domain, and the searches of its orders.
 */
export function seedNodes(
  nodes: NodeStore,
  themes: ThemeFiles,
  { id, domain }: Pick<ShopIdentity, 'id' | 'domain'>,
): void {
  nodes.create('Location', {
    name: 'Shop location',
    isActive: true,
    fulfillsOnlineOrders: true,
    hasActiveInventory: true,
    shipsInventory: true,
    address: { city: 'Galway', country: 'Ireland', countryCode: 'IE' },
  });
  nodes.create('Publication', { name: 'Online Store', autoPublish: true });
  themes.fill(nodes.create('OnlineStoreTheme', { name: 'Main theme', role: 'MAIN' }).id);
  for (const [resourceType, name, query] of SEARCHES) {
    const filters = query.split(' ').map((filter) => {
      const [key, value] = filter.split(':');
      return { key, value };
    });
    nodes.create('SavedSearch', { resourceType, name, query, searchTerms: '', filters });
  }
  const url = `https://${domain}`;
  nodes.create('MarketWebPresence', {
    domain: { id: globalId('Domain', id), host: domain, sslEnabled: true, url },
    subfolderSuffix: null,
    defaultLocale: { locale: 'en', name: 'English', primary: true, published: true },
    alternateLocales: [],
    rootUrls: [{ locale: 'en', url: `${url}/` }],
  });
}
