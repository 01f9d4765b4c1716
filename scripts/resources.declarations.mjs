const HEAD = '// Written from the tables by scripts/resources.mjs.\n';

/** What the declarations are written with. */
const IMPORTS = [
  [['ApiSession'], '../../../../core/api-session.js'],
  [['Attributes'], '../../resource-attributes.js'],
  [['QueryValue', 'RawMethod', 'ResourceId', 'ResourcePage'], '../../resource-methods.js'],
  [['RestResource'], '../../rest-resource.js'],
];

/** The classes of one version by name, as declarations; the values are made at run time. */
export function classesOf(definitions) {
  return new Map(definitions.map((definition) => [definition.name, classOf(definition)]));
}

/**
 * A module that declares the classes of one shape. A class that is as in the shape before, with all
 * that it names, is taken from where it was declared first.
 * @param classes by name
 * @param before the same of the shape before; `origins` names the shape of each of its classes
 * @returns the text, and the `origins` of this one
 */
export function shapeOf(shape, classes, before) {
  const same = new Set(
    [...classes].flatMap(([name, text]) => (before?.classes.get(name) === text ? [name] : [])),
  );
  const isOwn = (name) => classes.has(name) && !same.has(name);
  for (let size; size !== same.size;) {
    size = same.size;
    for (const name of same) if (namesIn(classes.get(name)).some(isOwn)) same.delete(name);
  }
  const own = [...classes].filter(([name]) => !same.has(name));
  const named = new Set(own.flatMap(([, text]) => namesIn(text)));
  const origins = [...new Set([...same].map((name) => before.origins.get(name)))];
  const lines = origins.flatMap((origin) => {
    const names = [...same].filter((name) => before.origins.get(name) === origin);
    const used = names.filter((name) => named.has(name));
    const from = `from './${origin}.js';`;
    return [
      ...(used.length > 0 ? [`import type { ${used.join(', ')} } ${from}`] : []),
      `export { ${names.join(', ')} } ${from}`,
    ];
  });
  const imports = IMPORTS.flatMap(([names, file]) => {
    const used = names.filter((name) => named.has(name));
    return used.length > 0 ? [`import type { ${used.join(', ')} } from '${file}';`] : [];
  });
  const text = [HEAD + [...imports, ...lines, ''].join('\n'), ...own.map(([, one]) => one)].join(
    '\n',
  );
  const originOf = (name) => (same.has(name) ? before.origins.get(name) : shape);
  return {
    classes,
    text,
    origins: new Map([...classes.keys()].map((name) => [name, originOf(name)])),
  };
}

function namesIn(declaration) {
  return declaration.match(/\b[A-Z]\w+\b/g) ?? [];
}

/** The module that apps import for one version. */
export function entryPointOf(version, shape, definitions) {
  const names = definitions.map(({ name }) => name);
  return `${HEAD}/**
 * The typed REST resources of version ${version}.
 * @module shopwright/rest/admin/${version}
 */
import { defineResources } from '../../define-resources.js';
import type * as shape from '../shapes/${shape}.js';

/** What {@link restResources} is. */
export type RestResources = Pick<typeof shape, keyof typeof shape>;

/** Every class by name: the \`restResources\` of an app's options. The app's own classes are then at \`api.rest\` and \`admin.rest.resources\`. */
export const restResources = defineResources('${version}') as unknown as RestResources;

export const {
${names.map((name) => `  ${name},`).join('\n')}
} = restResources;

${names.map((name) => `export type ${name} = shape.${name};`).join('\n')}
`;
}

function classOf({ name, primaryKey, first, attributes, methods }) {
  const members = [...attributes].flatMap(([attribute, type]) => attributeOf(attribute, type));
  for (const method of methods.values()) members.push(...methodOf(name, method, primaryKey, first));
  return `export declare class ${name} extends RestResource {\n${members.map((member) => `  ${member}\n`).join('')}}\n`;
}

/** Nested resources are read as instances, and plain data may be put in their place. */
function attributeOf(attribute, type) {
  const [first, ...others] = type.split('|').map((part) => part.replace('object', 'Attributes'));
  if (!/^[A-Z]/.test(type)) return [`${attribute}: ${[first, ...others, 'null'].join(' | ')};`];
  const assignable = first.endsWith('[]')
    ? `readonly (${first.slice(0, -2)} | Attributes)[]`
    : `${first} | Attributes`;
  return [
    `get ${attribute}(): ${[first, ...others, 'null'].join(' | ')};`,
    `set ${attribute}(value: ${[assignable, ...others, 'null'].join(' | ')});`,
  ];
}

function methodOf(resource, { name, verb, paths, ids, params }, primaryKey, first) {
  if (name === 'create' || name === 'update') return [];
  const doc = `/** ${paths.map(({ template }) => `${verb.toUpperCase()} ${template}`).join(', ')} */`;
  const known = params.map((param) => `${param}?: QueryValue`);
  const others = '[param: string]: unknown';
  if (verb !== 'get' && name !== 'delete') {
    return [
      doc,
      `${name}(args?: { ${['body?: Attributes | null', ...known, others].join('; ')} }): Promise<unknown>;`,
    ];
  }
  const isClosed = name === 'find' || name === 'delete';
  const path = ids.map((id) =>
    id === primaryKey ? `${id}: ResourceId` : `${id}?: ResourceId | null`,
  );
  const args = `{ ${['session: ApiSession', ...path, ...known, ...(isClosed ? [] : [others])].join('; ')} }`;
  if (name === 'find' || name === first)
    return [doc, `static ${name}(args: ${args}): Promise<${resource} | undefined>;`];
  if (name === 'delete') return [doc, `static delete(args: ${args}): Promise<unknown>;`];
  if (name === 'count') return [doc, `static count(args: ${args}): Promise<{ count: number }>;`];
  if (name !== 'all') return [doc, `static ${name}: RawMethod<${args}>;`];
  return [
    doc,
    `static all(args: ${args}): Promise<ResourcePage<${resource}>>;`,
    `/** Every one of the list, across its pages; each page is fetched when it is needed. */`,
    `static each(args: ${args}): AsyncGenerator<${resource}, void, undefined>;`,
  ];
}
