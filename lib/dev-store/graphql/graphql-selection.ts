import type {
  DocumentNode,
  FieldNode,
  FragmentDefinitionNode,
  GraphQLCompositeType,
  GraphQLField,
  GraphQLSchema,
  OperationDefinitionNode,
  SelectionNode,
  SelectionSetNode,
} from 'graphql';
import type * as GraphQL from 'graphql';

/** One operation of a valid document, with the variables it is called with, coerced. */
export interface GraphqlOperation {
  readonly graphql: typeof GraphQL;
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** A field of a response object, with every place where the document selects it. */
export interface SelectedField {
  /** Its name in the response. */
  readonly key: string;
  readonly definition: GraphQLField<unknown, unknown>;
  readonly nodes: readonly FieldNode[];
}

/**
 * Reads what an operation selects, as the executor does: fragments are resolved, what `@skip` and
 * `@include` leave out is left out, and a field that is selected twice is one field.
 */
export class SelectionReader {
  private readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;

  constructor(private readonly operation: GraphqlOperation) {
    this.fragments = new Map(
      operation.document.definitions
        .filter((one): one is FragmentDefinitionNode => one.kind === 'FragmentDefinition')
        .map((fragment) => [fragment.name.value, fragment]),
    );
  }

  /**
   * The types that a selection has to be read on: the type itself or, when fragments tell possible
   * types of it apart, one of each group that they treat alike.
   */
  casesOf(
    sets: readonly SelectionSetNode[],
    type: GraphQLCompositeType,
  ): readonly GraphQLCompositeType[] {
    const { graphql, schema } = this.operation;
    if (!graphql.isAbstractType(type)) return [type];
    const conditions = new Set<string>();
    this.visit(
      sets,
      () => true,
      (condition) => conditions.add(condition),
    );
    conditions.delete(type.name);
    if (conditions.size === 0) return [type];
    const groups = new Map<string, GraphQLCompositeType>();
    for (const possible of schema.getPossibleTypes(type)) {
      const met = [...conditions].filter((name) => this.applies(name, possible));
      groups.set(met.join(' '), possible);
    }
    return [...groups.values()];
  }

  /** The fields of a response object of this type, without `__typename`. */
  fieldsOf(
    sets: readonly SelectionSetNode[],
    type: GraphQLCompositeType,
  ): readonly SelectedField[] {
    const fields = new Map<string, FieldNode[]>();
    this.visit(
      sets,
      (condition) => this.applies(condition, type),
      () => undefined,
      (field) => {
        const key = (field.alias ?? field.name).value;
        fields.set(key, [...(fields.get(key) ?? []), field]);
      },
    );
    const definitions = 'getFields' in type ? type.getFields() : {};
    return [...fields].flatMap(([key, nodes]) => {
      const definition = definitions[nodes[0]?.name.value ?? ''];
      return definition ? [{ key, definition, nodes }] : [];
    });
  }

  /** The value of an argument, from the document, a variable or the schema's default. */
  argumentOf({ nodes, definition }: SelectedField, name: string): unknown {
    const known = definition.args.find((one) => one.name === name);
    const given = nodes[0]?.arguments?.find((one) => one.name.value === name)?.value;
    if (!known) return undefined;
    if (!given) return known.defaultValue;
    const { graphql, variables } = this.operation;
    return graphql.valueFromAST(given, known.type, variables) ?? known.defaultValue;
  }

  private visit(
    sets: readonly SelectionSetNode[],
    isMet: (condition: string) => boolean,
    onCondition: (condition: string) => void,
    onField: (field: FieldNode) => void = () => undefined,
  ): void {
    const visited = new Set<string>();
    const enter = (set: SelectionSetNode): void => {
      for (const selection of set.selections) {
        if (this.isLeftOut(selection)) continue;
        if (selection.kind === 'Field') {
          onField(selection);
          continue;
        }
        const spread = selection.kind === 'FragmentSpread' ? selection.name.value : undefined;
        if (spread !== undefined && visited.has(spread)) continue;
        if (spread !== undefined) visited.add(spread);
        const fragment =
          selection.kind === 'InlineFragment' ? selection : this.fragments.get(spread ?? '');
        if (!fragment) continue;
        const condition = fragment.typeCondition?.name.value;
        if (condition !== undefined) onCondition(condition);
        if (condition === undefined || isMet(condition)) enter(fragment.selectionSet);
      }
    };
    sets.forEach(enter);
  }

  private applies(condition: string, type: GraphQLCompositeType): boolean {
    const { graphql, schema } = this.operation;
    const wanted = schema.getType(condition);
    if (wanted === type) return true;
    return (
      graphql.isAbstractType(wanted) &&
      (graphql.isObjectType(type) || graphql.isInterfaceType(type)) &&
      schema.isSubType(wanted, type)
    );
  }

  private isLeftOut({ directives = [] }: SelectionNode): boolean {
    const condition = (name: string): unknown => {
      const directive = directives.find((one) => one.name.value === name);
      const value = directive?.arguments?.find((one) => one.name.value === 'if')?.value;
      if (value?.kind === 'BooleanValue') return value.value;
      return value?.kind === 'Variable' ? this.operation.variables[value.name.value] : undefined;
    };
    return condition('skip') === true || condition('include') === false;
  }
}
