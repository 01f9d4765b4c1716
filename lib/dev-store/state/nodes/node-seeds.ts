import { globalId } from '../../base/vendor.js';
import type { ShopIdentity } from '../shop/shop-identity.js';
import type { ThemeFiles } from '../themes/theme-files.js';
import type { NodeStore } from './node-store.js';

/**
 * Adds what every new shop has: a location, the online store it publishes to, its theme, and the
 * web presence at its primary domain.
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
  const url = `https://${domain}`;
  nodes.create('MarketWebPresence', {
    domain: { id: globalId('Domain', id), host: domain, sslEnabled: true, url },
    subfolderSuffix: null,
    defaultLocale: { locale: 'en', name: 'English', primary: true, published: true },
    alternateLocales: [],
    rootUrls: [{ locale: 'en', url: `${url}/` }],
  });
}
