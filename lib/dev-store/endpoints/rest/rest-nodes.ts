import { randomBytes } from 'node:crypto';
import { capital } from '../../base/text-values.js';
import { globalId } from '../../base/vendor.js';
import { jsonOf, jsonReply, type StoreReply, type StoreRequest } from '../../http/store-request.js';
import type { NodeFields, StoredNode } from '../../state/nodes/node-store.js';
import { isForeignNode, isHidden } from '../nodes/app-ownership.js';
import type { NodeError } from '../nodes/mutation-shape.js';
import { nodeProblems, preparedFields } from '../nodes/node-rules.js';
import { addNode } from '../nodes/new-node.js';
import { nodeOrder, snakeCase } from '../nodes/node-search.js';
import { customerResource } from '../payloads/customer-payload.js';
import { fulfillmentOrderPayload } from '../payloads/fulfillment-payload.js';
import { nodePayload } from '../payloads/node-payload.js';
import { amountText } from '../payloads/payload-values.js';
import { RESOURCE_SHAPES } from '../payloads/resource-shapes.table.js';
import { matchesFilters } from './rest-filters.js';
import { nodeInput } from './rest-input.js';
import { pageReply } from './rest-pages.js';
import { listKey, type RestResource } from './rest-resources.table.js';
import { notFound, rootOf, selectFields, type RestCall } from './rest.endpoint.js';

/** A call about a resource of nodes; `ids` are those of its path, the object's own last. */
export interface NodeCall {
  readonly call: RestCall;
  readonly resource: RestResource;
  readonly ids: readonly number[];
}

/** Responds with a page of the objects. */
export function listNodes(at: NodeCall, request: StoreRequest): StoreReply {
  const { call, resource } = at;
  const view = (node: StoredNode): Record<string, unknown> => resourceView(node, call);
  const all = nodesOf(at, at.ids).map((node) => ({ id: node.number, node }));
  return pageReply(request, {
    ...{ key: listKey(resource), all, origin: call.shop.origin },
    filter: (filters) => {
      const matches = matchesFilters(filters, view);
      return ({ node }) => matches(node);
    },
    view: ({ node }) => view(node),
  });
}

/** Responds with the number of objects that fit the filters. */
export function countNodes(at: NodeCall, { url }: StoreRequest): StoreReply {
  const matches = matchesFilters(url, (node) => resourceView(node, at.call));
  return jsonReply(200, { count: nodesOf(at, at.ids).filter(matches).length });
}

/** Responds with one object. */
export function getNode(at: NodeCall, { url }: StoreRequest): StoreReply {
  const node = nodeAt(at);
  return node ? nodeReply(200, node, at, url) : notFound();
}

/** Creates an object. */
export function createNode(at: NodeCall, request: StoreRequest): StoreReply {
  const { call, resource, ids } = at;
  const writer = call.writer();
  const { nodes } = writer.reader.store;
  const { type, key = '', owner, ownerType } = resource;
  const body = rootOf(jsonOf(request), key);
  const ownerId = owner && ownerType ? globalId(ownerType, ids.at(-1) ?? NaN) : undefined;
  const given: NodeFields = {
    ...(has(type, 'published_at') ? { publishedAt: call.now() } : {}),
    ...nodeInput(type, body, nodes, call.now()),
    ...(owner ? { [owner]: ownerId } : {}),
  };
  const place = { reader: writer.reader, id: undefined };
  const problems = [...requiredProblems(type, body), ...nodeProblems(type, given, place)];
  if (problems.length > 0) return refusal(problems);
  const fields = preparedFields(type, given, place);
  const id = addNode(writer, [type, fields], has(type, 'handle'), (made) =>
    AFTER[type]?.(made, call),
  );
  const node = nodes.find(id);
  return node ? nodeReply(201, node, at, request.url) : notFound();
}

/** Changes an object. */
export function updateNode(at: NodeCall, request: StoreRequest): StoreReply {
  const { call, resource } = at;
  const node = nodeAt(at);
  if (!node || isForeignNode(call.token, node)) return notFound();
  const writer = call.writer();
  const { nodes } = writer.reader.store;
  const body = rootOf(jsonOf(request), resource.key ?? '');
  const given = nodeInput(resource.type, body, nodes, call.now(), false);
  const place = { reader: writer.reader, id: node.id };
  const problems = nodeProblems(resource.type, given, place);
  if (problems.length > 0) return refusal(problems);
  nodes.update(node.id, preparedFields(resource.type, given, place));
  writer.changed('update', node.id, nodes.fieldsOf(node.id));
  return nodeReply(200, node, at, request.url);
}

/** Deletes an object. */
export function deleteNode(at: NodeCall): StoreReply {
  const node = nodeAt(at);
  if (!node || isForeignNode(at.call.token, node)) return notFound();
  const { nodes } = at.call.shop;
  if (node.type === 'Customer' && nodes.naming(node.id, ['Order']).length > 0)
    return jsonReply(422, { errors: { base: ["can't be deleted, because it has orders"] } });
  if (node.type === 'OnlineStoreTheme' && node.fields['role'] === 'MAIN')
    return jsonReply(422, { errors: { base: ["can't delete the main theme"] } });
  nodes.delete(node.id);
  at.call.writer().changed('delete', node.id, node.fields);
  return jsonReply(200, {});
}

/** The node that a path names, when it is of the resource and of the owner in the path. */
function nodeAt({ call, resource, ids }: NodeCall): StoredNode | undefined {
  const { type, owner, ownerType } = resource;
  const node = call.shop.nodes.find(globalId(type, ids.at(-1) ?? NaN));
  if (!node || !belongs(node, resource) || isHidden(call.token, node)) return undefined;
  if (!owner) return node;
  const ownerId = globalId(ownerType ?? '', ids.at(-2) ?? NaN);
  return isOwned(call, owner, ownerId)(node) ? node : undefined;
}

/** An object as responses have it. */
export function resourceView(node: StoredNode, { shop }: RestCall): Record<string, unknown> {
  switch (node.type) {
    case 'Customer':
      return customerResource(node, shop);
    case 'FulfillmentOrder':
      return fulfillmentOrderPayload(node, shop);
    case 'GiftCard': {
      // The platform tells the code once, to the app that makes the card.
      const { code: _code, ...card } = nodePayload(node, shop);
      return card;
    }
    default:
      return { ...nodePayload(node, shop), ...rulesOf(node) };
  }
}

/** The response with an object. */
export function nodeReply(
  status: number,
  node: StoredNode,
  { call, resource }: NodeCall,
  url: URL,
): StoreReply {
  const { key = '' } = resource;
  const isNewCard = status === 201 && node.type === 'GiftCard';
  const view = {
    ...resourceView(node, call),
    ...(isNewCard ? { code: node.fields['code'] } : {}),
  };
  return jsonReply(status, { [key]: selectFields(view, url) });
}

/** The response to an input that the rules of a type refuse. */
export function refusal(problems: readonly NodeError[]): StoreReply {
  const errors: Record<string, string[]> = {};
  for (const { field, message } of problems) {
    const name = snakeCase(field?.at(-1) ?? 'base');
    const start = capital(name.replaceAll('_', ' '));
    (errors[name] ??= []).push(
      message.startsWith(`${start} `) ? message.slice(start.length + 1) : message,
    );
  }
  return jsonReply(422, { errors });
}

function nodesOf({ call, resource }: NodeCall, ids: readonly number[]): StoredNode[] {
  const { type, owner, ownerType } = resource;
  const { nodes } = call.shop;
  const all = nodes.all([type]).filter((node) => !isHidden(call.token, node));
  const found = owner
    ? all.filter(isOwned(call, owner, globalId(ownerType ?? '', ids.at(-1) ?? NaN)))
    : all.filter((node) => belongs(node, resource));
  // The newest orders come first.
  return resource.path === 'orders' ? found.sort(nodeOrder(undefined)).reverse() : found;
}

/** Whether a node names its owner, or its owner names it. */
function isOwned(
  { shop }: RestCall,
  owner: string,
  ownerId: string,
): (node: StoredNode) => boolean {
  const named = new Set(Object.values(shop.nodes.fieldsOf(ownerId)).flat());
  return ({ id, fields }) => fields[owner] === ownerId || named.has(id);
}

/** The two kinds of collections are told by whether they have rules. */
function belongs({ fields }: StoredNode, { path }: RestResource): boolean {
  if (path === 'smart_collections') return fields['ruleSet'] != null;
  return path === 'custom_collections' ? fields['ruleSet'] == null : true;
}

function rulesOf({ type, fields }: StoredNode): Record<string, unknown> {
  if (type !== 'Collection' || !fields['ruleSet']) return {};
  const { rules, appliedDisjunctively } = Object(fields['ruleSet']) as NodeFields;
  const lower = [rules ?? []].flat().map((rule) => {
    const { column, relation, condition } = Object(rule) as NodeFields;
    return { column: lowerCase(column), relation: lowerCase(relation), condition };
  });
  return { rules: lower, disjunctive: appliedDisjunctively ?? false };
}

function lowerCase(value: unknown): string | undefined {
  return typeof value === 'string' ? value.toLowerCase() : undefined;
}

/** Whether new objects of a type are published, unless they are not to be. */
function has(type: string, name: string): boolean {
  return RESOURCE_SHAPES[type]?.names.includes(name) === true;
}

/** What a new object of a type must have. */
const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  Article: ['title'],
  Blog: ['title'],
  DiscountCode: ['code'],
  OnlineStoreTheme: ['name'],
  PriceRule: ['title', 'value'],
  ScriptTag: ['src'],
  StorefrontAccessToken: ['title'],
  UrlRedirect: ['path', 'target'],
};

function requiredProblems(type: string, body: Readonly<Record<string, unknown>>): NodeError[] {
  const missing = (REQUIRED[type] ?? []).filter((name) => String(body[name] ?? '').trim() === '');
  const lines = body['line_items'];
  const isEmpty = /^(?:Draft)?Order$/.test(type) && !(Array.isArray(lines) && lines.length > 0);
  return [
    ...missing.map((name) => ({ field: [name], message: "can't be blank" })),
    ...(isEmpty ? [{ field: ['line_items'], message: 'must have at least one line item' }] : []),
  ];
}

/** What comes with a new object of a type. */
const AFTER: Readonly<Record<string, (id: string, call: RestCall) => void>> = {
  GiftCard: (id, { shop }) => {
    const { initialValue = 0, code: given } = shop.nodes.fieldsOf(id);
    const code = String(given ?? randomBytes(8).toString('hex')).replace(/\s+/g, '');
    const balance = amountText(initialValue);
    const values = { code, lastCharacters: code.slice(-4), balance, initialValue: balance };
    shop.nodes.update(id, { ...values, currency: shop.currency, enabled: true });
  },
  OnlineStoreTheme: (id, { shop }) => {
    shop.themes.fill(id);
    if (!shop.nodes.fieldsOf(id)['role']) shop.nodes.update(id, { role: 'UNPUBLISHED' });
  },
  StorefrontAccessToken: (id, { shop, token }) => {
    const scopes = token.scopes.filter((scope) => scope.startsWith('unauthenticated_'));
    const accessToken = shop.storefront.issue('public', scopes);
    shop.nodes.update(id, { accessToken, accessScope: scopes.join(',') });
  },
};
