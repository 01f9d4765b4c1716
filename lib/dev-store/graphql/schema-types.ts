import type {
  GraphQLArgument,
  GraphQLEnumType,
  GraphQLField,
  GraphQLInputType,
  GraphQLNamedType,
  GraphQLOutputType,
  GraphQLSchema,
} from 'graphql';

// The package is loaded with the first call: what has only a schema tells types by their members.

type AnyType = GraphQLOutputType | GraphQLInputType;

/** A type without its marks of lists and of values that are never null. */
export function namedType(type: AnyType): GraphQLNamedType {
  let inner: unknown = type;
  while (isWrapped(inner)) inner = inner.ofType;
  return inner as GraphQLNamedType;
}

function isWrapped(type: unknown): type is { readonly ofType: unknown } {
  return typeof type === 'object' && type !== null && 'ofType' in type;
}

/** Whether a type is a list, of values that may be null or not. */
export function isList(type: AnyType): boolean {
  return type.toString().startsWith('[');
}

/** The type of a list's items. */
export function itemType(type: GraphQLOutputType): GraphQLOutputType {
  const outer = type.toString().endsWith('!')
    ? (type as { ofType: GraphQLOutputType }).ofType
    : type;
  return (outer as { ofType: GraphQLOutputType }).ofType;
}

/** The fields of an object or an interface; none of any other type. */
export function fieldsOf(
  type: GraphQLNamedType,
): Readonly<Record<string, GraphQLField<unknown, unknown>>> {
  return ('getInterfaces' in type ? type.getFields() : {}) as unknown as Record<
    string,
    GraphQLField<unknown, unknown>
  >;
}

/** Whether the values of a type have selections. */
export function isComposite(type: GraphQLNamedType): boolean {
  return 'getInterfaces' in type || isUnion(type);
}

/** Whether a type has several possible ones. */
export function isAbstract(type: GraphQLNamedType): boolean {
  return 'resolveType' in type;
}

function isUnion(type: GraphQLNamedType): boolean {
  return 'getTypes' in type;
}

/** The names of the values of an enum; undefined for any other type. */
export function enumValues(type: GraphQLNamedType): readonly string[] | undefined {
  return 'getValues' in type
    ? (type as GraphQLEnumType).getValues().map(({ name }) => name)
    : undefined;
}

/** The type of a connection's nodes; undefined when the type is no connection. */
export function connectionNode(type: GraphQLNamedType): GraphQLNamedType | undefined {
  const { pageInfo, nodes, edges } = fieldsOf(type);
  if (!pageInfo || !type.name.endsWith('Connection')) return undefined;
  const node = nodes ?? (edges && fieldsOf(namedType(edges.type))['node']);
  return node && namedType(node.type);
}

/** The names of the object types that a type stands for. */
export function possibleTypes(schema: GraphQLSchema, type: GraphQLNamedType): readonly string[] {
  return 'resolveType' in type
    ? schema.getPossibleTypes(type).map(({ name }) => name)
    : [type.name];
}

/** Whether objects of a type are found by their ids. */
export function isNode(type: GraphQLNamedType): boolean {
  return (
    'getInterfaces' in type &&
    (type.name === 'Node' || type.getInterfaces().some(({ name }) => name === 'Node'))
  );
}

/** An argument of a field by its name. */
export function argumentOf(
  field: GraphQLField<unknown, unknown> | undefined,
  name: string,
): GraphQLArgument | undefined {
  return field?.args.find((one) => one.name === name);
}
