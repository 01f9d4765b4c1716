import { countryName } from '../../base/country-names.js';
import type { NodeWriter } from '../nodes/node-writer.js';

interface RegionArgs {
  region?: { countryCode: string } | null;
}

/**
 * The resolvers of the region that a shop falls back to where no market has the customer's; that
 * of the shop's own country at first.
 * @see https://shopify.dev/docs/api/admin-graphql/latest/mutations/backupRegionUpdate
 */
export function backupRegionRoot({ reader, view }: NodeWriter): Record<string, unknown> {
  const { nodes, defaults, shop } = reader.store;
  const shopId = (): string => (shop() as { id: string }).id;
  const regionOf = (code: string): string =>
    (
      nodes.all(['MarketRegionCountry']).find(({ fields }) => fields['code'] === code) ??
      nodes.create('MarketRegionCountry', { code, name: countryName(code) })
    ).id;
  const current = (): object | null =>
    view(String(nodes.fieldsOf(shopId())['backupRegion'] ?? regionOf(defaults.country)));
  return {
    backupRegion: current,
    backupRegionUpdate: ({ region }: RegionArgs) => {
      // The schema has a code for countries that nobody knows.
      if (region?.countryCode === 'ZZ')
        return {
          backupRegion: null,
          userErrors: [
            { field: ['region'], message: 'Region not found.', code: 'REGION_NOT_FOUND' },
          ],
        };
      if (region) nodes.update(shopId(), { backupRegion: regionOf(region.countryCode) });
      return { backupRegion: current(), userErrors: [] };
    },
  };
}
