import type { ApiBucket } from '../../base/api-limits.js';
import type { AppRegistry } from '../../base/app-registry.js';
import { HEADERS, WIRE } from '../../base/vendor.js';
import { costExtension, MAX_COST, maxCostMessage, QueryCost } from '../../graphql/graphql-cost.js';
import {
  GraphqlEngine,
  graphqlRequestOf,
  operationNote,
  type GraphqlContext,
} from '../../graphql/graphql-engine.js';
import type { SearchReport } from '../../graphql/graphql-search.js';
import { jsonReply, type StoreReply, type StoreRequest } from '../../http/store-request.js';
import { authenticate, type ApiCall } from '../admin-api/admin-api-access.js';
import { billingRoot } from '../billing/billing.resolvers.js';
import { bulkRoot } from '../bulk/bulk.resolvers.js';
import { variantsRoot } from '../products/variants.resolvers.js';
import { adminSchema } from './admin.schema.js';
import { adminRoot, type AdminGraphqlShop } from './graphql.resolvers.js';
import { scopesRoot } from './scopes.resolvers.js';
import { webhooksRoot } from './webhooks.resolvers.js';

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
    const posted = graphqlRequestOf(request);
    const operation = await engine.prepare(version, posted);
    if ('errors' in operation) return jsonReply(200, operation);
    const note = operationNote(operation.operation);
    const bucket = shop.buckets.of('graphql', call.token.apiKey);
    const cost = new QueryCost(operation);
    const requested = cost.requested();
    if (requested > MAX_COST && !bucket.isUnlimited) return { ...tooCostly(requested), note };
    if (!bucket.take(requested)) return throttled(requested, bucket);

    const contextValue: GraphqlContext = { whole: false, searches: [] };
    const result = await operation.graphql.execute({
      schema: operation.schema,
      document: operation.document,
      rootValue: this.root(shop, call),
      contextValue,
      variableValues: posted.variables,
      operationName: posted.operationName ?? null,
    });
    const actual = cost.actual(result.data ?? null);
    bucket.refund(requested - actual);
    const told = request.header(HEADERS.searchDebug) === '1' ? () => true : hasWarnings;
    const searches = contextValue.searches.filter(told);
    const extensions = {
      ...costExtension(requested, actual, bucket),
      ...(searches.length > 0 ? { search: searches } : {}),
    };
    return { ...jsonReply(200, { ...result, extensions }), note };
  }

  private root(shop: AdminGraphqlShop, call: ApiCall): object {
    const root = {
      ...adminRoot(shop, call, this.apps),
      ...variantsRoot(shop.catalog, call),
      ...webhooksRoot(shop.webhooks, call, this.apps.get(call.token.apiKey)?.id ?? 0),
      ...billingRoot(shop.billing, call),
      ...scopesRoot(shop.installed, call, this.apps),
    };
    return { ...root, ...bulkRoot(shop, call, engine, root) };
  }
}

function hasWarnings({ warnings }: SearchReport): boolean {
  return warnings.length > 0;
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
  const extensions = {
    code: 'MAX_COST_EXCEEDED',
    cost,
    maxCost: MAX_COST,
    documentation: WIRE.limitsDocumentation,
  };
  return jsonReply(200, { errors: [{ message: maxCostMessage(cost), extensions }] });
}
