import type { GraphQLResolveInfo } from 'graphql';
import { fieldFits, type SearchField, type SearchFields } from './search-fields.js';
import { parseSearch, type SearchNode, type SearchTerm } from './search-query.js';

/** How a search was understood, for the `extensions` of a response. */
export interface SearchReport {
  /** Where in the response its result is. */
  readonly path: ReadonlyArray<string | number>;
  readonly query: string;
  readonly parsed: object;
  readonly warnings: readonly SearchWarning[];
}

/** A term that has no effect, or fits nothing. */
interface SearchWarning {
  readonly field: string;
  readonly message: string;
  readonly code: 'invalid_field' | 'invalid_value';
}

/** A value in a search that the platform refuses instead of warning of it. */
export class SearchValueError extends Error {
  readonly extensions = { code: 'BAD_REQUEST' };

  constructor(field: string) {
    super(`Invalid timestamp for query filter \`${field}\`.`);
  }
}

/**
 * The items that a search finds, in their order. A term of a field that the list does not have
 * has no effect, and a warning in the response.
 * @param at the context and the place of the field that is resolved
 * @throws SearchValueError for a value that a strict field cannot read
 */
export function search<T>(
  items: readonly T[],
  query: string | null | undefined,
  fields: SearchFields<T>,
  at?: { context: { readonly searches: SearchReport[] }; info: GraphQLResolveInfo },
): T[] {
  const node = parseSearch(query ?? '');
  if (!node) return [...items];
  const warnings: SearchWarning[] = [];
  const known = knownTerms(node, fields, warnings);
  if (at && query) {
    const report = { path: pathOf(at.info), query, parsed: parsedView(node), warnings };
    at.context.searches.push(report);
  }
  return known ? items.filter((item) => matches(known, item, fields)) : [...items];
}

/** The terms of fields that the list has; notes a warning for each of the others. */
function knownTerms<T>(
  node: SearchNode,
  fields: SearchFields<T>,
  warnings: SearchWarning[],
): SearchNode | undefined {
  if (node.kind === 'not') {
    const inner = knownTerms(node.node, fields, warnings);
    return inner && { kind: 'not', node: inner };
  }
  if (node.kind !== 'term') {
    const nodes = node.nodes.flatMap((one) => knownTerms(one, fields, warnings) ?? []);
    return nodes.length > 1 ? { kind: node.kind, nodes } : nodes[0];
  }
  if (node.field === undefined || node.field === 'default') return { ...node, field: undefined };
  const field = fieldNamed(node.field, fields);
  if (!field) {
    const message = 'Invalid search field for this query.';
    warnings.push({ field: node.field, message, code: 'invalid_field' });
    return undefined;
  }
  const isThere = node.value === '' && node.isPrefix;
  if (!isThere && field.fits([], node) === null) {
    if (field.isStrict) throw new SearchValueError(node.field);
    const message = `Input \`${writtenValue(node)}\` is not an accepted value.`;
    warnings.push({ field: node.field, message, code: 'invalid_value' });
  }
  return node;
}

function matches<T>(node: SearchNode, item: T, fields: SearchFields<T>): boolean {
  switch (node.kind) {
    case 'and':
      return node.nodes.every((one) => matches(one, item, fields));
    case 'or':
      return node.nodes.some((one) => matches(one, item, fields));
    case 'not':
      return !matches(node.node, item, fields);
    case 'term':
      return fieldsOf(node, fields).some((field) => fieldFits(field, item, node) === true);
  }
}

function fieldsOf<T>(
  { field }: SearchTerm,
  fields: SearchFields<T>,
): ReadonlyArray<SearchField<T>> {
  if (field === undefined) return fields.default;
  const found = fieldNamed(field, fields);
  return found ? [found] : [];
}

function fieldNamed<T>(name: string, { named }: SearchFields<T>): SearchField<T> | undefined {
  return named.get(name) ?? named.get(name.replace(/\..*$/s, '.*'));
}

const RANGE = { '>': 'gt', '>=': 'gte', '<': 'lt', '<=': 'lte' } as const;

/** A search as the platform shows that it has understood it. */
function parsedView(node: SearchNode): object {
  if (node.kind === 'not') return { not: parsedView(node.node) };
  if (node.kind !== 'term') return { [node.kind]: node.nodes.map(parsedView) };
  const { field = 'default', comparator } = node;
  const value = writtenValue(node);
  return comparator === ''
    ? { field, match_all: value }
    : { field, range: { [RANGE[comparator]]: value } };
}

function writtenValue({ value, isPrefix }: SearchTerm): string {
  return isPrefix ? `${value}*` : value;
}

function pathOf({ path }: GraphQLResolveInfo): Array<string | number> {
  const keys: Array<string | number> = [];
  for (let at: GraphQLResolveInfo['path'] | undefined = path; at; at = at.prev) keys.push(at.key);
  return keys.reverse();
}
