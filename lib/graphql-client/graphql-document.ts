/**
 * A document that carries the types of its operation: what `graphql()` of gql.tada and the client
 * preset of GraphQL Code Generator make, parsed or as a text object. Described by its shape, so
 * that neither library is needed.
 */
export type DocumentOf<TData = unknown, TVariables = never> = (
  | { readonly kind: string; readonly definitions: readonly unknown[] }
  | { readonly length: number; toString(): string }
) & { __apiType?: ((variables: TVariables) => TData) | undefined };

/** Whatever an operation is written in: its text, or a document. */
export type GraphqlDocument = string | DocumentOf;

/**
 * A document whose types are known: the text of a registered operation, or one that carries them.
 */
export type TypedDocument<Operations> = (keyof Operations & string) | DocumentOf;

/**
 * Resolves to `never` for a text whose types are known: it must be called with its own variables.
 */
export type UntypedText<Operations, Text extends string> = Text extends keyof Operations
  ? never
  : Text;

/** What an operation answers with. */
export type DataOf<Operations, Document> = Document extends keyof Operations
  ? Operations[Document] extends { return: infer TData }
    ? TData
    : unknown
  : Document extends { __apiType?: ((variables: never) => infer TData) | undefined }
    ? TData
    : unknown;

/** What an operation is given. */
export type VariablesOf<Operations, Document> = Document extends keyof Operations
  ? Operations[Document] extends { variables: infer TVariables }
    ? Inputs<TVariables>
    : UnknownVariables
  : Document extends { __apiType?: ((variables: infer TVariables) => unknown) | undefined }
    ? unknown extends TVariables
      ? UnknownVariables
      : TVariables
    : UnknownVariables;

/** The variables of a document whose types are not known, by name. */
export type UnknownVariables = Readonly<Record<string, unknown>>;

/** Older code generators write a scalar as the pair of what goes in and what comes out. */
type Inputs<TVariables> = { [Name in keyof TVariables]: Input<TVariables[Name]> };
type Input<TValue> = TValue extends { input: infer TInput; output: unknown } ? TInput : TValue;
