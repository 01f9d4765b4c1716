import type * as GraphQL from 'graphql';
import { LRUCache } from 'lru-cache';
import { jsonOf, jsonReply, StoreReplyError, type StoreRequest } from '../http/store-request.js';
import { inputSizeErrors } from './graphql-input-size.js';
import type { GraphqlOperation } from './graphql-selection.js';
import { parseDocument } from './graphql-syntax.js';
import { validateDocument } from './graphql-validation.js';
import { coerceVariables } from './graphql-variables.js';

/** A posted GraphQL request. */
interface GraphqlRequest {
  readonly query: string;
  readonly variables: Record<string, unknown>;
  readonly operationName: string | undefined;
}

/** A document that is valid in a version's schema, with the package that executes it. */
export interface CheckedDocument {
  readonly graphql: typeof GraphQL;
  readonly schema: GraphQL.GraphQLSchema;
  readonly document: GraphQL.DocumentNode;
}

/** The limit of the document cache, in characters. */
const MAX_CACHED_CHARACTERS = 1_000_000;

/**
 * The schemas of one GraphQL interface. The `graphql` package and the schemas are loaded with the
 * first call.
 */
export class GraphqlEngine {
  private readonly schemas = new Map<string, Promise<GraphQL.GraphQLSchema>>();
  /**
   * Valid documents, by version and text: apps send the same few documents again and again, and
   * validating one takes longer than executing it.
   */
  private readonly valid = new LRUCache<string, CheckedDocument>({
    maxSize: MAX_CACHED_CHARACTERS,
    sizeCalculation: (_, { length }) => length,
  });

  /**
   * @param definition resolves with the valid schema definition of an API version
   * @param load imports the `graphql` package, an optional peer
   */
  constructor(
    private readonly definition: (version: string) => Promise<string>,
    private readonly load: () => Promise<typeof GraphQL> = () => import('graphql'),
  ) {}

  /**
   * Parses a document and validates it. @throws StoreReplyError with 501 when the `graphql`
   * package is not installed
   */
  async check(
    version: string,
    query: string,
  ): Promise<CheckedDocument | { errors: readonly GraphQL.GraphQLError[] }> {
    const key = `${version} ${query}`;
    const known = this.valid.get(key);
    if (known) return known;
    const graphql = await this.load().catch(throwMissingPackage);
    const schema = await this.schemaOf(graphql, version);
    const document = parseDocument(graphql, query);
    if ('errors' in document) return document;
    const errors = validateDocument(graphql, schema, document);
    if (errors.length > 0) return { errors };
    const checked = { graphql, schema, document };
    this.valid.set(key, checked);
    return checked;
  }

  /**
   * The operation of a request, ready to be executed, or why it cannot be. @throws StoreReplyError
   * with 501 when the `graphql` package is not installed
   */
  async prepare(
    version: string,
    { query, variables, operationName }: GraphqlRequest,
  ): Promise<GraphqlOperation | { errors: readonly GraphQL.GraphQLError[] }> {
    const checked = await this.check(version, query);
    if ('errors' in checked) return checked;
    const { graphql, schema, document } = checked;
    const operation = graphql.getOperationAST(document, operationName);
    if (!operation) {
      const message =
        operationName === undefined
          ? 'An operation name is required'
          : `No operation named ${JSON.stringify(operationName)}`;
      return { errors: [new graphql.GraphQLError(message)] };
    }
    const result = coerceVariables(graphql, schema, operation, variables);
    if ('errors' in result) return result;
    const prepared = { ...checked, operation, variables: result.coerced };
    const errors = inputSizeErrors(prepared);
    return errors.length > 0 ? { errors } : prepared;
  }

  private schemaOf(
    { buildSchema }: typeof GraphQL,
    version: string,
  ): Promise<GraphQL.GraphQLSchema> {
    // Locations and a second look at what the platform has published take half of the time.
    const options = { noLocation: true, assumeValid: true, assumeValidSDL: true };
    const known =
      this.schemas.get(version) ??
      this.definition(version).then((definition) => buildSchema(definition, options));
    this.schemas.set(version, known);
    return known;
  }
}

/**
 * Responds with the name of the missing package, and logs why it could not be loaded. Clients do
 * not retry this status.
 */
function throwMissingPackage(cause: unknown): never {
  const errors =
    'The GraphQL interfaces of the DevStore need the package "graphql", which could not be loaded. Run: npm install --save-dev graphql@16';
  const note = `${errors} (${cause instanceof Error ? cause.message : String(cause)})`;
  throw new StoreReplyError({ ...jsonReply(501, { errors }), note });
}

/** The GraphQL request in a body. @throws StoreReplyError with 400 when the body is not one */
export function graphqlRequestOf(request: StoreRequest): GraphqlRequest {
  if (request.header('content-type')?.startsWith('application/graphql')) {
    return { query: request.body.toString(), variables: {}, operationName: undefined };
  }
  const { query, variables, operationName } = jsonOf(request);
  if (typeof query !== 'string' || query === '') throw invalidParameter('query');
  if (variables !== undefined && (typeof variables !== 'object' || Array.isArray(variables)))
    throw invalidParameter('variables');
  return {
    query,
    variables: (variables ?? {}) as Record<string, unknown>,
    operationName: typeof operationName === 'string' ? operationName : undefined,
  };
}

function invalidParameter(name: string): StoreReplyError {
  return new StoreReplyError(
    jsonReply(400, { errors: { [name]: 'Required parameter missing or invalid' } }),
  );
}

/** `mutation productCreate`: the kind of an operation and its root fields. */
export function operationNote({
  operation,
  selectionSet,
}: GraphQL.OperationDefinitionNode): string {
  const fields = selectionSet.selections.flatMap((selection) =>
    selection.kind === 'Field' ? [selection.name.value] : [],
  );
  return `${operation} ${fields.join(', ')}`;
}
