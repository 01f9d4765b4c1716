type Verb = 'GET' | 'POST' | 'PUT' | 'DELETE';

/**
 * What the platform's REST interface knows of one kind of thing, as data: the classes and their
 * types are made from it.
 */
export interface ResourceTable {
  /**
   * `singular plural` of the keys that replies have, in the order they are looked for.
   * @default from the name of the class
   */
  readonly names?: readonly `${string} ${string}`[];
  /**
   * Key that wraps the attributes in the body of a save. @default the name of the class, as
   * `snake_case`
   */
  readonly bodyKey?: string;
  /** @default 'id' */
  readonly primaryKey?: string;
  /** Where the paths begin instead of at the root of the version. */
  readonly prefix?: string;
  /** Attributes that are never sent. */
  readonly readOnly?: string;
  /**
   * Booleans whose field in a reply has the name of a method, by attribute:
   * `{ is_default: 'default' }`. False where the field is missing.
   */
  readonly flags?: Readonly<Record<string, string>>;
  /** A method that answers with the first instance, as `find` does, and not with the whole body. */
  readonly first?: string;
  /**
   * `verb method path ? parameters`, one row per path of a method. A path names its ids in angle
   * brackets; of several the one with most ids is taken. Methods are static when they read (`GET`)
   * or delete; `create` and `update` are the two sides of `save()`.
   */
  readonly calls?: readonly `${Verb} ${string}`[];
  /**
   * Names by type; each may be null besides. A type that begins with a capital is a class of the
   * same version.
   */
  readonly attributes?: Readonly<Record<string, string>>;
}

/** Tables by name of the class. */
export type ResourceTables = Readonly<Record<string, ResourceTable>>;

/**
 * A table, or what is laid over one: rows are added or take the place of those with the same method
 * and path.
 */
export interface ResourceLayer extends ResourceTable {
  /** Attributes that are left out. */
  readonly without?: string;
}

/** What a version has differently from the one after it. */
export interface VersionDelta {
  /** The last version that has it so. */
  readonly until: string;
  readonly tables: Readonly<Record<string, ResourceLayer>>;
}
