import type { ThemeFiles } from '../themes/theme-files.js';
import type { NodeStore } from './node-store.js';

/** Adds what every new shop has: a location, the online store it publishes to and its theme. */
export function seedNodes(nodes: NodeStore, themes: ThemeFiles): void {
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
}
