import type {
  DocumentNode,
  ExecutionResult,
  GraphQLFieldResolver,
  GraphQLObjectType,
  GraphQLTypeResolver,
} from 'graphql';
import type { CheckedDocument } from './graphql-engine.js';
import { ForeignIdError } from './graphql.errors.js';
import type { SearchReport } from './graphql-search.js';

/** The execution context of resolvers. */
export interface GraphqlContext {
  /** Connections return all items and need no paging arguments, as in bulk operations. */
  readonly whole: boolean;
  /** The searches of the operation, which resolvers add. */
  readonly searches: SearchReport[];
  /** Resolves the fields that the root and its objects have no value for. */
  readonly missing: GraphQLFieldResolver<unknown, GraphqlContext>;
  /** Whether the call covers a scope. */
  readonly mayUse: (scope: string) => boolean;
}

/** What the documents of one call are executed on. */
export interface Resolution {
  /** The resolvers of the root fields, by name. */
  readonly root: object;
  readonly missing: GraphqlContext['missing'];
  readonly mayUse: GraphqlContext['mayUse'];
}

/** An operation of a document, with what it is called with. */
interface ExecutedOperation {
  /** @default the whole document that was checked */
  readonly document?: DocumentNode;
  /** As they were posted. */
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly operationName?: string | undefined;
  /** @default false */
  readonly whole?: boolean;
  /** Receives the searches. */
  readonly searches?: SearchReport[];
}

/**
 * Executes a valid document: each field has the value of the property of its name, or what that
 * returns when it is a function, and else what the resolution says.
 */
export async function execute(
  checked: CheckedDocument,
  { root, missing, mayUse }: Resolution,
  { document, variables, operationName, whole = false, searches = [] }: ExecutedOperation = {},
): Promise<ExecutionResult> {
  const contextValue: GraphqlContext = { whole, searches, missing, mayUse };
  return checked.graphql.execute({
    schema: checked.schema,
    document: document ?? checked.document,
    rootValue: root,
    contextValue,
    fieldResolver: resolveField,
    typeResolver: resolveType,
    operationName: operationName ?? null,
    ...(variables ? { variableValues: variables } : {}),
  });
}

const resolveField: GraphQLFieldResolver<unknown, GraphqlContext> = (
  source,
  args,
  context,
  info,
) => {
  const value: unknown = (source as Record<string, unknown>)[info.fieldName];
  const result: unknown =
    typeof value === 'function' ? value.call(source, args, context, info) : value;
  return result === undefined ? context.missing(source, args, context, info) : result;
};

/**
 * The type that an object names, or the first of those that it may have.
 * @throws ForeignIdError when it is one that the field cannot have: its id is of another type
 */
const resolveType: GraphQLTypeResolver<unknown, GraphqlContext> = (
  value,
  _context,
  { schema },
  type,
) => {
  const { __typename: name, id } = value as { readonly __typename?: string; readonly id?: unknown };
  const named = name === undefined ? undefined : schema.getType(name);
  if (named && 'getFields' in named && !schema.isSubType(type, named as GraphQLObjectType))
    throw new ForeignIdError(String(id));
  return name ?? schema.getPossibleTypes(type)[0]?.name;
};
