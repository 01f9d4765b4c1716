import type { GraphQLNamedType, GraphQLSchema } from 'graphql';
import {
  ForeignIdError,
  NoCustomIdError,
  NotSimulatedError,
} from '../../graphql/graphql.errors.js';
import { connection, type ConnectionArgs } from '../../graphql/graphql.connection.js';
import type { GraphqlContext } from '../../graphql/graphql-execution.js';
import { search } from '../../graphql/graphql-search.js';
import { countView } from '../../graphql/graphql.views.js';
import {
  argumentOf,
  connectionNode,
  fieldsOf,
  isComposite,
  isList,
  isNode,
  namedType,
  possibleTypes,
} from '../../graphql/schema-types.js';
import type { StoredNode } from '../../state/nodes/node-store.js';
import { cleanEmail, cleanPhone } from '../customers/contact-values.js';
import { typeOfId, type NodeReader } from './node-reader.js';
import { nodeOrder, nodeValue, searchFieldsOf } from './node-search.js';

interface ListArgs extends ConnectionArgs {
  query?: string | null;
  sortKey?: string | null;
  limit?: number | null;
  id?: unknown;
  handle?: unknown;
  code?: unknown;
  identifier?: Readonly<Record<string, unknown>>;
}

type Resolve = GraphqlContext['missing'];

/**
 * Resolves the fields of `QueryRoot` that have no rules of their own from their names, arguments
 * and types: lists, counts, and single objects by id, handle or identifier.
 */
export function nodeQueries(reader: NodeReader): Resolve {
  return (source, args: ListArgs, context, info) => {
    const { fieldName, returnType, schema, parentType } = info;
    const type = namedType(returnType);
    const find = (of: GraphQLNamedType): StoredNode[] => {
      const fields = searchFieldsOf(of);
      const nodes = reader.store.nodes
        .all(storedTypes(schema, of))
        .filter((node) => !reader.store.hides(node) && isWanted(node, args, fieldsOf(of)));
      return search(nodes, args.query, fields, { context, info });
    };
    const items = connectionNode(type);
    if (items) {
      const found = find(items).sort(nodeOrder(args.sortKey ?? undefined));
      const page = found.map(({ id, number }) => ({ id: number, gid: id }));
      return connection(page, args, context, ({ gid }) => reader.view(gid) ?? {});
    }
    if (type.name === 'Count') {
      const list = fieldsOf(parentType)[fieldName.replace(/Count$/, '')];
      const counted = list && connectionNode(namedType(list.type));
      return countView(counted ? find(counted).length : 0, args.limit ?? undefined);
    }
    if (!isComposite(type)) return reader.resolve(source, args, context, info);
    if (isList(returnType)) {
      const nodes = isNode(type) ? find(type) : [];
      return nodes.map(({ id }) => reader.view(id));
    }
    const wanted = identifierOf(args);
    // Without an id, a location is the first of the shop.
    if (!wanted && type.name === 'Location')
      return reader.view(reader.store.nodes.first('Location')?.id ?? '');
    if (!wanted) return reader.resolve(source, args, context, info);
    if (wanted['customId'] != null) throw customIdError(reader, wanted['customId'], fieldName);
    const types = storedTypes(schema, type);
    const id = wanted['id'];
    const takesId = argumentOf(parentType.getFields()[fieldName], 'id');
    if (typeof id === 'string' && takesId && !types.includes(typeOfId(id)) && isNode(type))
      throw new ForeignIdError(id);
    if (typeof id === 'string')
      return reader.view(id) ?? reader.resolve(source, args, context, info);
    const node = reader.store.nodes
      .all(types)
      .find((one) =>
        Object.entries(wanted).every(
          ([name, value]) =>
            value == null || isSame(name, nodeValue(one, STORED[name] ?? name), value),
        ),
      );
    return node ? reader.view(node.id) : null;
  };
}

/**
 * Whether a node is what the arguments of a list say beside its `query`: those called like a field,
 * as in `metafieldDefinitions(ownerType:)` and `themes(roles:)`, and what a list leaves out.
 */
function isWanted(node: StoredNode, args: object, known: ReturnType<typeof fieldsOf>): boolean {
  return Object.entries(args).every(([name, wanted]) => {
    if (wanted == null || NO_FILTERS.has(name)) return true;
    if (name === 'pinnedStatus')
      return (
        wanted === 'ANY' || (nodeValue(node, 'pinnedPosition') != null) === (wanted === 'PINNED')
      );
    if (name === 'includeClosed') return wanted || nodeValue(node, 'status') !== 'CLOSED';
    if (name === 'includeInactive') return wanted || nodeValue(node, 'isActive') !== false;
    if (name === 'includeLegacy') return wanted || nodeValue(node, 'isFulfillmentService') !== true;
    if (name in known) return nodeValue(node, name) === wanted;
    const one = name.replace(/s$/, '');
    return !Array.isArray(wanted) || !(one in known) || wanted.includes(nodeValue(node, one));
  });
}

/** The arguments of lists, and of single objects, that have a meaning of their own. */
const NO_FILTERS: ReadonlySet<string> = new Set(
  'after before first last reverse query sortKey limit id handle code identifier'.split(' '),
);

/** The types of the nodes that a type stands for: a `DiscountNode` has the id of another type. */
function storedTypes(schema: GraphQLSchema, type: GraphQLNamedType): readonly string[] {
  return type.name === 'DiscountNode' ? DISCOUNTS : possibleTypes(schema, type);
}

const DISCOUNTS = ['DiscountCodeNode', 'DiscountAutomaticNode'];

/** The fields of nodes that identifiers call otherwise. */
const STORED: Readonly<Record<string, string>> = { emailAddress: 'email', phoneNumber: 'phone' };

/** How a text that names a node is kept: the case of a discount's code does not matter. */
const CLEANED: Readonly<Record<string, (text: string) => string>> = {
  code: (code) => code.toLowerCase(),
  emailAddress: cleanEmail,
  phoneNumber: cleanPhone,
};

function isSame(name: string, one: unknown, other: unknown): boolean {
  const clean = CLEANED[name];
  return clean ? clean(String(one)) === clean(String(other)) : one === other;
}

/** Why nothing is looked up by a metafield: no definition makes it an id, or the store does not. */
function customIdError(reader: NodeReader, customId: unknown, field: string): Error {
  const { key } = customId as { key?: unknown };
  const isDefined = reader.store.nodes
    .all(['MetafieldDefinition'])
    .some(({ fields }) => fields['key'] === key && Object(fields['type']).name === 'id');
  return isDefined ? new NotSimulatedError('queries', field) : new NoCustomIdError();
}

/** What an object is looked up by; undefined when its field takes nothing of the kind. */
function identifierOf(args: ListArgs): Readonly<Record<string, unknown>> | undefined {
  if (args.id != null) return { id: args.id };
  if (args.handle != null) return { handle: args.handle };
  if (args.code != null) return { code: args.code };
  return args.identifier;
}
