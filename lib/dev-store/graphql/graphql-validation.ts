import type {
  ASTNode,
  DocumentNode,
  GraphQLError,
  GraphQLSchema,
  ValidationContext,
  ValidationRule,
} from 'graphql';
import type * as GraphQL from 'graphql';
import { DocumentPlaces } from './graphql-places.js';
import {
  argumentsAreValid,
  fieldsAreDefined,
  typesAreDefined,
  variablesAreValid,
  type Rule,
  type RuleTools,
} from './graphql-rules.js';

/**
 * The errors of a document, in the platform's words, with its codes and paths; none when the
 * document is valid in the schema.
 */
export function validateDocument(
  graphql: typeof GraphQL,
  schema: GraphQLSchema,
  document: DocumentNode,
): readonly GraphQLError[] {
  const places = new DocumentPlaces(graphql, document);
  const toolsOf = (context: ValidationContext): RuleTools => ({
    graphql,
    context,
    places,
    report(message, node, extensions, path = places.pathOf(node)) {
      const at = node ? { nodes: node } : {};
      context.reportError(
        new graphql.GraphQLError(message, {
          ...at,
          extensions,
          ...(path.length > 0 ? { path } : {}),
        }),
      );
    },
  });
  const own = OWN_RULES.map(
    (rule): ValidationRule =>
      (context) =>
        rule(toolsOf(context)),
  );
  const others = sharedRules(graphql).map(
    ([rule, describe]): ValidationRule =>
      (context) =>
        rule(withReports(context, toolsOf(context), describe)),
  );
  return graphql.validate(schema, document, [...own, ...others]);
}

const OWN_RULES: readonly Rule[] = [
  fieldsAreDefined,
  argumentsAreValid,
  typesAreDefined,
  variablesAreValid,
];

/** An error of a rule of the package, in the platform's words. */
interface Description {
  readonly message: string;
  readonly extensions: Readonly<Record<string, unknown>>;
}

type Describe = (error: GraphQLError, nodes: readonly ASTNode[]) => Description;

/** The rules of the package that are the platform's, too, with its words for their errors. */
function sharedRules(graphql: typeof GraphQL): ReadonlyArray<[ValidationRule, Describe]> {
  return [
    [graphql.ExecutableDefinitionsRule, plainly('invalidDefinition')],
    [
      graphql.UniqueOperationNamesRule,
      (_, [node]) => ({
        message: `Operation name "${nameOf(node)}" must be unique`,
        extensions: { code: 'uniquelyNamedOperations', operationName: nameOf(node) },
      }),
    ],
    [
      graphql.LoneAnonymousOperationRule,
      () => ({
        message: 'Operation name is required when multiple operations are present',
        extensions: { code: 'uniquelyNamedOperations' },
      }),
    ],
    [
      graphql.FragmentsOnCompositeTypesRule,
      (_, [node]) => ({
        message: `Invalid fragment on type ${nameOf(node)} (must be Union, Interface or Object)`,
        extensions: { code: 'fragmentOnNonCompositeType', typeName: nameOf(node) },
      }),
    ],
    [
      graphql.KnownFragmentNamesRule,
      (_, [node]) => ({
        message: `Fragment ${nameOf(node)} was used, but not defined`,
        extensions: { code: 'useAndDefineFragment', fragmentName: nameOf(node) },
      }),
    ],
    [
      graphql.NoUnusedFragmentsRule,
      (_, [node]) => ({
        message: `Fragment ${nameOf(node)} was defined, but not used`,
        extensions: { code: 'useAndDefineFragment', fragmentName: nameOf(node) },
      }),
    ],
    [
      graphql.NoFragmentCyclesRule,
      (_, [node]) => ({
        message: `Fragment ${nameOf(node)} contains an infinite loop`,
        extensions: { code: 'infiniteLoop', fragmentName: nameOf(node) },
      }),
    ],
    [graphql.PossibleFragmentSpreadsRule, describeSpread],
    [
      graphql.UniqueVariableNamesRule,
      (_, [node]) => ({
        message: `There can only be one variable named "${nameOf(node)}"`,
        extensions: { code: 'variableNotUnique', variableName: nameOf(node) },
      }),
    ],
    [
      graphql.UniqueArgumentNamesRule,
      (_, [node]) => ({
        message: `There can be only one argument named "${nameOf(node)}"`,
        extensions: { code: 'argumentNotUnique', name: nameOf(node) },
      }),
    ],
    [
      graphql.UniqueInputFieldNamesRule,
      (_, [node]) => ({
        message: `There can be only one input field named "${nameOf(node)}"`,
        extensions: { code: 'inputFieldNotUnique', name: nameOf(node) },
      }),
    ],
    [
      graphql.KnownDirectivesRule,
      (error, [node]) =>
        error.message.startsWith('Unknown')
          ? {
              message: `Directive @${nameOf(node)} is not defined`,
              extensions: { code: 'undefinedDirective', directiveName: nameOf(node) },
            }
          : { message: error.message, extensions: { code: 'directiveCannotBeApplied' } },
    ],
    [graphql.UniqueDirectivesPerLocationRule, plainly('directiveNotUniqueForLocation')],
    [graphql.OverlappingFieldsCanBeMergedRule, describeConflict],
    [graphql.MaxIntrospectionDepthRule, plainly('introspectionDepth')],
  ];
}

/** An error of which the platform's own words are not known. */
function plainly(code: string): Describe {
  return ({ message }) => ({ message, extensions: { code } });
}

function describeSpread({ message }: GraphQLError, [node]: readonly ASTNode[]): Description {
  // The types are only in the text.
  const [parentName = '', typeName = ''] = [...message.matchAll(/"(\w+)"/g)]
    .map(([, name]) => name)
    .slice(-2);
  const isNamed = node?.kind === 'FragmentSpread';
  const fragmentName = isNamed ? nameOf(node) : 'unknown';
  const subject = isNamed ? `Fragment ${fragmentName} on` : 'Fragment on';
  return {
    message: `${subject} ${typeName} can't be spread inside ${parentName}`,
    extensions: { code: 'cannotSpreadFragment', typeName, fragmentName, parentName },
  };
}

function describeConflict({ message }: GraphQLError, nodes: readonly ASTNode[]): Description {
  const fieldName = /^Fields "([^"]*)"/.exec(message)?.[1] ?? '';
  const names = [...new Set(nodes.map(nameOf))];
  const conflicts = names.join(' or ');
  return {
    message:
      names.length > 1 ? `Field '${fieldName}' has a field conflict: ${conflicts}?` : message,
    extensions: { code: 'fieldConflict', fieldName, conflicts },
  };
}

function nameOf(node: ASTNode | undefined): string {
  switch (node?.kind) {
    case 'VariableDefinition':
      return node.variable.name.value;
    case 'Name':
      return node.value;
    default:
      return node && 'name' in node ? (node.name?.value ?? '') : '';
  }
}

/** The context of a rule of the package whose errors are described anew. */
function withReports(
  context: ValidationContext,
  { report }: RuleTools,
  describe: Describe,
): ValidationContext {
  return Object.create(context, {
    reportError: {
      value(error: GraphQLError) {
        const nodes = error.nodes ?? [];
        const { message, extensions } = describe(error, nodes);
        report(message, nodes[0], extensions);
      },
    },
  }) as ValidationContext;
}
