import type {
  FieldNode,
  GraphQLError,
  GraphQLInputType,
  OperationDefinitionNode,
  ValueNode,
} from 'graphql';
import type { GraphqlOperation } from './graphql-selection.js';

/** The most items of a list in the input of an operation. */
const MOST_ITEMS = 250;
/** Lists of these may be longer: a product has up to this many variants. */
const LONGER_LISTS: Readonly<Record<string, number>> = {
  ProductVariantSetInput: 2048,
  ProductVariantsBulkInput: 2048,
};

/** An argument that an operation gives. */
interface GivenArgument {
  readonly field: FieldNode;
  /** The keys of the fields around it and its own name. */
  readonly path: readonly string[];
  readonly value: ValueNode;
  readonly type: GraphQLInputType;
}

/** The arguments of operations: documents are kept, and most are sent again and again. */
const ARGUMENTS = new WeakMap<OperationDefinitionNode, readonly GivenArgument[]>();

/**
 * The platform's errors about lists in arguments that have too many items.
 * @see https://shopify.dev/docs/api/usage/limits#input-limits
 */
export function inputSizeErrors(call: GraphqlOperation): GraphQLError[] {
  const { graphql, operation, variables } = call;
  const errors: GraphQLError[] = [];
  const check = (
    field: FieldNode,
    value: unknown,
    type: GraphQLInputType,
    path: ReadonlyArray<string | number>,
  ): void => {
    const inner = graphql.getNullableType(type);
    if (graphql.isListType(inner) && Array.isArray(value)) {
      const most = LONGER_LISTS[graphql.getNamedType(inner).name] ?? MOST_ITEMS;
      if (value.length > most) {
        const message = `The input array size of ${value.length} is greater than the maximum allowed of ${most}.`;
        const extensions = { code: 'MAX_INPUT_SIZE_EXCEEDED' };
        errors.push(new graphql.GraphQLError(message, { nodes: field, path, extensions }));
      } else value.forEach((item, index) => check(field, item, inner.ofType, [...path, index]));
    } else if (graphql.isInputObjectType(inner) && typeof value === 'object' && value !== null) {
      for (const [name, { type: fieldType }] of Object.entries(inner.getFields()))
        check(field, (value as Record<string, unknown>)[name], fieldType, [...path, name]);
    }
  };
  const given = ARGUMENTS.get(operation) ?? argumentsOf(call);
  ARGUMENTS.set(operation, given);
  for (const { field, path, value, type } of given)
    check(field, graphql.valueFromAST(value, type, variables), type, path);
  return errors;
}

function argumentsOf({ graphql, schema, document, operation }: GraphqlOperation): GivenArgument[] {
  const found: GivenArgument[] = [];
  const types = new graphql.TypeInfo(schema);
  const keys: string[] = [];
  const enter = (field: FieldNode): void => {
    keys.push((field.alias ?? field.name).value);
    for (const { name, value } of field.arguments ?? []) {
      const known = types.getFieldDef()?.args.find((one) => one.name === name.value);
      if (known) found.push({ field, path: [...keys, known.name], value, type: known.type });
    }
  };
  const visitor = {
    OperationDefinition: (node: object) => (node === operation ? undefined : false),
    Field: { enter, leave: () => void keys.pop() },
  };
  graphql.visit(document, graphql.visitWithTypeInfo(types, visitor));
  return found;
}
