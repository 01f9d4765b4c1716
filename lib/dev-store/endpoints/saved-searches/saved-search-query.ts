/** The filters of searches, by what is searched for; types that are not here take any. */
const FILTERS: Readonly<Record<string, ReadonlySet<string>>> = {
  COLLECTION: words(
    'collection_type handle id product_id product_publication_status publishable_status published_at published_status title updated_at',
  ),
  DISCOUNT_REDEEM_CODE: words('code created_at discount_id id status updated_at'),
  DRAFT_ORDER: words('created_at customer_id email id name status tag updated_at'),
  FILE: words('created_at filename id media_type original_source status updated_at'),
  ORDER: words(
    'channel_id created_at customer_id email financial_status fulfillment_status id location_id name processed_at sales_channel status tag test updated_at',
  ),
  PRODUCT: words(
    'collection_id created_at error_feedback handle id inventory_total product_type published_at published_status sku status tag title updated_at vendor',
  ),
};

/** What the platform keeps for itself. */
const RESERVED: Readonly<Record<string, readonly string[]>> = { ORDER: ['reference_location_id'] };
/** What products in a collection are not searched by. */
const NOT_IN_COLLECTION = ['tag', 'error_feedback', 'published_status'];

/** A filter of a search: that it must not fit is a part of its key. */
interface SearchFilter {
  readonly key: string;
  readonly value: string;
}

/** The parts of the query of a saved search. */
interface SavedQuery {
  readonly searchTerms: string;
  readonly filters: readonly SearchFilter[];
}

const PART = /(-?)([A-Za-z_][\w.]{0,99}):("[^"]{0,500}"|\([^)]{0,500}\)|\S+)|"[^"]{0,500}"|\S+/g;

/** The words and the filters of a query. */
export function savedQuery(query: string): SavedQuery {
  const terms: string[] = [];
  const filters: SearchFilter[] = [];
  for (const [whole, minus, key, value] of query.matchAll(PART))
    if (key === undefined || value === undefined) terms.push(whole);
    else filters.push(filterOf(key, value, minus === '-'));
  return { searchTerms: terms.join(' '), filters };
}

/** A filter as it is kept: one of a range names its end, which a minus turns round. */
function filterOf(key: string, value: string, isNot: boolean): SearchFilter {
  const [, sign, end] = /^([<>])=?(.+)$/.exec(value) ?? [];
  if (sign !== undefined && end !== undefined)
    return { key: `${key}_${(sign === '<') === isNot ? 'min' : 'max'}`, value: end };
  const plain = value === '*' ? 'true' : value.replace(/^"|"$/g, '');
  return { key: `${key}${isNot ? '_not' : ''}`, value: plain };
}

/** What is wrong with a query, in the platform's words. */
export function savedQueryErrors(query: string, resourceType: string): readonly string[] {
  const known = FILTERS[resourceType];
  const keys = savedQuery(query).filters.map(({ key }) => key.replace(/_(?:not|min|max)$/, ''));
  const reserved = RESERVED[resourceType] ?? [];
  const others = NOT_IN_COLLECTION.filter((name) => keys.includes(name));
  const isMixed = resourceType === 'PRODUCT' && keys.includes('collection_id') && others.length > 0;
  return [
    ...keys.flatMap((key) => {
      if (reserved.includes(key))
        return [`Search terms is invalid, '${key}' is a reserved filter name`];
      const isKnown = !known || known.has(key) || key.startsWith('metafields.');
      return isKnown ? [] : [`Query is invalid, '${key}' is not a valid filter`];
    }),
    ...(isMixed ? [`Query has incompatible filters: collection_id, ${others.join(', ')}`] : []),
  ];
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(' '));
}
