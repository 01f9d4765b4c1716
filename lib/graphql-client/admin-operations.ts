/** Queries by their text, for generated code to add to; see {@link AdminOperation}. */
export interface AdminQueries {}

/** Mutations by their text, for generated code to add to; see {@link AdminOperation}. */
export interface AdminMutations {}

/**
 * What is known of an operation: `{ return: …; variables: … }`, as code generators for this platform write it.
 * @example
 * declare module 'shopwright/graphql-client' {
 *   interface AdminQueries {
 *     '#graphql\n query Shop { shop { name } }': { return: { shop: { name: string } }; variables: {} };
 *   }
 * }
 */
export type AdminOperations = AdminQueries & AdminMutations;

/** The text of an operation whose types are known. */
export type AdminOperation = keyof AdminOperations & string;

/** What an operation answers with. */
export type DataOf<Operation extends AdminOperation> = AdminOperations[Operation] extends { return: infer TData } ? TData : unknown;

/** What an operation is given. */
export type VariablesOf<Operation extends AdminOperation> = AdminOperations[Operation] extends { variables: infer TVariables }
  ? TVariables
  : Readonly<Record<string, unknown>>;

/** Resolves to `never` for an operation whose types are known: it must be called with its own variables. */
export type UntypedOperation<Text extends string> = Text extends AdminOperation ? never : Text;
