import type { ApiSession } from '../../core/api-session.js';
import { isRecord } from '../../core/json.js';
import { picked } from './resource-attributes.js';
import type { Attributes } from './resource-attributes.js';
import { recordsIn, send } from './resource-request.js';
import type { CallBinding } from './resource-request.js';
import { UnmountedResourceError } from './resources.errors.js';

/** Any class of a resource. */
export type ResourceClass = typeof RestResource;

/** What a class is made of. */
export interface ResourceBinding extends CallBinding {
  /** The other classes of its version. */
  readonly sibling: (name: string) => ResourceClass | undefined;
}

export interface ResourceParams {
  readonly session: ApiSession;
  /** Attributes to begin with, read as a reply is. */
  readonly fromData?: Readonly<Attributes> | null | undefined;
}

export interface SaveOptions {
  /** Takes over what the platform answers, such as the id of what was created. @default false */
  readonly update?: boolean | undefined;
  /**
   * Of something that exists, sends only what has changed since it was loaded or saved, and nothing
   * at all when nothing has.
   * @default false
   */
  readonly onlyChanges?: boolean | undefined;
}

/**
 * One thing of a shop, such as a product, with the platform's names as properties. Every class of
 * `shopwright/rest/admin/<version>` is one.
 *
 * Every call throws what `RestClient` throws, {@link RestResourceError} when an id is missing, and
 * {@link UnmountedResourceError} on a class that was not taken from an app.
 */
export class RestResource {
  [attribute: string]: unknown;

  /** Version its calls carry. */
  static readonly apiVersion: string;
  /** @internal */
  static get binding(): ResourceBinding {
    throw new UnmountedResourceError(
      'RestResource itself is no resource: use a class that is derived from it.',
    );
  }

  readonly #session: ApiSession;
  /** The attributes as they were last loaded or saved. */
  #known: Attributes = {};

  constructor({ session, fromData }: ResourceParams) {
    this.#session = session;
    if (fromData) this.#load(fromData);
  }

  /** On whose behalf it calls. */
  get session(): ApiSession {
    return this.#session;
  }

  /**
   * Creates it, or updates it when it has its primary key. Attributes that are `undefined` are not
   * sent.
   */
  async save({ update = false, onlyChanges = false }: SaveOptions = {}): Promise<void> {
    const { definition } = this.#class.binding;
    const exists = Boolean(this[definition.primaryKey]);
    const changes = exists && onlyChanges ? this.#changes() : Object.keys(this);
    if (exists && onlyChanges && changes.length === 0) return;
    const attributes = picked(
      this,
      exists ? [...new Set([definition.primaryKey, ...changes])] : changes,
    );
    // What is changed while it is under way is not in it.
    const keep = this.#noteAll();
    const { body } = await send(this.#class, {
      session: this.#session,
      method: exists ? 'update' : 'create',
      ids: [this],
      data: { [definition.bodyKey]: serialized(this.#class, attributes, true) },
    });
    const [answer] = update ? recordsIn(definition, body) : [];
    keep();
    if (answer) this.#load(answer);
  }

  /** Saves it and takes over what the platform answers. */
  async saveAndUpdate(): Promise<void> {
    await this.save({ update: true });
  }

  /** Deletes it, by the ids it has. */
  async delete(): Promise<void> {
    const { methods, primaryKey, bodyKey } = this.#class.binding.definition;
    // Where the path alone does not name it: by its attributes, or by its key under its own name.
    const identity: Attributes = { [bodyKey]: { [primaryKey]: this[primaryKey] }, ...this };
    const query = picked(identity, methods.get('delete')?.params ?? []);
    await send(this.#class, { session: this.#session, method: 'delete', ids: [this], query });
  }

  /**
   * Its attributes as plain data. @param saving as they are sent: without those that are read-only
   */
  serialize(saving = false): Attributes {
    return serialized(this.#class, this, saving);
  }

  /** What `JSON.stringify()` makes of it. */
  toJSON(): Attributes {
    return this.serialize();
  }

  get #class(): ResourceClass {
    return this.constructor as ResourceClass;
  }

  #load(data: Readonly<Attributes>): void {
    const { binding } = this.#class;
    for (const [attribute, field] of binding.definition.flags)
      this.#known[attribute] = this[attribute] = data[field] ?? false;
    for (const [attribute, value] of Object.entries(data)) {
      // A field never takes the place of a method.
      if (attribute in this && !Object.hasOwn(this, attribute)) continue;
      const Child = childClass(binding, attribute);
      this[attribute] = Child ? this.#adopted(Child, value) : value;
      this.#known[attribute] = noted(this[attribute]);
    }
  }

  /** Records become instances; what is none (a text, nothing) stays what it is. */
  #adopted(Child: ResourceClass, value: unknown): unknown {
    if (Array.isArray(value)) return value.map((element) => this.#adopted(Child, element));
    return isRecord(value) && !(value instanceof RestResource)
      ? new Child({ session: this.#session, fromData: value })
      : value;
  }

  /**
   * Takes note of all there is now, in what is nested too; to be called once that is what the
   * platform has.
   */
  #noteAll(): () => void {
    const children = Object.values(this)
      .flat()
      .filter((child) => child instanceof RestResource);
    const nested = children.map((child) => child.#noteAll());
    const known = Object.fromEntries(
      Object.entries(this).map(([attribute, value]) => [attribute, noted(value)]),
    );
    return () => {
      this.#known = known;
      for (const keep of nested) keep();
    };
  }

  #isKnown(value: unknown, known: unknown): boolean {
    if (known instanceof Text) return JSON.stringify(value) === known.json;
    if (Array.isArray(value) && Array.isArray(known)) {
      return (
        value.length === known.length &&
        value.every((element, index) => this.#isKnown(element, known[index]))
      );
    }
    return value === known && !(value instanceof RestResource && value.#changes().length > 0);
  }

  #changes(): string[] {
    return Object.keys(this).filter(
      (attribute) => !this.#isKnown(this[attribute], this.#known[attribute]),
    );
  }
}

function childClass(binding: ResourceBinding, attribute: string): ResourceClass | undefined {
  const name = binding.definition.children.get(attribute);
  return name === undefined ? undefined : binding.sibling(name);
}

/**
 * The attributes of an instance, or of plain data that stands for one, by the rules of its own
 * class.
 */
function serialized(
  resource: ResourceClass,
  attributes: Readonly<Attributes>,
  saving: boolean,
): Attributes {
  const { binding } = resource;
  const { readOnly, flags } = binding.definition;
  const result: Attributes = {};
  for (const [attribute, value] of Object.entries(attributes)) {
    if (saving && readOnly.has(attribute)) continue;
    const Child = childClass(binding, attribute);
    result[(saving && flags.get(attribute)) || attribute] = Child
      ? nested(Child, value, saving)
      : value;
  }
  return result;
}

function nested(Child: ResourceClass, value: unknown, saving: boolean): unknown {
  if (Array.isArray(value)) return value.map((element) => nested(Child, element, saving));
  if (value instanceof RestResource) return value.serialize(saving);
  return isRecord(value) ? serialized(Child, value, saving) : value;
}

/**
 * What a value can be told from later: instances know about themselves, other data may be changed
 * in place and is kept as text.
 */
function noted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || value instanceof RestResource) return value;
  const isOfInstances =
    Array.isArray(value) && value.every((element) => element instanceof RestResource);
  return isOfInstances ? [...value] : new Text(JSON.stringify(value));
}

/** Data as it was. */
class Text {
  constructor(readonly json: string) {}
}
