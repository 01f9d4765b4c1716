import type { FieldNode, GraphQLError, GraphQLInputType } from 'graphql';
import type { GraphqlOperation } from './graphql-selection.js';

/** The most items of a list in the input of an operation. */
const MOST_ITEMS = 250;
/** Lists of these may be longer: a product has up to this many variants. */
const LONGER_LISTS: Readonly<Record<string, number>> = {
  ProductVariantSetInput: 2048,
  ProductVariantsBulkInput: 2048,
};

/**
 * The platform's errors about lists in arguments that have too many items.
 * @see https://shopify.dev/docs/api/usage/limits#input-limits
 */
export function inputSizeErrors(call: GraphqlOperation): GraphQLError[] {
  const { graphql, schema, document, operation, variables } = call;
  const errors: GraphQLError[] = [];
  const types = new graphql.TypeInfo(schema);
  const keys: string[] = [];
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
  const enter = (field: FieldNode): void => {
    keys.push((field.alias ?? field.name).value);
    for (const given of field.arguments ?? []) {
      const known = types.getFieldDef()?.args.find(({ name }) => name === given.name.value);
      if (!known) continue;
      const value: unknown = graphql.valueFromAST(given.value, known.type, variables);
      check(field, value, known.type, [...keys, known.name]);
    }
  };
  const visitor = {
    OperationDefinition: (node: object) => (node === operation ? undefined : false),
    Field: { enter, leave: () => void keys.pop() },
  };
  graphql.visit(document, graphql.visitWithTypeInfo(types, visitor));
  return errors;
}
