const HEAD = '// Written from the tables by scripts/resources.mjs.\n';

/** A module that declares the classes of one shape; the values are made at run time. */
export function declarationsOf(definitions) {
  return `${HEAD}import type { ApiSession } from '../../../../core/api-session.js';
import type { Attributes } from '../../resource-attributes.js';
import type { QueryValue, RawMethod, ResourceId, ResourcePage } from '../../resource-methods.js';
import type { RestResource } from '../../rest-resource.js';

${definitions.map(classOf).join('\n')}`;
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

/** Every class by name: the \`restResources\` of an app's options. The app's own classes are then at \`api.rest\` and \`admin.rest.resources\`. */
export const restResources = defineResources('${version}') as unknown as typeof shape;

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
