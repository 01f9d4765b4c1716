import type { NodeStore } from './node-store.js';

/** Adds what every new shop has: a location, and the online store it publishes to. */
export function seedNodes(nodes: NodeStore): void {
  nodes.create('Location', {
    name: 'Shop location',
    isActive: true,
    fulfillsOnlineOrders: true,
    hasActiveInventory: true,
    shipsInventory: true,
    address: { city: 'Galway', country: 'Ireland', countryCode: 'IE' },
  });
  nodes.create('Publication', { name: 'Online Store', autoPublish: true });
}
