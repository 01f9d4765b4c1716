import type { GraphQLNamedType } from 'graphql';
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
import { derivedValue } from './derived-values.js';

type Field = SearchField<StoredNode>;

/**
 * The fields that nodes are searched by: those of their type that have plain values, in the
 * spelling of searches. The platform has others for most types; they fit nothing.
 */
export function nodeSearchFields(type: GraphQLNamedType): SearchFields<StoredNode> {
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
  const tags = named.get('tags');
  if (tags) named.set('tag', tags).set('tag_not', { ...tags, isNegated: true });
  return { named, default: texts };
}

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
  if (typeof a === 'string' && typeof b === 'string') return a.localeCompare(b, 'en');
  return a == null || b == null ? 0 : Number(a) - Number(b);
}

/** `firstName` as `first_name`. */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).replace(/^_/, '');
}
