import type * as GraphQL from 'graphql';
import { authenticate } from './admin-api.access.js';
import { adminSchema } from './admin.schema.js';
import type { AppRegistry } from './app-registry.js';
import type { DevShop } from './dev-shop.js';
import { costExtension, operationCost } from './graphql.cost.js';
import { adminRoot } from './graphql.resolvers.js';
import { jsonOf, jsonReply, Refusal, type StoreReply, type StoreRequest } from './store-request.js';

interface GraphqlBody {
  query: string;
  variables: Record<string, unknown>;
  operationName: string | undefined;
}

const MOST_TOKENS = 10_000;

/** The Admin GraphQL interface. The `graphql` package and the schemas are loaded with the first call. */
export class GraphqlSimulator {
  private readonly schemas = new Map<string, GraphQL.GraphQLSchema>();

  constructor(private readonly apps: AppRegistry) {}

  /**
   * Answers a call; errors of the operation come with status 200, as on the platform.
   * @throws Refusal when the call is not authenticated or its body is not a GraphQL request
   */
  async answer(shop: DevShop, request: StoreRequest, version: string): Promise<StoreReply> {
    const call = authenticate(shop, request, version);
    const { query, variables, operationName } = bodyOf(request);
    const graphql = await import('graphql');
    const parsed = this.parse(graphql, version, query);
    if ('errors' in parsed) return jsonReply(200, parsed);
    const { schema, document } = parsed;
    const operation = graphql.getOperationAST(document, operationName);
    const result = await graphql.execute({
      schema,
      document,
      rootValue: adminRoot(call, this.apps),
      variableValues: variables,
      operationName: operationName ?? null,
    });
    if (!operation) return jsonReply(200, result);
    const cost = costExtension(operationCost(document, operation, variables));
    return { ...jsonReply(200, { ...result, extensions: { cost } }), note: noteOf(operation) };
  }

  private parse(
    graphql: typeof GraphQL,
    version: string,
    query: string,
  ): { schema: GraphQL.GraphQLSchema; document: GraphQL.DocumentNode } | { errors: readonly GraphQL.GraphQLError[] } {
    const schema = this.schemaOf(graphql, version);
    try {
      const document = graphql.parse(query, { maxTokens: MOST_TOKENS });
      const errors = graphql.validate(schema, document);
      return errors.length > 0 ? { errors } : { schema, document };
    } catch (error) {
      if (error instanceof graphql.GraphQLError) return { errors: [error] };
      throw error;
    }
  }

  private schemaOf({ buildSchema }: typeof GraphQL, version: string): GraphQL.GraphQLSchema {
    const definition = adminSchema(version);
    const known = this.schemas.get(definition) ?? buildSchema(definition);
    this.schemas.set(definition, known);
    return known;
  }
}

/** `mutation productCreate`: the kind of an operation and the fields it asks the root for. */
function noteOf({ operation, selectionSet }: GraphQL.OperationDefinitionNode): string {
  const fields = selectionSet.selections.flatMap((selection) => (selection.kind === 'Field' ? [selection.name.value] : []));
  return `${operation} ${fields.join(', ')}`;
}

function bodyOf(request: StoreRequest): GraphqlBody {
  if (request.header('content-type')?.startsWith('application/graphql')) {
    return { query: request.body.toString(), variables: {}, operationName: undefined };
  }
  const { query, variables, operationName } = jsonOf(request);
  if (typeof query !== 'string' || query === '') throw invalidParameter('query');
  if (variables !== undefined && (typeof variables !== 'object' || Array.isArray(variables))) throw invalidParameter('variables');
  return {
    query,
    variables: (variables ?? {}) as Record<string, unknown>,
    operationName: typeof operationName === 'string' ? operationName : undefined,
  };
}

function invalidParameter(name: string): Refusal {
  return new Refusal(jsonReply(400, { errors: { [name]: 'Required parameter missing or invalid' } }));
}
