/**
 * Queries of the Storefront interface by their text, for generated code to add to; written like
 * those of the Admin interface.
 */
export interface StorefrontQueries {}

/** Mutations of the Storefront interface by their text, for generated code to add to. */
export interface StorefrontMutations {}

/** What is known of an operation of the Storefront interface. */
export type StorefrontOperations = StorefrontQueries & StorefrontMutations;
