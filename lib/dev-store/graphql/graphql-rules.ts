import type { ASTNode, ASTVisitor, SelectionSetNode, ValidationContext } from 'graphql';
import type * as GraphQL from 'graphql';
import { literalProblems } from './graphql-literals.js';
import type { DocumentPlaces } from './graphql-places.js';

/** What a rule needs: the package, the context of the validation, and where nodes are. */
export interface RuleTools {
  readonly graphql: typeof GraphQL;
  readonly context: ValidationContext;
  readonly places: DocumentPlaces;
  /** Adds an error about a node. @param path where it is; that of the node by default */
  report(
    message: string,
    node: ASTNode | undefined,
    extensions: Readonly<Record<string, unknown>>,
    path?: ReadonlyArray<string | number>,
  ): void;
}

/** A rule of the platform about valid documents. */
export type Rule = (tools: RuleTools) => ASTVisitor;

/** Fields exist, and have selections exactly when they return objects. */
export const fieldsAreDefined: Rule = ({ graphql, context, report }) => ({
  Field(node) {
    const parent = context.getParentType();
    const name = node.name.value;
    if (!parent) return undefined;
    const definition = context.getFieldDef();
    if (!definition) {
      if (graphql.isUnionType(parent)) {
        const message = `Selections can't be made directly on unions (see selections on ${parent.name})`;
        report(message, node, { code: 'selectionMismatch', nodeName: parent.name });
      } else {
        const message = `Field '${name}' doesn't exist on type '${parent.name}'`;
        const extensions = { code: 'undefinedField', typeName: parent.name, fieldName: name };
        report(message, node, extensions);
      }
      return false;
    }
    const type = graphql.getNamedType(definition.type);
    const nodeName = `field '${name}'`;
    const extensions = { code: 'selectionMismatch', nodeName, typeName: type.name };
    if (!graphql.isLeafType(type)) {
      // The platform checks objects and interfaces only.
      if (!node.selectionSet && !graphql.isUnionType(type))
        report(
          `Field must have selections (${nodeName} returns ${type.name} but has no selections. Did you mean '${name} { ... }'?)`,
          node,
          extensions,
        );
      return undefined;
    }
    if (!node.selectionSet) return undefined;
    const kind = graphql.isEnumType(type) ? 'enums' : 'scalars';
    report(
      `Selections can't be made on ${kind} (${nodeName} returns ${type.name} but has selections [${selectionNames(node.selectionSet)}])`,
      node,
      extensions,
    );
    return false;
  },
});

/** Arguments exist, the required ones are given, and literals are of their type. */
export const argumentsAreValid: Rule = (tools) => {
  const { graphql, context, report, places } = tools;
  type Owner = GraphQL.FieldNode | GraphQL.DirectiveNode;
  const check = (
    owner: Owner,
    known: readonly GraphQL.GraphQLArgument[],
    kind: 'Field' | 'Directive',
  ): void => {
    const name = owner.name.value;
    const given = owner.arguments ?? [];
    for (const node of given) {
      const argumentName = node.name.value;
      const definition = known.find((one) => one.name === argumentName);
      if (!definition) {
        const message = `${kind} '${name}' doesn't accept argument '${argumentName}'`;
        report(message, node, { code: 'argumentNotAccepted', name, typeName: kind, argumentName });
        continue;
      }
      const holder = { node, kind, of: name };
      for (const problem of literalProblems(graphql, node.value, definition.type, holder)) {
        const { at, missing, message, extensions } = problem;
        const path = places.pathOf(at);
        const isAbout = missing !== undefined || extensions['code'] === 'argumentNotAccepted';
        // A value in an input object is shown by the beginning of that.
        const around = extensions['typeName'] === 'InputObject' ? places.parentOf(at) : undefined;
        const shown = isAbout ? at : (around ?? owner);
        report(message, shown, extensions, missing === undefined ? path : [...path, missing]);
      }
    }
    const missing = known
      .filter((one) => graphql.isRequiredArgument(one))
      .filter((one) => !given.some((node) => node.name.value === one.name))
      .map((one) => one.name)
      .join(', ');
    if (missing === '') return;
    const message = `${kind} '${name}' is missing required arguments: ${missing}`;
    const extensions = {
      code: 'missingRequiredArguments',
      className: kind,
      name,
      arguments: missing,
    };
    report(message, owner, extensions);
  };
  return {
    Field(node) {
      const definition = context.getFieldDef();
      if (definition) check(node, definition.args, 'Field');
    },
    Directive(node) {
      const definition = context.getDirective();
      if (definition) check(node, definition.args, 'Directive');
    },
  };
};

/** Types of fragments and variables exist. */
export const typesAreDefined: Rule = ({ graphql, context, report, places }) => ({
  NamedType(node) {
    const typeName = node.name.value;
    const type = context.getSchema().getType(typeName);
    const definition = places.closest(isVariableDefinition, node);
    if (definition) {
      if (type && graphql.isInputType(type)) return;
      const variableName = definition.variable.name.value;
      const what = type ? 'a valid input type' : 'a defined input type';
      const extensions = { code: 'variableRequiresValidType', typeName, variableName };
      report(`${typeName} isn't ${what} (on $${variableName})`, definition, extensions);
      return;
    }
    if (type) return;
    const message = `No such type ${typeName}, so it can't be a fragment condition`;
    report(message, places.parentOf(node), { code: 'undefinedType', typeName });
  },
});

/** Variables are declared and used, and are of the types of the arguments they stand for. */
export const variablesAreValid: Rule = ({ graphql, context, report, places }) => ({
  OperationDefinition(operation) {
    const declared = new Map(
      (operation.variableDefinitions ?? []).map((node) => [node.variable.name.value, node]),
    );
    const used = new Set<string>();
    const label = operation.name?.value ?? `anonymous ${operation.operation}`;
    for (const { node, type, defaultValue } of context.getRecursiveVariableUsages(operation)) {
      const variableName = node.name.value;
      used.add(variableName);
      const definition = declared.get(variableName);
      if (!definition) {
        const message = `Variable $${variableName} is used by ${label} but not declared`;
        report(message, node, { code: 'variableNotDefined', variableName });
        continue;
      }
      const own = graphql.typeFromAST(context.getSchema(), definition.type);
      if (!type || !own || !graphql.isInputType(own)) continue;
      const hasDefault =
        defaultValue !== undefined ||
        (definition.defaultValue !== undefined && definition.defaultValue.kind !== 'NullValue');
      const wanted = hasDefault ? graphql.getNullableType(type) : type;
      if (graphql.isTypeSubTypeOf(context.getSchema(), own, wanted)) continue;
      const holder = places.closest(isHolder, node);
      const argumentName = holder?.name.value ?? '';
      const errorMessage = mismatchOf(graphql, own, type);
      report(
        `${errorMessage} on variable $${variableName} and argument ${argumentName} (${own.toString()} / ${type.toString()})`,
        holder,
        {
          code: 'variableMismatch',
          variableName,
          typeName: own.toString(),
          argumentName,
          errorMessage,
        },
      );
    }
    for (const [variableName, node] of declared) {
      if (used.has(variableName)) continue;
      const message = `Variable $${variableName} is declared by ${label} but not used`;
      report(message, node, { code: 'variableNotUsed', variableName });
    }
  },
});

function isVariableDefinition(node: ASTNode): node is GraphQL.VariableDefinitionNode {
  return node.kind === 'VariableDefinition';
}

/** True for what a value is given to by name. */
function isHolder(node: ASTNode): node is GraphQL.ArgumentNode | GraphQL.ObjectFieldNode {
  return node.kind === 'Argument' || node.kind === 'ObjectField';
}

function mismatchOf(
  graphql: typeof GraphQL,
  own: GraphQL.GraphQLInputType,
  wanted: GraphQL.GraphQLInputType,
): string {
  if (graphql.getNamedType(own) !== graphql.getNamedType(wanted)) return 'Type mismatch';
  const depth = (type: GraphQL.GraphQLInputType): number => type.toString().split('[').length;
  return depth(own) === depth(wanted) ? 'Nullability mismatch' : 'List dimension mismatch';
}

function selectionNames({ selections }: SelectionSetNode): string {
  return selections
    .map((selection) => {
      if (selection.kind === 'Field') return JSON.stringify(selection.name.value);
      if (selection.kind === 'FragmentSpread') return JSON.stringify(`...${selection.name.value}`);
      return JSON.stringify(`... on ${selection.typeCondition?.name.value ?? ''} { ... }`);
    })
    .join(', ');
}
