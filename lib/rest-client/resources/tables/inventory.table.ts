import type { ResourceTables } from '../resource.table.js';

/** Where goods are and how many. */
// prettier-ignore
export const INVENTORY: ResourceTables = {
  InventoryItem: {
    calls: [
      'GET    all    inventory_items ? ids limit',
      'GET    find   inventory_items/<id>',
      'PUT    update inventory_items/<id>',
    ],
    attributes: {
      string: 'cost country_code_of_origin created_at id province_code_of_origin sku updated_at',
      boolean: 'requires_shipping tracked',
      number: 'harmonized_system_code',
      'object[]': 'country_harmonized_system_codes',
    },
  },
  InventoryLevel: {
    calls: [
      'GET    all     inventory_levels ? inventory_item_ids location_ids limit updated_at_min',
      'DELETE delete  inventory_levels ? inventory_item_id location_id',
      'POST   adjust  inventory_levels/adjust ? inventory_item_id location_id available_adjustment',
      'POST   connect inventory_levels/connect ? inventory_item_id location_id relocate_if_necessary',
      'POST   set     inventory_levels/set ? inventory_item_id location_id available disconnect_if_necessary',
    ],
    attributes: {
      string: 'inventory_item_id location_id updated_at',
      number: 'available',
    },
  },
  Location: {
    calls: [
      'GET    all              locations ? limit',
      'GET    find             locations/<id>',
      'GET    count            locations/count',
      'GET    inventory_levels locations/<id>/inventory_levels',
    ],
    attributes: {
      string: 'address1 address2 city country country_code created_at id localized_country_name localized_province_name name phone province province_code updated_at zip',
      boolean: 'active legacy',
    },
  },
};
