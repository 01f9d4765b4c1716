import {
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  isScalarType,
  isSpecifiedDirective,
  isSpecifiedScalarType,
  isUnionType,
} from 'graphql';

/**
 * Compares two GraphQL schemas.
 * @param {import('graphql').GraphQLSchema} ours
 * @param {import('graphql').GraphQLSchema} real
 * @returns {{ checked: number, problems: string[] }} how many things were compared, and everything
 * that only one of them has or that they have otherwise
 */
export function compareWithReal(ours, real) {
  const [own, wanted] = [factsOf(ours), factsOf(real)];
  const places = new Set([...own.keys(), ...wanted.keys()]);
  const problems = [...places]
    .filter((place) => own.get(place) !== wanted.get(place))
    .map((place) => `${place} ${stateOf(wanted, place)}, ours ${stateOf(own, place)}`);
  return { checked: places.size, problems };
}

function stateOf(facts, place) {
  return facts.has(place) ? `is ${facts.get(place)}` : 'is missing';
}

/** Everything a schema says but its descriptions: what each place in it is. */
function factsOf(schema) {
  const facts = new Map();
  for (const operation of ['query', 'mutation', 'subscription'])
    facts.set(`the ${operation} type`, schema.getRootType(operation)?.name ?? 'none');
  for (const directive of schema.getDirectives()) {
    if (isSpecifiedDirective(directive)) continue;
    const place = `@${directive.name}`;
    const repeatable = directive.isRepeatable ? 'repeatable on' : 'on';
    facts.set(place, `${repeatable} ${[...directive.locations].sort().join(', ')}`);
    noteInputs(facts, place, directive.args);
  }
  for (const type of Object.values(schema.getTypeMap()))
    if (!isIntrospectionType(type) && !isSpecifiedScalarType(type)) noteType(facts, type);
  return facts;
}

function noteType(facts, type) {
  const { name } = type;
  facts.set(name, `a ${type.constructor.name}`);
  if (isScalarType(type)) facts.set(`${name} is specified by`, type.specifiedByURL ?? 'nothing');
  if (isInputObjectType(type)) {
    facts.set(`${name} takes`, type.isOneOf ? 'one field' : 'its fields');
    noteInputs(facts, name, Object.values(type.getFields()));
  }
  if (isUnionType(type)) for (const one of type.getTypes()) facts.set(`${name} | ${one}`, 'there');
  if (isEnumType(type))
    for (const value of type.getValues())
      facts.set(`${name}.${value.name}`, `a value${deprecationOf(value)}`);
  if (!isObjectType(type) && !isInterfaceType(type)) return;
  for (const one of type.getInterfaces()) facts.set(`${name} & ${one}`, 'there');
  for (const field of Object.values(type.getFields())) {
    const place = `${name}.${field.name}`;
    facts.set(place, `${field.type}${deprecationOf(field)}`);
    noteInputs(facts, place, field.args);
  }
}

/** Arguments and input fields. */
function noteInputs(facts, owner, inputs) {
  for (const input of inputs) {
    const value =
      input.defaultValue === undefined ? '' : ` = ${JSON.stringify(input.defaultValue)}`;
    facts.set(`${owner}(${input.name})`, `${input.type}${value}${deprecationOf(input)}`);
  }
}

function deprecationOf({ deprecationReason }) {
  return deprecationReason == null ? '' : `, deprecated: ${deprecationReason}`;
}
