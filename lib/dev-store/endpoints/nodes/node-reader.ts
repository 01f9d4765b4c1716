import type { GraphQLOutputType, GraphQLResolveInfo, GraphQLSchema } from 'graphql';
import { idOf } from '../../base/vendor.js';
import { defaultValue, type DefaultsContext } from '../../graphql/default-values.js';
import { connection, type ConnectionArgs } from '../../graphql/graphql.connection.js';
import type { GraphqlContext } from '../../graphql/graphql-execution.js';
import {
  connectionNode,
  fieldsOf,
  isComposite,
  isList,
  isNode,
  itemType,
  namedType,
  possibleTypes,
} from '../../graphql/schema-types.js';
import { countView } from '../../graphql/graphql.views.js';
import type { NodeFields, NodeStore, StoredNode } from '../../state/nodes/node-store.js';
import { derivedValue } from './derived-values.js';
import { chosenNodes } from './node-search.js';
import { moneyFields } from './money-fields.js';

/**
 * The value of a field of an object with an id: a plain one, in which nodes are named by their ids
 * and connections are lists.
 */
export type OwnField = (id: string, args: Readonly<Record<string, unknown>>) => unknown;

/** What orders do to the inventory of their lines, which are named by their ids. */
interface ReadableStock {
  /** Commits what an order needs. */
  commit(orderId: string): void;
  /** Commits more of a line, if what its order needs is committed at all. */
  commitMore(orderId: string, line: string, quantity: number): void;
  /** What has been committed for a line leaves the shop; negative quantities come back. */
  ship(line: string, quantity: number): void;
  /** What has been committed for a line can be sold again. */
  release(line: string, quantity: number): void;
  /** What was shipped for a line is at a location again. Returns the location that stocks it. */
  restock(line: string, quantity: number, at: string | null | undefined): string | undefined;
}

/** What a {@link NodeReader} reads. */
export interface ReadableShop {
  readonly nodes: NodeStore;
  readonly defaults: DefaultsContext;
  /** Whether the app that calls may not know of a node. */
  readonly hides: (node: StoredNode) => boolean;
  /** The view of an object that is kept elsewhere; null for an id that nothing has. */
  readonly other: (id: string) => object | null;
  /** The fields that other parts of the shop know, by their places, such as `Product.options`. */
  readonly own: Readonly<Record<string, OwnField>>;
  /** What orders do to the inventory. */
  readonly stock: ReadableStock;
  /** The view of the shop itself. */
  readonly shop: () => object;
}

/** The values of an object without an identity, in place of its properties. */
const VALUES = Symbol('values');

type Resolve = GraphqlContext['missing'];
type Info = Pick<GraphQLResolveInfo, 'schema'>;

/**
 * Resolves the fields of stored nodes, and those that the views of other objects lack: to the value
 * that was set, else to one that follows from others, else to the default of the type.
 */
export class NodeReader {
  constructor(readonly store: ReadableShop) {}

  /** A node, or an object that is kept elsewhere, in the form that fields are resolved of. */
  view(id: string): object | null {
    const node = this.store.nodes.find(id);
    if (!node) return this.store.other(id);
    return this.store.hides(node) ? null : { __typename: node.type, id };
  }

  readonly resolve: Resolve = (source, args, context, info) => {
    const { fieldName, returnType, parentType } = info;
    const { id } = source as { id?: unknown };
    const own = this.store.own[`${parentType.name}.${fieldName}`];
    if (own && typeof id === 'string')
      return this.shaped(own(id, args as Record<string, unknown>), returnType, {
        args: args as object,
        context,
        info,
      });
    const stored = this.valuesOf(source);
    let value = stored[fieldName];
    if (value === undefined) {
      const node = typeof id === 'string' ? this.store.nodes.find(id) : undefined;
      const naming = (type: string): number => (node ? this.related(node.id, [type]).length : 0);
      value = derivedValue(parentType.name, fieldName, { node, values: stored, naming });
    }
    return value === undefined
      ? this.absent(source, args, context, info)
      : this.shaped(value, returnType, { args, context, info });
  };

  /**
   * A value in the form that a type is resolved from: ids become objects, lists become connections
   * where the type says so.
   */
  shaped(
    value: unknown,
    type: GraphQLOutputType,
    at: { args: object; context: GraphqlContext; info: Info },
  ): unknown {
    if (value == null) return defaultValue(this.store.defaults, type, at.info);
    if (typeof value === 'function')
      return this.shaped(value.call(undefined, at.args, at.context), type, at);
    const named = namedType(type);
    if (connectionNode(named))
      return Array.isArray(value) ? this.page(value, at) : this.objectOf(value);
    if (isList(type)) {
      const inner = itemType(type);
      const items = (Array.isArray(value) ? value : [value]).map((item) =>
        this.shaped(item, inner, at),
      );
      return items.filter((item) => item !== null);
    }
    const isObject = typeof value === 'object' && !(value instanceof Date);
    if (isComposite(named)) {
      const money = moneyFields(named.name, value, this.store.defaults.currency);
      if (money) return this.objectOf(money);
      if (typeof value === 'string') return this.viewOf(value, type, at.info);
      return isObject ? this.objectOf(value) : defaultValue(this.store.defaults, type, at.info);
    }
    if (value instanceof Date) return `${value.toISOString().slice(0, 19)}Z`;
    // An input may have an object where the output has a text.
    return isObject && named.name !== 'JSON'
      ? defaultValue(this.store.defaults, type, at.info)
      : value;
  }

  /** A page of ids, or of objects without identities. */
  page(
    items: readonly unknown[],
    { args, context }: { args: ConnectionArgs; context: GraphqlContext },
  ): object {
    const found = items.flatMap((item, index) => {
      const node = typeof item === 'string' ? this.view(item) : this.objectOf(item);
      const number = typeof item === 'string' ? numberOf(item) : undefined;
      return node ? [{ id: number ?? index + 1, node }] : [];
    });
    return connection(found, pageable(args), context, ({ node }) => node);
  }

  private viewOf(id: string, type: GraphQLOutputType, info: Info): unknown {
    return this.view(id) ?? defaultValue(this.store.defaults, type, info);
  }

  private valuesOf(source: unknown): Readonly<NodeFields> {
    const { [VALUES]: values, id } = (source ?? {}) as {
      readonly [VALUES]?: NodeFields;
      readonly id?: unknown;
    };
    return values ?? (typeof id === 'string' ? this.store.nodes.fieldsOf(id) : {});
  }

  /** An object of plain values in the form that fields are resolved of. */
  objectOf(value: unknown): object {
    const values = value as NodeFields;
    if (VALUES in values) return values;
    const { __typename } = values;
    return { [VALUES]: values, ...(__typename ? { __typename } : {}) };
  }

  /** What a field is when nothing was set that it could follow from. */
  private absent(...[source, args, context, info]: Parameters<Resolve>): unknown {
    const { fieldName, parentType, returnType, schema } = info;
    const named = namedType(returnType);
    const { id, [VALUES]: values } = source as { id?: unknown; [VALUES]?: NodeFields };
    if (fieldName === 'id' && named.name === 'ID')
      return this.store.nodes.idOf(parentType.name, values ?? (source as object));
    if (named.name === 'Shop' && returnType.toString().endsWith('!')) return this.store.shop();
    const items = connectionNode(named);
    if (items && typeof id === 'string') {
      const found = chosenNodes(this.nodesRelated(id, possibleTypes(schema, items)), items, args);
      return this.page(
        found.map((node) => node.id),
        { args, context },
      );
    }
    if (items) return connection([], pageable(args), { ...context, whole: true }, () => ({}));
    if (named.name === 'Count' && typeof id === 'string')
      return countView(this.countOf(id, fieldsOf(parentType), fieldName, schema));
    const value = defaultValue(this.store.defaults, returnType, info);
    const isKept = typeof id === 'string' && isNode(named) && Object(value).__typename;
    return isKept ? { [VALUES]: this.store.nodes.partOf(id, fieldName), ...Object(value) } : value;
  }

  /** The number of the items of the connection that a count belongs to. */
  private countOf(
    id: string,
    fields: ReturnType<typeof fieldsOf>,
    name: string,
    schema: GraphQLSchema,
  ): number {
    const counted = name.replace(/Count$/, '');
    const stored = this.store.nodes.fieldsOf(id)[counted];
    if (Array.isArray(stored))
      return stored.filter((one) => typeof one !== 'string' || this.view(one)).length;
    const items = fields[counted] && connectionNode(namedType(fields[counted].type));
    return items ? this.related(id, possibleTypes(schema, items)).length : 0;
  }

  private related(id: string, types: readonly string[]): string[] {
    return this.nodesRelated(id, types).map((node) => node.id);
  }

  private nodesRelated(id: string, types: readonly string[]): StoredNode[] {
    return this.store.nodes.naming(id, types);
  }
}

/** Only what connections know of the arguments of a field. */
function pageable(args: ConnectionArgs): ConnectionArgs {
  const { first, last, after, before, reverse } = args;
  return { first, last, after, before, reverse } as ConnectionArgs;
}

/** The type that a global id names. */
export function typeOfId(id: string): string {
  return /^gid:\/\/\w+\/(\w+)\//.exec(id)?.[1] ?? '';
}

/** The number in a global id, of whatever type. */
export function numberOf(id: string): number | undefined {
  return idOf(typeOfId(id), id);
}
