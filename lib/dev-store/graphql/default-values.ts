import type { GraphQLOutputType, GraphQLResolveInfo } from 'graphql';
import { isoTime } from '../base/iso-time.js';

/** What the defaults of a shop's values depend on. */
export interface DefaultsContext {
  readonly now: () => Date;
  /** The shop's address, e.g. `https://dev-shop.myshopify.com`. */
  readonly url: string;
  /** The code of its currency, e.g. `EUR`. */
  readonly currency: string;
  /** The code of its country, e.g. `IE`. */
  readonly country: string;
}

/**
 * The value of a field for which a shop has none: null where the schema allows it, else the
 * plainest value of its type. Objects come empty: their fields are resolved one by one.
 */
export function defaultValue(
  context: DefaultsContext,
  type: GraphQLOutputType,
  info: Pick<GraphQLResolveInfo, 'schema'>,
): unknown {
  const written = type.toString();
  if (!written.endsWith('!')) return null;
  if (written.startsWith('[')) return [];
  const name = written.slice(0, -1);
  const scalar = SCALARS[name];
  if (scalar) return scalar(context);
  const named = info.schema.getType(name);
  if (named && 'getValues' in named) return named.getValues()[0]?.name;
  if (named && 'parseValue' in named) return '';
  if (name.endsWith('Connection')) return { __typename: name, ...EMPTY_CONNECTION };
  // An interface or a union resolves to the first of its types.
  return named && 'getFields' in named && !('resolveType' in named) ? { __typename: name } : {};
}

/** A connection without items, which is no promise of further ones. */
const EMPTY_CONNECTION = {
  edges: [],
  nodes: [],
  pageInfo: { hasNextPage: false, hasPreviousPage: false, startCursor: null, endCursor: null },
};

type Default = (context: DefaultsContext) => unknown;

/** The defaults of scalars, and of enums whose first value would mislead. */
const SCALARS: Readonly<Record<string, Default>> = {
  Boolean: () => false,
  Int: () => 0,
  Float: () => 0,
  BigInt: () => '0',
  UnsignedInt64: () => '0',
  Decimal: () => '0.0',
  Money: () => '0.0',
  DateTime: ({ now }) => isoTime(now()),
  Date: ({ now }) => now().toISOString().slice(0, 10),
  URL: ({ url }) => url,
  JSON: () => ({}),
  UtcOffset: () => '+00:00',
  Color: () => '#000000',
  CountPrecision: () => 'EXACT',
  CurrencyCode: ({ currency }) => currency,
  CountryCode: ({ country }) => country,
  LanguageCode: () => 'EN',
  WeightUnit: () => 'KILOGRAMS',
};
