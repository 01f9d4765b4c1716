import type { GraphQLNamedType, GraphQLSchema } from 'graphql';
import {
  connectionNode,
  enumValues,
  fieldsOf,
  isAbstract,
  isComposite,
  isNode,
  namedType,
  possibleTypes,
} from '../../graphql/schema-types.js';
import type { NodeFields, NodeStore } from '../../state/nodes/node-store.js';
import { FILE_TYPES } from './file-processing.js';
import { typeOfId } from './node-reader.js';
import { chosenObject } from './one-of-inputs.js';

/** The deepest input that is kept as nodes of its own. */
const DEEPEST = 6;

/**
 * The fields of a node, or of an object in one, from the input of a mutation: they have the same
 * names, but for the ids of other nodes, which are `customerId` in inputs and `customer` in types.
 * Objects that become nodes themselves, such as addresses, are created.
 */
export class NodeInputs {
  constructor(
    private readonly nodes: NodeStore,
    private readonly schema: GraphQLSchema,
  ) {}

  /** @param type that of the node */
  fields(input: Readonly<NodeFields>, type: GraphQLNamedType, depth = 0): NodeFields {
    const known = fieldsOf(type);
    const fields: NodeFields = {};
    for (const [name, value] of Object.entries(input)) {
      if (name === 'id') continue;
      const target = targetOf(name, Object.keys(known));
      const field = known[target];
      fields[target] =
        field && depth < DEEPEST ? this.value(value, namedType(field.type), type, depth) : value;
    }
    return fields;
  }

  private value(
    value: unknown,
    type: GraphQLNamedType,
    owner: GraphQLNamedType,
    depth: number,
  ): unknown {
    const items = connectionNode(type) ?? type;
    if (Array.isArray(value)) return value.map((one) => this.value(one, items, owner, depth));
    const values = enumValues(type);
    if (values && typeof value === 'string') return values.includes(value) ? value : undefined;
    if (!isObject(value) || !isComposite(items)) return value;
    const named = isAbstract(items) && this.named(value, items);
    if (named) return named;
    const chosen = chosenObject(items.name, value);
    if (chosen) return chosen;
    const concrete = this.concrete(value, items);
    if (concrete.name === 'Customer' && (value['toAssociate'] ?? value['toUpsert']))
      return this.customer(value['toAssociate'] ?? value['toUpsert'], concrete, depth);
    const fields = this.fields(value, concrete, depth + 1);
    const id = value['id'];
    if (!isNode(concrete))
      return isAbstract(items) ? { ...fields, __typename: concrete.name } : fields;
    if (typeof id === 'string') {
      this.nodes.update(id, fields);
      return id;
    }
    return this.nodes.create(concrete.name, fields).id;
  }

  /** The customer of an order in its input: by id, by email or a new one. */
  private customer(value: unknown, type: GraphQLNamedType, depth: number): unknown {
    const { id, email } = value as { readonly id?: unknown; readonly email?: unknown };
    const known = (email ? this.nodes.all(['Customer']) : []).find(
      ({ fields }) => fields['email'] === String(email).toLowerCase(),
    );
    return this.value({ ...Object(value), id: id ?? known?.id }, type, type, depth);
  }

  /** The id, in an input, of an object of one of the types that an abstract one stands for. */
  private named(value: NodeFields, type: GraphQLNamedType): string | undefined {
    const types = possibleTypes(this.schema, type);
    return Object.values(value)
      .filter((id) => typeof id === 'string')
      .find((id) => types.includes(typeOfId(id)));
  }

  /** Of the types that an abstract one stands for, that with the most fields of an input. */
  concrete(value: Readonly<NodeFields>, type: GraphQLNamedType): GraphQLNamedType {
    const types = possibleTypes(this.schema, type).flatMap((name) => {
      const one = this.schema.getType(name);
      return one ? [one] : [];
    });
    const stated = types.find(({ name }) => name === FILE_TYPES[String(value['contentType'])]);
    if (stated) return stated;
    const known = (one: GraphQLNamedType): number =>
      Object.keys(value).filter((name) => name in fieldsOf(one)).length;
    return types.reduce((best, one) => (known(one) > known(best) ? one : best), types[0] ?? type);
  }
}

/** The field of the type that a field of an input sets. */
function targetOf(name: string, known: readonly string[]): string {
  if (known.includes(name)) return name;
  const [, one, many] = /^(\w+?)(?:Id|(Ids))$/.exec(name) ?? [];
  const target = many ? `${one}s` : one;
  return target !== undefined && known.includes(target) ? target : name;
}

function isObject(value: unknown): value is NodeFields {
  return typeof value === 'object' && value !== null && !(value instanceof Date);
}
