import type { ApiSession } from '../../core/api-session.js';
import { jsonText } from '../../core/http/api-request.js';
import { isRecord } from '../../core/json.js';
import { picked } from './resource-attributes.js';
import type { Attributes } from './resource-attributes.js';
import { recordsIn, send } from './resource-request.js';
import type { CallBinding } from './resource-request.js';
import { UnmountedResourceError } from './resources.errors.js';

/** Any resource class. */
export type ResourceClass = typeof RestResource;

/** What a resource class is bound to. */
export interface ResourceBinding extends CallBinding {
  /** Finds another class of its version. */
  readonly sibling: (name: string) => ResourceClass | undefined;
}

/** What an instance of a resource is created with. */
export interface ResourceParams {
  readonly session: ApiSession;
  /** The initial attributes, in the form of a reply. */
  readonly fromData?: Readonly<Attributes> | null | undefined;
}

/** Options of `save` of a resource. */
export interface SaveOptions {
  /**
   * Updates the instance from the reply, such as with the id of a created resource.
   * @default false
   */
  readonly update?: boolean | undefined;
  /**
   * Sends only the attributes of an existing resource that have changed since it was loaded or
   * saved, and nothing when none has.
   * @default false
   */
  readonly onlyChanges?: boolean | undefined;
}

/**
 * A resource of a shop, such as a product, with the platform's names as properties. Every class of
 * `shopwright/rest/admin/<version>` extends it.
 *
 * Every call throws what `RestClient` throws, {@link RestResourceError} when an id is missing, and
 * {@link UnmountedResourceError} on a class that was not taken from an app.
 */
export class RestResource {
  [attribute: string]: unknown;

  /** API version of its calls. */
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

  /** The session of its calls. */
  get session(): ApiSession {
    return this.#session;
  }

  /**
   * Creates the resource, or updates it when it has its primary key. Attributes that are
   * `undefined` are not sent.
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
    // The attributes that are sent now; changes made before the reply are not among them.
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

  /** Saves the resource, and updates the instance from the reply. */
  async saveAndUpdate(): Promise<void> {
    await this.save({ update: true });
  }

  /** Deletes the resource, by its ids. */
  async delete(): Promise<void> {
    const { methods, primaryKey, bodyKey } = this.#class.binding.definition;
    // For paths that do not identify it: its attributes, or its key under its own name.
    const identity: Attributes = { [bodyKey]: { [primaryKey]: this[primaryKey] }, ...this };
    const query = picked(identity, methods.get('delete')?.params ?? []);
    await send(this.#class, { session: this.#session, method: 'delete', ids: [this], query });
  }

  /** The attributes as plain data. @param saving without read-only attributes, as they are sent */
  serialize(saving = false): Attributes {
    return serialized(this.#class, this, saving);
  }

  /** Called by `JSON.stringify()`. */
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
      // A field never replaces a method.
      if (attribute in this && !Object.hasOwn(this, attribute)) continue;
      const Child = childClass(binding, attribute);
      this[attribute] = Child ? this.#adopted(Child, value) : value;
      this.#known[attribute] = noted(this[attribute], attribute);
    }
  }

  /** Records become instances; other values, such as a text or null, stay as they are. */
  #adopted(Child: ResourceClass, value: unknown): unknown {
    if (Array.isArray(value)) return value.map((element) => this.#adopted(Child, element));
    return isRecord(value) && !isResource(value)
      ? new Child({ session: this.#session, fromData: value })
      : value;
  }

  /**
   * Takes a snapshot of the attributes, nested instances included. Call the result once the
   * platform has stored them.
   */
  #noteAll(): () => void {
    const children = Object.values(this)
      .flat()
      .filter((child) => isResource(child));
    const nested = children.map((child) => child.#noteAll());
    const known = Object.fromEntries(
      Object.entries(this).map(([attribute, value]) => [attribute, noted(value, attribute)]),
    );
    return () => {
      this.#known = known;
      for (const keep of nested) keep();
    };
  }

  #isKnown(attribute: string, value: unknown, known: unknown): boolean {
    if (known instanceof Text) return jsonText(value, attribute) === known.json;
    if (Array.isArray(value) && Array.isArray(known)) {
      return (
        value.length === known.length &&
        value.every((element, index) => this.#isKnown(attribute, element, known[index]))
      );
    }
    return value === known && !(isResource(value) && value.#changes().length > 0);
  }

  #changes(): string[] {
    return Object.keys(this).filter(
      (attribute) => !this.#isKnown(attribute, this[attribute], this.#known[attribute]),
    );
  }
}

function childClass(binding: ResourceBinding, attribute: string): ResourceClass | undefined {
  const name = binding.definition.children.get(attribute);
  return name === undefined ? undefined : binding.sibling(name);
}

/** The attributes of an instance, or of plain data in place of one, by the rules of its class. */
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
  if (isResource(value)) return value.serialize(saving);
  return isRecord(value) ? serialized(Child, value, saving) : value;
}

/**
 * A snapshot of a value for later comparison. Instances track their own changes; other data may be
 * changed in place, so it is kept as text.
 */
function noted(value: unknown, attribute: string): unknown {
  if (typeof value !== 'object' || value === null || isResource(value)) return value;
  const isOfInstances = Array.isArray(value) && value.every((element) => isResource(element));
  return isOfInstances ? [...value] : new Text(jsonText(value, attribute));
}

/** A snapshot of data, as JSON. */
class Text {
  constructor(readonly json: string) {}
}

/** A function, because a class that names itself is kept by bundlers for browsers. */
function isResource(value: unknown): value is RestResource {
  return value instanceof RestResource;
}
