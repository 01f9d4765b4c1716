/**
 * Queries of the Admin interface by their text, for generated code to add to; see
 * {@link AdminOperations}.
 */
export interface AdminQueries {}

/**
 * Mutations of the Admin interface by their text, for generated code to add to; see
 * {@link AdminOperations}.
 */
export interface AdminMutations {}

/**
 * What is known of an operation: `{ return: …; variables: … }`, as code generators for this
 * platform write it.
 * @example
 * declare module 'shopwright/graphql-client' {
 *   interface AdminQueries {
 *     '#graphql\n query Shop { shop { name } }': { return: { shop: { name: string } }; variables: {} };
 *   }
 * }
 */
export type AdminOperations = AdminQueries & AdminMutations;
