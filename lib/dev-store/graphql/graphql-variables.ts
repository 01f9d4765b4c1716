import type { GraphQLError, GraphQLInputType, GraphQLSchema } from 'graphql';
import type * as GraphQL from 'graphql';
import { isScalarValue, scalarProblem } from './scalar-problems.js';

/** Why a part of a variable is not of its type. */
interface VariableProblem {
  readonly path: ReadonlyArray<string | number>;
  readonly explanation: string;
  /** That of an error of the scalar. */
  readonly message?: string;
}

/**
 * The variables of an operation, coerced and with their defaults, or the platform's errors: one for
 * each variable, with all its problems.
 */
export function coerceVariables(
  graphql: typeof GraphQL,
  schema: GraphQLSchema,
  operation: GraphQL.OperationDefinitionNode,
  given: Readonly<Record<string, unknown>>,
): { coerced: Record<string, unknown> } | { errors: readonly GraphQLError[] } {
  const definitions = operation.variableDefinitions ?? [];
  const errors = definitions.flatMap((definition) => {
    const name = definition.variable.name.value;
    const type = graphql.typeFromAST(schema, definition.type);
    if (!graphql.isInputType(type)) return [];
    const isGiven = Object.hasOwn(given, name);
    if (!isGiven && (definition.defaultValue || !graphql.isNonNullType(type))) return [];
    const value = given[name] ?? null;
    const problems = problemsOf(graphql, value, type);
    if (problems.length === 0) return [];
    const places = problems
      .filter(({ path }) => path.length > 0)
      .map(({ path, explanation }) => `${path.join('.')} (${explanation})`);
    const where = places.length > 0 ? ` for ${places.join(', ')}` : '';
    return new graphql.GraphQLError(
      `Variable $${name} of type ${type.toString()} was provided invalid value${where}`,
      { nodes: definition, extensions: { code: 'INVALID_VARIABLE', value, problems } },
    );
  });
  if (errors.length > 0) return { errors };
  const { coerced, errors: others } = graphql.getVariableValues(schema, definitions, given);
  return coerced ? { coerced } : { errors: others ?? [] };
}

function problemsOf(
  graphql: typeof GraphQL,
  value: unknown,
  type: GraphQLInputType,
  path: ReadonlyArray<string | number> = [],
): VariableProblem[] {
  if (graphql.isNonNullType(type)) {
    if (value === null) return [{ path, explanation: 'Expected value to not be null' }];
    return problemsOf(graphql, value, type.ofType, path);
  }
  if (value === null) return [];
  if (graphql.isListType(type)) {
    if (!Array.isArray(value)) return problemsOf(graphql, value, type.ofType, path);
    return value.flatMap((item: unknown, index) =>
      problemsOf(graphql, item ?? null, type.ofType, [...path, index]),
    );
  }
  if (graphql.isInputObjectType(type)) return problemsOfObject(graphql, value, type, path);
  const explained = explanationOf(graphql, value, type);
  return explained ? [{ path, ...explained }] : [];
}

function problemsOfObject(
  graphql: typeof GraphQL,
  value: unknown,
  type: GraphQL.GraphQLInputObjectType,
  path: ReadonlyArray<string | number>,
): VariableProblem[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    const explanation = `Expected ${JSON.stringify(value)} to be a key-value object.`;
    return [{ path, explanation }];
  }
  const fields = type.getFields();
  const unknown = Object.keys(value)
    .filter((name) => !Object.hasOwn(fields, name))
    .map((name) => ({
      path: [...path, name],
      explanation: `Field is not defined on ${type.name}`,
    }));
  const problems = Object.values(fields).flatMap((field) => {
    const isGiven = Object.hasOwn(value, field.name);
    if (!isGiven && !graphql.isRequiredInputField(field)) return [];
    const inner = (value as Record<string, unknown>)[field.name] ?? null;
    return problemsOf(graphql, inner, field.type, [...path, field.name]);
  });
  return [...unknown, ...problems];
}

function explanationOf(
  graphql: typeof GraphQL,
  value: unknown,
  type: GraphQL.GraphQLEnumType | GraphQL.GraphQLScalarType,
): Omit<VariableProblem, 'path'> | undefined {
  if (graphql.isEnumType(type)) {
    const names = type.getValues().map(({ name }) => name);
    return typeof value === 'string' && names.includes(value)
      ? undefined
      : { explanation: `Expected ${JSON.stringify(value)} to be one of: ${names.join(', ')}` };
  }
  const refusal = scalarProblem(type.name, value);
  if (refusal) return { explanation: refusal, message: refusal };
  try {
    if (isScalarValue(type.name, value) && type.parseValue(value) !== undefined) return undefined;
  } catch {
    // The reason is in the words of another library.
  }
  return { explanation: `Could not coerce value ${JSON.stringify(value)} to ${type.name}` };
}
