/** A field of the objects of a type. */
export interface MetaobjectFieldDefinition {
  readonly key: string;
  name: string;
  /** E.g. `single_line_text_field`. */
  readonly type: string;
  description: string | null;
  required: boolean;
  /** What its values must be beyond their type, e.g. `max`. */
  validations: ReadonlyArray<{ readonly name: string; readonly value: string }>;
}

/** Who may read and write the objects of a type. */
export interface MetaobjectAccess {
  readonly admin: string;
  readonly storefront: string;
  readonly customerAccount: string;
}

/** What the objects of a type can do, e.g. be drafts, by the names of the schema. */
export type MetaobjectCapabilities = Readonly<
  Record<string, { readonly enabled: boolean; readonly data?: object | null }>
>;

/** A type of metaobjects. */
export interface MetaobjectDefinition {
  /** The number in its global id. */
  readonly id: number;
  /** As it is stored: `app--7000000001--example`, never `$app:example`. */
  readonly type: string;
  name: string;
  description: string | null;
  /** The key of the field whose value names the objects. */
  displayNameKey: string | null;
  fields: MetaobjectFieldDefinition[];
  access: MetaobjectAccess;
  capabilities: MetaobjectCapabilities;
  /** The platform's own definition that it was made of; null for others. */
  readonly standard: { readonly type: string; readonly name: string } | null;
  /** It stands in the configuration file of its app, which alone changes it. */
  readonly isDeclared: boolean;
  readonly createdAt: Date;
  updatedAt: Date;
}

/** What a new type is made of. */
type NewDefinition = Omit<MetaobjectDefinition, 'id' | 'createdAt' | 'updatedAt'>;

/** An object of such a type. */
export interface Metaobject {
  /** The number in its global id. */
  readonly id: number;
  /** As it is stored. */
  readonly type: string;
  handle: string;
  /** Texts by the keys of the fields. */
  values: Readonly<Record<string, string>>;
  /** What was set of the capabilities of its type, e.g. `{ publishable: { status } }`. */
  capabilities: Readonly<Record<string, object>>;
  /** The app that has made it. */
  readonly apiKey: string;
  readonly createdAt: Date;
  updatedAt: Date;
}

/** The metaobjects of one shop and their types, in the order of their creation. */
export class MetaobjectStore {
  private readonly types = new Map<string, MetaobjectDefinition>();
  private readonly objects = new Map<number, Metaobject>();

  /** @param lastId the id before the first one issued; types use the same sequence */
  constructor(
    private readonly now: () => Date,
    private lastId: number,
  ) {}

  definitions(): MetaobjectDefinition[] {
    return [...this.types.values()];
  }

  definition(type: string): MetaobjectDefinition | undefined {
    return this.types.get(type);
  }

  definitionById(id: number): MetaobjectDefinition | undefined {
    return this.definitions().find((one) => one.id === id);
  }

  /** Adds a type, in place of one of the same name. */
  define(definition: NewDefinition): MetaobjectDefinition {
    const at = this.now();
    const made = { ...definition, id: ++this.lastId, createdAt: at, updatedAt: at };
    this.types.set(made.type, made);
    return made;
  }

  /** Removes a type with all of its objects. */
  undefine({ type }: MetaobjectDefinition): void {
    this.types.delete(type);
    for (const { id } of this.ofType(type)) this.objects.delete(id);
  }

  /** Notes that a type was changed. */
  touch(definition: MetaobjectDefinition): void {
    definition.updatedAt = this.now();
  }

  ofType(type: string): Metaobject[] {
    return [...this.objects.values()].filter((one) => one.type === type);
  }

  find(id: number): Metaobject | undefined {
    return this.objects.get(id);
  }

  byHandle(type: string, handle: string): Metaobject | undefined {
    return this.ofType(type).find((one) => one.handle === handle);
  }

  create(made: Omit<Metaobject, 'id' | 'createdAt' | 'updatedAt'>): Metaobject {
    const at = this.now();
    const object = { ...made, id: ++this.lastId, createdAt: at, updatedAt: at };
    this.objects.set(object.id, object);
    return object;
  }

  update(
    object: Metaobject,
    change: Partial<Pick<Metaobject, 'handle' | 'values' | 'capabilities'>>,
  ): void {
    Object.assign(object, change, { updatedAt: this.now() });
  }

  delete(id: number): void {
    this.objects.delete(id);
  }
}
