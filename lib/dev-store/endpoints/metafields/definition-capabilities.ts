import { isMeasurement } from '../../base/typed-values.js';
import type { NodeFields } from '../../state/nodes/node-store.js';

/** The capabilities in an input, by their names. */
export type Capabilities = Readonly<Record<string, { readonly enabled?: boolean }>>;

/** What may be done with the metafields of a definition of which nothing is said. */
export const ACCESS = { admin: 'PUBLIC_READ_WRITE', storefront: 'NONE', customerAccount: 'NONE' };

/** The categories of types, by the first expression that fits. */
const CATEGORIES: ReadonlyArray<readonly [RegExp, string]> = [
  [/text_field$/, 'TEXT'],
  [/_reference$/, 'REFERENCE'],
  [/^number_/, 'NUMBER'],
  [/^date/, 'DATE_TIME'],
  [/^boolean$/, 'TRUE_FALSE'],
];

/** The category of a type, e.g. `TEXT`. */
export function categoryOf(type: string): string {
  const single = type.replace(/^list\./, '');
  if (isMeasurement(single)) return 'MEASUREMENT';
  return CATEGORIES.find(([types]) => types.test(single))?.[1] ?? single.toUpperCase();
}

/** What can be done with the metafields of a definition, and what is. */
export function capabilitiesOf(ownerType: string, type: string, given: Capabilities): NodeFields {
  const isEnabled = (name: string): boolean => given[name]?.enabled === true;
  const ofProducts = ownerType.startsWith('PRODUCT');
  const isFilter = isEnabled('adminFilterable');
  return {
    adminFilterable: {
      enabled: isFilter,
      eligible: true,
      status: isFilter ? 'FILTERABLE' : 'NOT_FILTERABLE',
    },
    smartCollectionCondition: {
      enabled: isEnabled('smartCollectionCondition'),
      eligible: ofProducts && /^(?:single_line_text_field|number_\w+|boolean|rating)$/.test(type),
    },
    uniqueValues: {
      enabled: isEnabled('uniqueValues'),
      eligible: /^(?:single_line_text_field|number_integer|url|id)$/.test(type),
    },
  };
}
