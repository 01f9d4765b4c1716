import type { ShopNodes } from './shop-nodes.js';

/** The call that a resolver of an app's own tests works for. */
export interface OwnResolverContext {
  readonly api: 'admin' | 'storefront';
  /** Domain of the shop. */
  readonly shop: string;
  /** The app whose token it has; undefined in the Storefront API. */
  readonly apiKey: string | undefined;
  /** The version in the path, e.g. `2026-07`. */
  readonly version: string;
  /** The nodes of the shop that have no rules of their own. */
  readonly nodes: ShopNodes;
}

/**
 * Resolves a field of `QueryRoot` or `Mutation` in place of the store: with an object of plain
 * values, in which nodes are named by their ids and connections are lists. What it leaves out has
 * the default of its type, what it throws is an error of the response; `undefined` leaves the call
 * to the store.
 * @param args the arguments, as the schema has coerced them
 */
export type OwnResolver = (
  args: Readonly<Record<string, unknown>>,
  context: OwnResolverContext,
) => unknown;

/** Resolvers by the names of fields, e.g. `commentApprove`. */
export interface OwnResolvers {
  readonly queries: Record<string, OwnResolver>;
  readonly mutations: Record<string, OwnResolver>;
}
