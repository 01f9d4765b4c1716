import type { NodeStore } from '../../state/nodes/node-store.js';
import type { OwnField } from '../nodes/node-reader.js';

/** A text in another language. */
export interface Translation {
  readonly resource: string;
  readonly key: string;
  readonly locale: string;
  readonly value: string;
  readonly market: string | null;
  readonly digest: string;
  readonly updatedAt: string;
}

/** Where the translations of all resources are kept. */
export const TRANSLATIONS = 'gid://shopify/Translation/all';

/** All translations of a shop. */
export function allTranslations(nodes: NodeStore): readonly Translation[] {
  return (nodes.fieldsOf(TRANSLATIONS)['all'] ?? []) as Translation[];
}

/** The types whose texts can be translated. */
const TYPES = 'Product Collection Page Article Blog Menu SellingPlanGroup'.split(' ');

/** The translations that objects have. */
export function translationFields(nodes: NodeStore): Record<string, OwnField> {
  const translations: OwnField = (id, { locale, marketId = null }) =>
    allTranslations(nodes).filter(
      (one) => one.resource === id && one.locale === locale && one.market === marketId,
    );
  return Object.fromEntries(TYPES.map((type) => [`${type}.translations`, translations]));
}
