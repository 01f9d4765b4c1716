import type { GraphQLInputType, ObjectValueNode, ValueNode } from 'graphql';
import type * as GraphQL from 'graphql';
import { isScalarValue, scalarProblem } from './scalar-problems.js';

/** What takes a value: an argument of a field, or of an input object, as the platform calls it. */
interface ValueHolder {
  /** The argument or the input field whose value it is. */
  readonly node: GraphQL.ArgumentNode | GraphQL.ObjectFieldNode;
  readonly kind: 'Field' | 'Directive' | 'InputObject';
  /** The name of the field, the directive or the input object. */
  readonly of: string;
}

/** An error about a value that is written in a document. */
interface LiteralProblem {
  readonly message: string;
  /** What it is about: the value's holder, an unknown input field, or the object without one. */
  readonly at: ValueHolder['node'] | ObjectValueNode;
  /** The name of a missing input field, which ends the path. */
  readonly missing?: string;
  readonly extensions: Readonly<Record<string, unknown>>;
}

/** The platform's errors about a value in a document; the deepest ones, not those around them. */
export function literalProblems(
  graphql: typeof GraphQL,
  value: ValueNode,
  type: GraphQLInputType,
  holder: ValueHolder,
): LiteralProblem[] {
  const nested: LiteralProblem[] = [];
  const problem = checkValue(value, type);
  if (nested.length > 0 || problem === undefined) return nested;
  const { node, kind, of } = holder;
  const argumentName = node.name.value;
  const code = 'argumentLiteralsIncompatible';
  if (problem !== INCOMPATIBLE)
    return [{ message: problem, at: node, extensions: { code, typeName: 'CoercionError' } }];
  const written = graphql.print(value);
  return [
    {
      message: `Argument '${argumentName}' on ${kind} '${of}' has an invalid value (${written}). Expected type '${type.toString()}'.`,
      at: node,
      extensions: { code, typeName: kind, argumentName },
    },
  ];

  /** Undefined for a value that fits; what a scalar says, or that it does not fit. */
  function checkValue(given: ValueNode, wanted: GraphQLInputType): string | undefined {
    if (given.kind === 'Variable') return undefined;
    if (graphql.isNonNullType(wanted))
      return given.kind === 'NullValue' ? INCOMPATIBLE : checkValue(given, wanted.ofType);
    if (given.kind === 'NullValue') return undefined;
    if (graphql.isListType(wanted)) {
      const items = given.kind === 'ListValue' ? given.values : [given];
      return items.map((item) => checkValue(item, wanted.ofType)).find((one) => one !== undefined);
    }
    if (graphql.isInputObjectType(wanted)) {
      if (given.kind !== 'ObjectValue') return INCOMPATIBLE;
      nested.push(...objectProblems(graphql, given, wanted));
      return undefined;
    }
    if (graphql.isEnumType(wanted)) {
      const isValue = given.kind === 'EnumValue' && wanted.getValue(given.value) !== undefined;
      return isValue ? undefined : INCOMPATIBLE;
    }
    return problemOfScalar(given, wanted);
  }
}

const INCOMPATIBLE = 'incompatible';

function objectProblems(
  graphql: typeof GraphQL,
  value: ObjectValueNode,
  type: GraphQL.GraphQLInputObjectType,
): LiteralProblem[] {
  const fields = type.getFields();
  const given = value.fields.flatMap((node): LiteralProblem[] => {
    const name = node.name.value;
    const field = fields[name];
    if (field)
      return literalProblems(graphql, node.value, field.type, {
        node,
        kind: 'InputObject',
        of: type.name,
      });
    const message = `InputObject '${type.name}' doesn't accept argument '${name}'`;
    const extensions = {
      code: 'argumentNotAccepted',
      name: type.name,
      typeName: 'InputObject',
      argumentName: name,
    };
    return [{ message, at: node, extensions }];
  });
  const missing = Object.values(fields)
    .filter((field) => graphql.isRequiredInputField(field))
    .filter(({ name }) => !value.fields.some((node) => node.name.value === name))
    .map(({ name, type: fieldType }): LiteralProblem => ({
      message: `Argument '${name}' on InputObject '${type.name}' is required. Expected type ${fieldType.toString()}`,
      at: value,
      missing: name,
      extensions: {
        code: 'missingRequiredInputObjectAttribute',
        argumentName: name,
        argumentType: fieldType.toString(),
        inputObjectType: type.name,
      },
    }));
  return [...missing, ...given];
}

function problemOfScalar(value: ValueNode, type: GraphQL.GraphQLScalarType): string | undefined {
  if ('value' in value) {
    const problem = scalarProblem(type.name, value.value);
    if (problem) return problem;
    if (value.kind === 'StringValue' && !isScalarValue(type.name, value.value)) return INCOMPATIBLE;
  }
  try {
    return type.parseLiteral(value) === undefined ? INCOMPATIBLE : undefined;
  } catch {
    return INCOMPATIBLE;
  }
}
