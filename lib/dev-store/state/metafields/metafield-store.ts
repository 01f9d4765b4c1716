import { createHash } from 'node:crypto';

/** A metafield of an object of the shop. */
export interface StoredMetafield {
  /** The number in its global id. */
  readonly id: number;
  /** The global id of its owner. */
  readonly ownerId: string;
  /** As it is stored: `app--7000000001`, never `$app`. */
  readonly namespace: string;
  readonly key: string;
  /** E.g. `single_line_text_field`. */
  type: string;
  value: string;
  readonly createdAt: Date;
  updatedAt: Date;
}

/** What identifies a metafield. */
export type MetafieldPlace = Pick<StoredMetafield, 'ownerId' | 'namespace' | 'key'>;

/** The metafields of one shop, by owner, in the order of their creation. */
export class MetafieldStore {
  private readonly owners = new Map<string, StoredMetafield[]>();

  /** @param lastId the id before the first one issued */
  constructor(
    private readonly now: () => Date,
    private lastId: number,
  ) {}

  /** Those of one object. */
  of(ownerId: string): readonly StoredMetafield[] {
    return this.owners.get(ownerId) ?? [];
  }

  find({ ownerId, namespace, key }: MetafieldPlace): StoredMetafield | undefined {
    return this.of(ownerId).find((one) => one.namespace === namespace && one.key === key);
  }

  /** The metafield with a number. */
  findById(id: number): StoredMetafield | undefined {
    return this.all().find((one) => one.id === id);
  }

  /** Those of all objects. */
  all(): StoredMetafield[] {
    return [...this.owners.values()].flat();
  }

  /** Creates a metafield, or replaces its type and its value. */
  set(place: MetafieldPlace, { type, value }: { type: string; value: string }): StoredMetafield {
    const at = this.now();
    const known = this.find(place);
    if (known) return Object.assign(known, { type, value, updatedAt: at });
    const { ownerId, namespace, key } = place;
    const id = ++this.lastId;
    const made = { id, ownerId, namespace, key, type, value, createdAt: at, updatedAt: at };
    this.owners.set(ownerId, [...this.of(ownerId), made]);
    return made;
  }

  /** Returns whether there was such a metafield. */
  delete(place: MetafieldPlace): boolean {
    const known = this.find(place);
    if (!known) return false;
    this.owners.set(
      place.ownerId,
      this.of(place.ownerId).filter((one) => one !== known),
    );
    return true;
  }

  /** Deletes all metafields of an object that is no more. */
  deleteOwner(ownerId: string): void {
    this.owners.delete(ownerId);
  }
}

/** Identifies a state of a value: the platform refuses changes of another one. */
export function compareDigest({ type, value }: Pick<StoredMetafield, 'type' | 'value'>): string {
  return createHash('sha256').update(`${type}\n${value}`).digest('hex');
}
