import {
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  isSpecifiedDirective,
  isSpecifiedScalarType,
  isUnionType,
} from 'graphql';

/**
 * Compares two GraphQL schemas.
 * @param {import('graphql').GraphQLSchema} ours
 * @param {import('graphql').GraphQLSchema} real
 * @returns {{ checked: number, problems: string[] }} how many things were compared, and everything
 * in ours that the real schema lacks or has otherwise
 */
export function compareWithReal(ours, real) {
  const result = { checked: 0, problems: [] };
  const check = (holds, problem) => {
    result.checked++;
    if (!holds) result.problems.push(problem);
    return holds;
  };
  check(ours.getQueryType()?.name === real.getQueryType()?.name, 'the query type has another name');
  if (ours.getMutationType())
    check(
      ours.getMutationType().name === real.getMutationType()?.name,
      'the mutation type has another name',
    );
  for (const directive of ours.getDirectives()) {
    if (!isSpecifiedDirective(directive))
      compareDirectives(directive, real.getDirective(directive.name), check);
  }
  for (const type of Object.values(ours.getTypeMap())) {
    if (isIntrospectionType(type) || isSpecifiedScalarType(type)) continue;
    const counterpart = real.getType(type.name);
    const exists = check(
      counterpart?.constructor === type.constructor,
      `${type.name} is missing or of another kind`,
    );
    if (exists) compareTypes(type, counterpart, check);
  }
  return result;
}

function compareDirectives(directive, real, check) {
  if (!check(real, `@${directive.name} is missing`)) return;
  for (const location of directive.locations)
    check(real.locations.includes(location), `@${directive.name} cannot stand on ${location}`);
  compareInputs(`@${directive.name}`, directive.args, real.args, check);
}

function compareTypes(type, real, check) {
  if (isObjectType(type) || isInterfaceType(type)) {
    for (const { name } of type.getInterfaces()) {
      check(
        real.getInterfaces().some((one) => one.name === name),
        `${type.name} does not implement ${name}`,
      );
    }
    for (const field of Object.values(type.getFields()))
      compareFields(`${type.name}.${field.name}`, field, real.getFields()[field.name], check);
  } else if (isInputObjectType(type)) {
    compareInputs(
      type.name,
      Object.values(type.getFields()),
      Object.values(real.getFields()),
      check,
    );
  } else if (isEnumType(type)) {
    for (const { name } of type.getValues())
      check(real.getValue(name), `${type.name} has no value ${name}`);
  } else if (isUnionType(type)) {
    for (const { name } of type.getTypes())
      check(
        real.getTypes().some((one) => one.name === name),
        `${type.name} does not include ${name}`,
      );
  }
}

function compareFields(path, field, real, check) {
  if (!check(real, `${path} is missing`)) return;
  check(
    String(field.type) === String(real.type),
    `${path} is ${real.type}, ours says ${field.type}`,
  );
  compareInputs(path, field.args, real.args, check);
}

/**
 * Arguments and input fields: ours must exist with the same type and default, and nothing that is
 * required may be absent from ours.
 */
function compareInputs(path, inputs, realInputs, check) {
  for (const input of inputs) {
    const real = realInputs.find(({ name }) => name === input.name);
    if (!check(real, `${path}(${input.name}) is missing`)) continue;
    check(
      String(input.type) === String(real.type),
      `${path}(${input.name}) is ${real.type}, ours says ${input.type}`,
    );
    const sameDefault = JSON.stringify(input.defaultValue) === JSON.stringify(real.defaultValue);
    check(
      sameDefault,
      `${path}(${input.name}) defaults to ${JSON.stringify(real.defaultValue)}, ours to ${JSON.stringify(input.defaultValue)}`,
    );
  }
  for (const real of realInputs) {
    const required = String(real.type).endsWith('!') && real.defaultValue === undefined;
    if (required)
      check(
        inputs.some(({ name }) => name === real.name),
        `${path}(${real.name}) is required and ours lacks it`,
      );
  }
}
