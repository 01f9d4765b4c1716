import type { ResourceLayer, ResourceTable } from './resource.table.js';

/** One path of a resource, such as `blogs/<blog_id>/articles`. */
interface ResourcePath {
  readonly template: string;
  /** Names of the ids in it. */
  readonly ids: readonly string[];
}

/** A method of a resource, with all its paths. */
export interface ResourceMethod {
  readonly name: string;
  readonly verb: 'get' | 'post' | 'put' | 'delete';
  readonly paths: readonly ResourcePath[];
  /** Names of the ids in all its paths. */
  readonly ids: readonly string[];
  /** Query parameters that are known by name. */
  readonly params: readonly string[];
}

const ROW = /^(?<verb>\w+) +(?<name>\w+) +(?<path>\S+)(?: \? (?<params>.+))?$/;

/** The definition of a resource in one version. */
export class ResourceDefinition {
  readonly names: readonly (readonly [singular: string, plural: string])[];
  readonly bodyKey: string;
  readonly primaryKey: string;
  readonly readOnly: ReadonlySet<string>;
  /** Fields of replies, by the attribute that keeps them. */
  readonly flags: ReadonlyMap<string, string>;
  readonly first: string | undefined;
  readonly methods: ReadonlyMap<string, ResourceMethod>;
  /** Types by attribute, each without its `null`. */
  readonly attributes: ReadonlyMap<string, string>;
  /** Names of classes, by the attributes whose values become instances of them. */
  readonly children: ReadonlyMap<string, string>;

  /**
   * @param layers the table of the newest version, and the differences of older versions, newest
   * first
   */
  constructor(
    readonly name: string,
    layers: readonly ResourceLayer[],
  ) {
    const table: ResourceTable = Object.assign({}, ...layers);
    const snake = name.replace(/\B[A-Z]/g, '_$&').toLowerCase();
    this.names = (table.names ?? [`${snake} ${snake.replace(/y$/, 'ie')}s`]).map(
      (pair) => pair.split(' ') as [string, string],
    );
    this.bodyKey = table.bodyKey ?? snake;
    this.primaryKey = table.primaryKey ?? 'id';
    this.readOnly = new Set(words(table.readOnly));
    this.flags = new Map(Object.entries(table.flags ?? {}));
    this.first = table.first;
    this.methods = methodsIn(
      layers.flatMap(({ calls = [] }) => calls),
      table.prefix,
    );
    this.attributes = attributesIn(layers);
    this.children = new Map(
      [...this.attributes].flatMap(([name, type]) =>
        Array.from(type.match(/^[A-Z]\w*/) ?? [], (child) => [name, child]),
      ),
    );
  }
}

function methodsIn(
  rows: readonly string[],
  prefix: string | undefined,
): Map<string, ResourceMethod> {
  const methods = new Map<
    string,
    { name: string; verb: ResourceMethod['verb']; rows: Map<string, string[]> }
  >();
  for (const row of rows) {
    const { verb = '', name = '', path = '', params } = ROW.exec(row)?.groups ?? {};
    const method = methods.get(name) ?? {
      name,
      verb: verb.toLowerCase() as ResourceMethod['verb'],
      rows: new Map(),
    };
    method.rows.set(prefix ? `/${prefix}/${path}` : path, words(params));
    methods.set(name, method);
  }
  const paths = (templates: Iterable<string>): ResourcePath[] =>
    Array.from(templates, (template) => ({ template, ids: idsIn(template) }));
  return new Map(
    [...methods.values()].map(({ name, verb, rows }) => {
      const method = {
        name,
        verb,
        paths: paths(rows.keys()),
        params: [...new Set([...rows.values()].flat())],
      };
      return [name, { ...method, ids: [...new Set(method.paths.flatMap(({ ids }) => ids))] }];
    }),
  );
}

function attributesIn(layers: readonly ResourceLayer[]): Map<string, string> {
  const types = new Map<string, string>();
  for (const { attributes = {}, without } of layers) {
    for (const [type, names] of Object.entries(attributes))
      for (const name of words(names)) types.set(name, type);
    for (const name of words(without)) types.delete(name);
  }
  return types;
}

function idsIn(template: string): string[] {
  return Array.from(template.matchAll(/<(\w+)>/g), ([, id = '']) => id);
}

function words(text: string | undefined): string[] {
  return text ? text.split(' ') : [];
}
