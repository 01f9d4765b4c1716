const FIRST_SIZE = 64;

/** What a {@link LeasedEntries} holds. */
export interface Leased<Entry> {
  readonly id: string;
  /** @internal The next one in the same place of the table. */
  following: Entry | undefined;
}

/**
 * Entries by id, nearly all of which are removed soon. A `Map` would keep them from dying young: it
 * leaves its table behind again and again, each refers to the next and to all that was in it.
 */
export class LeasedEntries<Entry extends Leased<Entry>> {
  #table: (Entry | undefined)[] = emptyTable(FIRST_SIZE);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get(id: string): Entry | undefined {
    let entry = this.#table[this.#placeOf(id)];
    while (entry && entry.id !== id) entry = entry.following;
    return entry;
  }

  /** Puts an entry in place of the one with its id. */
  set(entry: Entry): void {
    this.delete(entry.id);
    if (this.#size === this.#table.length) this.#grow();
    this.#enter(entry);
    this.#size++;
  }

  /** @returns false when there is none */
  delete(id: string): boolean {
    const place = this.#placeOf(id);
    let before: Entry | undefined;
    for (let entry = this.#table[place]; entry; before = entry, entry = entry.following) {
      if (entry.id !== id) continue;
      if (before) before.following = entry.following;
      else this.#table[place] = entry.following;
      entry.following = undefined;
      this.#size--;
      return true;
    }
    return false;
  }

  /** In no order. */
  values(): Entry[] {
    const values: Entry[] = [];
    for (let entry of this.#table) for (; entry; entry = entry.following) values.push(entry);
    return values;
  }

  #enter(entry: Entry): void {
    const place = this.#placeOf(entry.id);
    entry.following = this.#table[place];
    this.#table[place] = entry;
  }

  #grow(): void {
    const entries = this.values();
    this.#table = emptyTable(this.#table.length * 2);
    for (const entry of entries) this.#enter(entry);
  }

  #placeOf(id: string): number {
    return hashOf(id) & (this.#table.length - 1);
  }
}

function emptyTable<Entry>(size: number): (Entry | undefined)[] {
  return Array.from({ length: size }, () => undefined);
}

/** So that nobody can choose ids which all lead to one place. */
const SEED = (Math.random() * 2 ** 32) | 0;

/** FNV-1a, as an integer of 32 bits. */
export function hashOf(id: string): number {
  let hash = SEED;
  for (let at = 0; at < id.length; at++) hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193);
  return hash ^ (hash >>> 15);
}
