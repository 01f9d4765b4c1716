import type { ApiBucket } from '../../base/api-limits.js';
import type { AppRegistry } from '../../base/app-registry.js';
import { HEADERS, WIRE } from '../../base/vendor.js';
import { costExtension, MAX_COST, maxCostMessage, QueryCost } from '../../graphql/graphql-cost.js';
import { GraphqlEngine, graphqlRequestOf, operationNote } from '../../graphql/graphql-engine.js';
import { execute, type Resolution } from '../../graphql/graphql-execution.js';
import type { SearchReport } from '../../graphql/graphql-search.js';
import { jsonReply, type StoreReply, type StoreRequest } from '../../http/store-request.js';
import type { AccessToken } from '../../state/apps/access-token.js';
import { authenticate, mayUse, type ApiCall } from '../admin-api/admin-api-access.js';
import { billingRoot } from '../billing/billing.resolvers.js';
import { bulkRoot } from '../bulk/bulk.resolvers.js';
import { platformSchema } from '../../graphql/schemas/platform-schema.js';
import { isForeign } from '../metafields/definitions.resolvers.js';
import { metafieldsRoot, withMetafields } from '../metafields/metafields.resolvers.js';
import { metaobjectsRoot } from '../metaobjects/metaobjects.resolvers.js';
import { isHidden } from '../nodes/app-ownership.js';
import { nodeResolution } from '../nodes/node-resolution.js';
import { optionsRoot } from '../products/options.resolvers.js';
import { mediaRoot } from '../products/media.resolvers.js';
import { productCopiesRoot } from '../products/product-copies.resolvers.js';
import { productLookupsRoot } from '../products/product-lookups.resolvers.js';
import { productSetRoot } from '../products/product-set.resolvers.js';
import { variantsRoot } from '../products/variants.resolvers.js';
import { platformRoot } from '../shop/platform.resolvers.js';
import { appsRoot } from './apps.resolvers.js';
import { delegateTokensRoot } from './delegate-tokens.resolvers.js';
import { adminRoot, type AdminGraphqlShop } from './graphql.resolvers.js';
import { scopesRoot } from './scopes.resolvers.js';
import { webhooksRoot } from './webhooks.resolvers.js';

/**
 * Shared by all stores of a process: building a schema takes longer than most calls of a test
 * together.
 */
const engine = new GraphqlEngine((version) => platformSchema('admin', version));

/** The Admin GraphQL API. */
export class GraphqlSimulator {
  /** What the documents of all calls with a token are executed on, by version. */
  private readonly callers = new WeakMap<AccessToken, Map<string, Resolution>>();

  constructor(
    private readonly apps: AppRegistry,
    private readonly now: () => Date,
  ) {}

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

    shop.nodes.beginCall();
    const searches: SearchReport[] = [];
    const result = await execute(operation, this.resolution(shop, call), { ...posted, searches });
    const actual = cost.actual(result.data ?? null);
    bucket.refund(requested - actual);
    const told = request.header(HEADERS.searchDebug) === '1' ? () => true : hasWarnings;
    const search = searches.filter(told);
    const extensions = {
      ...costExtension(requested, actual, bucket),
      ...(search.length > 0 ? { search } : {}),
    };
    return { ...jsonReply(200, { ...result, extensions }), note };
  }

  private resolution(shop: AdminGraphqlShop, call: ApiCall): Resolution {
    const { token, version } = call;
    const known = this.callers.get(token) ?? new Map<string, Resolution>();
    const resolution = known.get(version) ?? this.resolutionOf(shop, call);
    this.callers.set(token, known.set(version, resolution));
    return resolution;
  }

  /** Nothing of it may depend on a single call. */
  private resolutionOf(shop: AdminGraphqlShop, call: ApiCall): Resolution {
    const app = this.apps.require(call.token.apiKey);
    const custom = { shop, app, mayUse: (scope: string) => mayUse(call, scope) };
    const base = {
      ...bulkRoot(shop, call, engine, () => resolution),
      ...adminRoot(shop, call, this.apps),
      ...variantsRoot(shop, call),
      ...optionsRoot(shop.catalog, call),
      ...productSetRoot(shop, call),
      ...productCopiesRoot(shop, call),
      ...mediaRoot(shop, call),
      ...productLookupsRoot(shop.catalog, call),
      ...webhooksRoot(shop.webhooks, call, app.id),
      ...billingRoot(shop.billing, call),
      ...scopesRoot(shop.installed, call, this.apps),
      ...appsRoot(shop, call, this.apps),
      ...platformRoot(shop, this.now),
      ...delegateTokensRoot(shop, call, this.now),
    };
    const root = metafieldsRoot(metaobjectsRoot(base, custom), custom);
    const nodes = nodeResolution(root, shop, {
      api: 'admin',
      apiKey: call.token.apiKey,
      version: call.version,
      now: this.now,
      mayUse: custom.mayUse,
      hides: (node) => isForeign(node, app.id) || isHidden(app, node),
    });
    const resolution = withMetafields(nodes, custom);
    return resolution;
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
