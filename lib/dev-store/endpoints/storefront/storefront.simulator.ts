import { HEADERS } from '../../base/vendor.js';
import { QueryCost } from '../../graphql/graphql-cost.js';
import { answerInParts, type DeferredPart } from '../../graphql/graphql-defer.js';
import { GraphqlEngine, graphqlRequestOf, operationNote } from '../../graphql/graphql-engine.js';
import { execute } from '../../graphql/graphql-execution.js';
import {
  jsonReply,
  StoreReplyError,
  type StoreReply,
  type StoreRequest,
} from '../../http/store-request.js';
import { platformSchema } from '../../graphql/schemas/platform-schema.js';
import { nodeResolution } from '../nodes/node-resolution.js';
import { storefrontRoot, type StorefrontShop } from './storefront.resolvers.js';

/**
 * Shared by all stores of a process: building a schema takes longer than most calls of a test
 * together.
 */
const engine = new GraphqlEngine((version) => platformSchema('storefront', version));

/** The Storefront GraphQL API. */
export class StorefrontSimulator {
  constructor(private readonly now: () => Date) {}

  /**
   * Responds to a call; with several parts when fragments are deferred.
   * @throws StoreReplyError when the call is not authenticated or its body is not a GraphQL
   * request
   */
  async answer(shop: StorefrontShop, request: StoreRequest, version: string): Promise<StoreReply> {
    const scopes = scopesOf(shop, request);
    const posted = graphqlRequestOf(request);
    const operation = await engine.prepare(version, posted);
    if ('errors' in operation) return jsonReply(200, operation);
    const { graphql, document, variables } = operation;
    shop.nodes.beginCall();
    const resolution = nodeResolution(storefrontRoot(shop, scopes, this.now), shop, {
      api: 'storefront',
      apiKey: undefined,
      version,
      now: this.now,
      // The scopes of storefronts have other names than those of the types' resources.
      mayUse: () => true,
    });
    const executed = async (part: typeof document) =>
      execute(operation, resolution, { ...posted, document: part });
    const note = operationNote(operation.operation);
    // This API limits no app by cost: it tells what a query costs, and nothing of a bucket.
    const extensions = { cost: { requestedQueryCost: new QueryCost(operation).requested() } };
    const inParts = await answerInParts(
      graphql,
      { document, selections: operation.operation.selectionSet, variables },
      executed,
    );
    if (!inParts) return { ...jsonReply(200, { ...(await executed(document)), extensions }), note };
    const payloads = incremental({ ...inParts.first, extensions }, inParts.parts);
    return {
      status: 200,
      headers: { 'Content-Type': MULTIPART },
      body: multipart(payloads),
      note: `${note}, in ${payloads.length} parts`,
    };
  }
}

const BOUNDARY = 'graphql';
const MULTIPART = `multipart/mixed; boundary=${BOUNDARY}; deferSpec=20220824`;

/** The results in the order they are sent: first the initial result, then each fragment. */
function incremental(first: object, parts: readonly DeferredPart[]): object[] {
  const later = parts.map((part, index) => ({
    incremental: [part],
    hasNext: index < parts.length - 1,
  }));
  return [{ ...first, hasNext: parts.length > 0 }, ...later];
}

/** A multipart body, each part written separately. */
async function* multipart(payloads: readonly object[]): AsyncGenerator<string> {
  for (const payload of payloads) {
    const json = JSON.stringify(payload);
    yield `\r\n--${BOUNDARY}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(json)}\r\n\r\n${json}`;
    // Each part is sent before the next one is written.
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
  yield `\r\n--${BOUNDARY}--\r\n`;
}

/**
 * The scopes of a call's token: a public or private token of the storefront, or the access token of
 * an app as a private one.
 */
function scopesOf(shop: StorefrontShop, request: StoreRequest): readonly string[] {
  const { storefrontPublicToken, storefrontPrivateToken } = HEADERS;
  const scopes =
    shop.storefront.scopesOf('public', request.header(storefrontPublicToken)) ??
    shop.storefront.scopesOf('private', request.header(storefrontPrivateToken)) ??
    shop.tokens.find(request.header(storefrontPrivateToken) ?? '')?.scopes;
  if (scopes) return scopes;
  throw new StoreReplyError(
    jsonReply(401, { errors: [{ message: '', extensions: { code: 'UNAUTHORIZED' } }] }),
  );
}
