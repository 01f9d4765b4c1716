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

const SHORT = /^(?:single_line_text_field|number_\w+|boolean|rating)$/;

/** What the metafields of definitions have to be for each capability. */
const ELIGIBLE: Readonly<Record<string, (ownerType: string, type: string) => boolean>> = {
  adminFilterable: (_ownerType, type) => !/^(?:json|rich_text_field|multi_line_\w+)$/.test(type),
  smartCollectionCondition: (ownerType, type) =>
    ownerType.startsWith('PRODUCT') && SHORT.test(type),
  uniqueValues: (_ownerType, type) =>
    /^(?:single_line_text_field|number_integer|url|id)$/.test(type),
  analyticsQueryable: (_ownerType, type) => SHORT.test(type),
  cartToOrderCopyable: (ownerType) => ownerType === 'ORDER',
};

/** The first capability in an input that a definition cannot have; undefined when all can be. */
export function ineligible(
  ownerType: string,
  type: string,
  given: Capabilities,
): string | undefined {
  return Object.entries(given).find(
    ([name, one]) => one?.enabled === true && ELIGIBLE[name]?.(ownerType, type) === false,
  )?.[0];
}

/** What can be done with the metafields of a definition, and what is. */
function capabilitiesOf(ownerType: string, type: string, given: Capabilities): NodeFields {
  const needed: Capabilities = type === 'id' ? { uniqueValues: { enabled: true } } : {};
  const wanted = { ...needed, ...given };
  const all = Object.entries(ELIGIBLE).map(([name, isEligible]) => {
    const enabled = wanted[name]?.enabled === true;
    const capability = { enabled, eligible: isEligible(ownerType, type) };
    const status = enabled ? 'FILTERABLE' : 'NOT_FILTERABLE';
    return [name, name === 'adminFilterable' ? { ...capability, status } : capability];
  });
  return Object.fromEntries(all);
}

/** The fields of a definition that say what can be done with its metafields. */
export function capabilityFields(ownerType: string, type: string, given: Capabilities): NodeFields {
  const capabilities = capabilitiesOf(ownerType, type, given);
  const { enabled } = Object(capabilities['smartCollectionCondition']) as { enabled: boolean };
  return { capabilities, useAsCollectionCondition: enabled };
}
