import type { ApiBucket } from '../../base/api-limits.js';
import type { AppRegistry } from '../../base/app-registry.js';
import { WIRE } from '../../base/vendor.js';
import { costExtension, MAX_COST, operationCost } from '../../graphql/graphql-cost.js';
import {
  GraphqlEngine,
  graphqlRequestOf,
  operationNote,
  type GraphqlContext,
} from '../../graphql/graphql-engine.js';
import { jsonReply, type StoreReply, type StoreRequest } from '../../http/store-request.js';
import { authenticate, type ApiCall } from '../admin-api/admin-api-access.js';
import { billingRoot } from '../billing/billing.resolvers.js';
import { bulkRoot } from '../bulk/bulk.resolvers.js';
import { variantsRoot } from '../products/variants.resolvers.js';
import { adminSchema } from './admin.schema.js';
import { adminRoot, type AdminGraphqlShop } from './graphql.resolvers.js';
import { scopesRoot } from './scopes.resolvers.js';

/**
 * Shared by all stores of a process: building a schema takes longer than most calls of a test
 * together.
 */
const engine = new GraphqlEngine(adminSchema);

/** The Admin GraphQL API. */
export class GraphqlSimulator {
  constructor(private readonly apps: AppRegistry) {}

  /**
   * Responds to a call; errors of the operation have status 200, as on the platform.
   * @throws StoreReplyError when the call is not authenticated or its body is not a GraphQL
   * request
   */
  async answer(
    shop: AdminGraphqlShop,
    request: StoreRequest,
    version: string,
  ): Promise<StoreReply> {
    const call = authenticate(shop.tokens, request, version);
    const { query, variables, operationName } = graphqlRequestOf(request);
    const checked = await engine.check(version, query);
    if ('errors' in checked) return jsonReply(200, checked);
    const { graphql, schema, document } = checked;
    const operation = graphql.getOperationAST(document, operationName);
    const costed = operation && { document, operation, variables };
    const bucket = shop.buckets.of('graphql', call.token.apiKey);
    const requested = costed ? operationCost(costed) : 0;
    if (requested > MAX_COST)
      return { ...tooCostly(requested), ...(operation ? { note: operationNote(operation) } : {}) };
    if (!bucket.take(requested)) return throttled(requested, bucket);

    const contextValue: GraphqlContext = { whole: false };
    const result = await graphql.execute({
      schema,
      document,
      rootValue: this.root(shop, call),
      contextValue,
      variableValues: variables,
      operationName: operationName ?? null,
    });
    if (!costed) return jsonReply(200, result);
    const actual = Math.min(requested, operationCost(costed, result.data ?? null));
    bucket.refund(requested - actual);
    const extensions = costExtension(requested, actual, bucket);
    return { ...jsonReply(200, { ...result, extensions }), note: operationNote(costed.operation) };
  }

  private root(shop: AdminGraphqlShop, call: ApiCall): object {
    const root = {
      ...adminRoot(shop, call, this.apps),
      ...variantsRoot(shop.catalog, call),
      ...billingRoot(shop.billing, call),
      ...scopesRoot(shop.installed, call, this.apps),
    };
    return { ...root, ...bulkRoot(shop, call, engine, root) };
  }
}

function throttled(requested: number, bucket: ApiBucket): StoreReply {
  const errors = [
    {
      message: 'Throttled',
      extensions: { code: 'THROTTLED', documentation: WIRE.limitsDocumentation },
    },
  ];
  const note = `throttled: costs ${requested}, ${bucket.available} of ${bucket.capacity} points left`;
  return {
    ...jsonReply(200, { errors, extensions: costExtension(requested, null, bucket) }),
    note,
    throttled: true,
  };
}

function tooCostly(cost: number): StoreReply {
  const message = `Query cost is ${cost}, which exceeds the single query max cost limit (${MAX_COST}).`;
  const extensions = {
    code: 'MAX_COST_EXCEEDED',
    cost,
    maxCost: MAX_COST,
    documentation: WIRE.limitsDocumentation,
  };
  return jsonReply(200, { errors: [{ message, extensions }] });
}
