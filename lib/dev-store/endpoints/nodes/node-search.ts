import type { GraphQLNamedType } from 'graphql';
import { search } from '../../graphql/graphql-search.js';
import { enumValues, fieldsOf, isComposite, namedType } from '../../graphql/schema-types.js';
import {
  booleanField,
  dateField,
  emptyField,
  keywordField,
  numberField,
  optionField,
  textField,
  type SearchField,
  type SearchFields,
  type SearchValue,
} from '../../graphql/search-fields.js';
import type { StoredNode } from '../../state/nodes/node-store.js';
import { DISCOUNT_FIELDS } from '../discounts/discount-search.js';
import { derivedValue } from './derived-values.js';
import { fileName } from './file-processing.js';

type Field = SearchField<StoredNode>;

/**
 * The fields that nodes are searched by: those of their type that have plain values, in the
 * spelling of searches. The platform has others for most types; they fit nothing.
 */
function nodeSearchFields(type: GraphQLNamedType): SearchFields<StoredNode> {
  const named = new FieldsByName();
  const texts: Field[] = [];
  for (const [name, { type: fieldType }] of Object.entries(fieldsOf(type))) {
    const inner = namedType(fieldType);
    if (isComposite(inner)) continue;
    const field = fieldOf(name, inner);
    named.set(snakeCase(name), field);
    if (inner.name === 'String' && name !== 'id') texts.push(field);
  }
  named.set(
    'id',
    numberField(({ number }) => number),
  );
  for (const [name, field] of Object.entries(ALIASES[type.name] ?? {})) named.set(name, field);
  const tags = named.get('tags');
  if (tags) named.set('tag', tags).set('tag_not', { ...tags, isNegated: true });
  return { named, default: texts };
}

const FINANCIAL =
  'authorized expired paid partially_paid partially_refunded pending refunded voided';
const FULFILLMENT = 'fulfilled partial shipped unfulfilled unshipped';

/** What searches call otherwise than the schema. */
const ALIASES: Readonly<Record<string, Readonly<Record<string, Field>>>> = {
  DiscountAutomaticNode: DISCOUNT_FIELDS,
  DiscountCodeNode: DISCOUNT_FIELDS,
  DiscountNode: DISCOUNT_FIELDS,
  File: {
    filename: keywordField(({ fields }) => fileName(fields)),
    ids: numberField(({ number }) => number),
    status: optionField(['uploaded', 'processing', 'ready', 'failed'], (node) => {
      const status = nodeValue(node, 'fileStatus');
      return typeof status === 'string' ? status.toLowerCase() : null;
    }),
  },
  Order: {
    financial_status: optionField(FINANCIAL.split(' '), ({ fields }) => {
      const status = fields['displayFinancialStatus'];
      return typeof status === 'string' ? status.toLowerCase() : null;
    }),
    fulfillment_status: optionField(FULFILLMENT.split(' '), ({ fields }) => {
      const status = String(fields['displayFulfillmentStatus'] ?? 'UNFULFILLED');
      if (status === 'FULFILLED') return ['fulfilled', 'shipped'];
      return status === 'PARTIALLY_FULFILLED' ? 'partial' : ['unfulfilled', 'unshipped'];
    }),
    status: optionField(['open', 'closed', 'cancelled', 'not_closed'], ({ fields }) => {
      if (fields['cancelledAt']) return ['cancelled', 'closed'];
      return fields['closed'] === true ? 'closed' : ['open', 'not_closed'];
    }),
  },
};

/** Without warnings: which fields the platform has for a type, the schema does not say. */
class FieldsByName extends Map<string, Field> {
  override get(name: string): Field | undefined {
    return super.get(name) ?? (name.endsWith('.*') ? undefined : emptyField());
  }
}

function fieldOf(name: string, type: GraphQLNamedType): Field {
  const values: Field['values'] = (node) => nodeValue(node, name) as SearchValue;
  const options = enumValues(type);
  if (options) return optionField(options, values);
  switch (type.name) {
    case 'Boolean':
      return booleanField(values);
    case 'DateTime':
      return dateField((node) => {
        const value = nodeValue(node, name);
        return typeof value === 'string' ? new Date(value) : (value as Date | null | undefined);
      });
    case 'Int':
    case 'Float':
    case 'Money':
    case 'Decimal':
    case 'UnsignedInt64':
      return numberField(values);
    default:
      return KEYWORDS.has(name) ? keywordField(values) : textField(values);
  }
}

/** Texts that are compared as a whole. */
const KEYWORDS: ReadonlySet<string> = new Set(['handle', 'sku', 'barcode', 'tags', 'vendor']);

/** Building the fields of a type takes longer than most searches. */
const known = new WeakMap<GraphQLNamedType, SearchFields<StoredNode>>();

/** The {@link nodeSearchFields} of a type, which are built once. */
export function searchFieldsOf(type: GraphQLNamedType): SearchFields<StoredNode> {
  const fields = known.get(type) ?? nodeSearchFields(type);
  known.set(type, fields);
  return fields;
}

/** The nodes of a connection in an object that its `query` finds, in the order of its `sortKey`. */
export function chosenNodes(
  nodes: StoredNode[],
  type: GraphQLNamedType,
  { query, sortKey }: { readonly query?: unknown; readonly sortKey?: unknown },
): StoredNode[] {
  const isSearched = typeof query === 'string' && query.trim() !== '';
  const found = isSearched ? search(nodes, query, searchFieldsOf(type)) : nodes;
  return typeof sortKey === 'string' ? found.sort(nodeOrder(sortKey)) : found;
}

/** A value that was set of a node, or follows from others. */
export function nodeValue(node: StoredNode, name: string): unknown {
  return node.fields[name] ?? derivedValue(node.type, name, { node, values: node.fields });
}

/** The order of a list of nodes by a sort key of the schema, such as `CREATED_AT`. */
export function nodeOrder(sortKey: string | undefined): (a: StoredNode, b: StoredNode) => number {
  const name = sortKey
    ?.toLowerCase()
    .replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  return (a, b) =>
    (name && name !== 'id' ? compared(nodeValue(a, name), nodeValue(b, name)) : 0) ||
    a.number - b.number;
}

function compared(a: unknown, b: unknown): number {
  const areTexts = typeof a === 'string' && typeof b === 'string';
  if (areTexts && !(AMOUNT.test(a) && AMOUNT.test(b))) return a.localeCompare(b, 'en');
  return a == null || b == null ? 0 : Number(a) - Number(b);
}

/** An amount of money, which is a text. */
const AMOUNT = /^-?\d{1,15}(?:\.\d{1,9})?$/;

/** `firstName` as `first_name`. */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).replace(/^_/, '');
}
