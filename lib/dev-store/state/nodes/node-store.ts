import { globalId } from '../../base/vendor.js';
import type { IdSequence } from '../id-sequence.js';
import type { NodeFields, ShopNodes, StoredNode } from './shop-nodes.js';

export type { NodeFields, StoredNode } from './shop-nodes.js';

/** How many keys of repeated calls are remembered. */
const MOST_KEYS = 1000;

/** What is called when something happens to the nodes of a shop. */
interface NodeEvents {
  /** Called with the id of each node that is removed. */
  readonly onDelete?: (id: string) => void;
  /** Called with the error of a change that was left for later and failed. */
  readonly onFailure?: (error: unknown) => void;
}

/** The nodes of one shop that have no rules of their own, in the order of their creation. */
export class NodeStore implements ShopNodes {
  private readonly nodes = new Map<string, StoredNode>();
  private readonly extras = new Map<string, NodeFields>();
  private readonly created = new Map<string, number>();
  private pending: Array<() => void> = [];
  private readonly done = new Map<string, unknown>();
  private readonly numbers = new WeakMap<object, number>();
  private readonly parts = new Map<string, NodeFields>();

  /**
   * @param ids shared with what the shop keeps elsewhere, so that no two ids are the same
   * @param told called when something happens to the nodes
   */
  constructor(
    private readonly now: () => Date,
    private readonly ids: IdSequence,
    private readonly told: NodeEvents = {},
  ) {}

  all(types?: readonly string[]): StoredNode[] {
    if (!types) return [...this.nodes.values()];
    const found: StoredNode[] = [];
    for (const node of this.nodes.values()) if (types.includes(node.type)) found.push(node);
    return found;
  }

  first(type: string): StoredNode | undefined {
    for (const node of this.nodes.values()) if (node.type === type) return node;
    return undefined;
  }

  find(id: string): StoredNode | undefined {
    return this.nodes.get(id);
  }

  create(type: string, fields: Readonly<NodeFields> = {}): StoredNode {
    const number = this.ids.next();
    const at = this.now();
    const id = globalId(type, number);
    const ordinal = this.nextOrdinal(type);
    this.created.set(type, ordinal);
    const node = { id, number, ordinal, type, createdAt: at, updatedAt: at, fields: { ...fields } };
    this.nodes.set(id, node);
    return node;
  }

  /** The {@link StoredNode.ordinal} of the next node of a type. */
  nextOrdinal(type: string): number {
    return (this.created.get(type) ?? 0) + 1;
  }

  update(id: string, fields: Readonly<NodeFields>): void {
    const node = this.nodes.get(id);
    if (node) node.updatedAt = this.now();
    Object.assign(node?.fields ?? this.extrasOf(id), fields);
  }

  delete(id: string): boolean {
    this.extras.delete(id);
    if (!this.nodes.delete(id)) return false;
    for (const part of this.naming(id, ['FulfillmentOrder'])) this.delete(part.id);
    this.told.onDelete?.(id);
    return true;
  }

  /** The fields that were set of any object; empty when there are none. */
  fieldsOf(id: string): Readonly<NodeFields> {
    return this.nodes.get(id)?.fields ?? this.extras.get(id) ?? {};
  }

  /** The id of an object in the values of a node: the same as long as it is not replaced. */
  idOf(type: string, values: object): string {
    const number = this.numbers.get(values) ?? this.ids.next();
    this.numbers.set(values, number);
    return globalId(type, number);
  }

  /** The values of an object that stands for one that was never set: the same at each read. */
  partOf(id: string, field: string): NodeFields {
    const place = `${id} ${field}`;
    const values = this.parts.get(place) ?? {};
    this.parts.set(place, values);
    return values;
  }

  /**
   * Does something the first time that a key is given, and returns its result each time.
   * @param isDone whether a result counts: after one that does not, the key may be given anew
   */
  once<T>(key: string, work: () => T, isDone: (result: T) => boolean = () => true): T {
    if (!this.done.has(key)) {
      const result = work();
      if (!isDone(result)) return result;
      this.done.set(key, result);
      const [oldest] = this.done.keys();
      if (this.done.size > MOST_KEYS && oldest !== undefined) this.done.delete(oldest);
    }
    return this.done.get(key) as T;
  }

  /** Does something before the next call, such as what the platform does in the background. */
  afterCall(change: () => void): void {
    this.pending.push(change);
  }

  /** Begins a call: does what was left by those before. It goes on when that fails. */
  beginCall(): void {
    const changes = this.pending;
    this.pending = [];
    for (const change of changes)
      try {
        change();
      } catch (error) {
        this.told.onFailure?.(error);
      }
  }

  /** The nodes of some types with a field that names a node, by itself or in a list. */
  naming(id: string, types: readonly string[]): StoredNode[] {
    const names = (value: unknown): boolean =>
      value === id || (Array.isArray(value) && value.includes(id));
    const found: StoredNode[] = [];
    for (const node of this.nodes.values())
      if (types.includes(node.type) && Object.values(node.fields).some(names)) found.push(node);
    return found;
  }

  private extrasOf(id: string): NodeFields {
    const fields = this.extras.get(id) ?? {};
    this.extras.set(id, fields);
    return fields;
  }
}
