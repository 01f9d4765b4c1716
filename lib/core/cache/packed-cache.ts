import { hashOf } from '../concurrency/in-flight.js';

/** How many entries stand in one block of memory: a power of two. */
const BLOCK_BITS = 9;
const BLOCK = 1 << BLOCK_BITS;
const LAST_SLOT = BLOCK - 1;
/** Numbers that the index has for an entry. */
const PAIR = 2;
/** What a key usually takes, in bytes; a block grows when its keys are longer. */
const USUAL_KEY = 96;
const FIRST_INDEX = 64 * PAIR;
/** A label is stored as its number in a byte; 0 stands for an entry that was removed. */
const MOST_LABELS = 255;
const NOWHERE = -1;
/** A key of one byte for each character. */
const ONE_BYTE = /^[\0-\xff]*$/;

/** An entry of a {@link PackedCache}. */
export interface PackedEntry {
  readonly key: string;
  /** One of the few that the entries of a cache have. */
  readonly label: string;
  /** When it was added, in epoch milliseconds. */
  readonly addedAt: number;
}

/** Entries one behind the other, without an object for each. */
class Block {
  keys = Buffer.allocUnsafeSlow(BLOCK * USUAL_KEY);
  readonly ends = new Uint32Array(BLOCK);
  readonly hashes = new Int32Array(BLOCK);
  readonly addedAt = new Float64Array(BLOCK);
  readonly expires = new Float64Array(BLOCK);
  readonly labels = new Uint8Array(BLOCK);
  readonly used = new Uint8Array(BLOCK);

  startOf(slot: number): number {
    return slot === 0 ? 0 : this.ends[slot - 1]!;
  }

  keyOf(slot: number): string {
    return this.keys.toString('latin1', this.startOf(slot), this.ends[slot]);
  }

  has(slot: number, key: string): boolean {
    return this.ends[slot]! - this.startOf(slot) === key.length && this.keyOf(slot) === key;
  }

  write(slot: number, key: string): void {
    const start = this.startOf(slot);
    const end = start + key.length;
    if (end > this.keys.length) {
      const longer = Buffer.allocUnsafeSlow(Math.max(end, this.keys.length * 2));
      this.keys.copy(longer, 0, 0, start);
      this.keys = longer;
    }
    this.keys.write(key, start, 'latin1');
    this.ends[slot] = end;
  }
}

/**
 * Keys with a label and a time, up to `capacity`: beyond it the oldest is dropped, unless it was
 * read since it was added or spared for that before.
 *
 * They stand in blocks of bytes beside the heap, with an open hash table over them. As an object
 * each, 100,000 keys of a hundred bytes would take three times the memory, and far more in fact:
 * what is kept for each request makes V8 enlarge its young generation to the utmost, and full
 * collections visit all of it.
 */
export class PackedCache {
  /** A ring: those that hold an entry are there, and the one that is being filled. */
  readonly #blocks: (Block | undefined)[] = [];
  #spare: Block | undefined;
  /** The last place of the ring: a position cut down to it is a place. */
  readonly #mask: number;
  /** How many entries came before the oldest, and before the next: they count on for ever. */
  #oldest = 0;
  #next = 0;
  #size = 0;
  /**
   * Pairs: the hash of a key, and the place of its entry in the ring, plus one; 0 is free. With the
   * hashes beside, a search leaves the processor's cache once, not for every entry it passes.
   */
  #index = new Int32Array(0);
  readonly #labels: string[] = [];

  constructor(private readonly capacity: number) {
    this.#mask = 2 ** Math.ceil(Math.log2(2 * capacity + BLOCK)) - 1;
  }

  get size(): number {
    return this.#size;
  }

  /** The entry, unless it has expired by `now` (epoch milliseconds). */
  get(key: string, now: number): PackedEntry | undefined {
    const at = this.#find(key);
    if (at === NOWHERE) return undefined;
    const block = this.#blockAt(at);
    const slot = at & LAST_SLOT;
    if (block.expires[slot]! <= now) return undefined;
    block.used[slot] = 1;
    return this.#entryAt(at);
  }

  /**
   * Those that were added at `since` or later and have not expired by `now` (both in epoch
   * milliseconds), in the order in which they are to be dropped.
   */
  *addedSince(since: number, now: number): Generator<PackedEntry> {
    for (let position = this.#oldest; position < this.#next; position++) {
      const at = position & this.#mask;
      const { addedAt, expires, labels } = this.#blockAt(at);
      const slot = at & LAST_SLOT;
      if (labels[slot] !== 0 && addedAt[slot]! >= since && expires[slot]! > now)
        yield this.#entryAt(at);
    }
  }

  /**
   * Adds an entry, or puts it in place of the one with its key. @param expires epoch milliseconds
   * @returns false when it cannot be kept here, because of its key or its label
   */
  add({ key, label, addedAt }: PackedEntry, expires: number): boolean {
    if (!ONE_BYTE.test(key)) return false;
    const number = this.#numberOf(label);
    if (number > MOST_LABELS) return false;
    this.delete(key);
    // Entries that were removed take their place until all before them are dropped.
    while (this.#size >= this.capacity || this.#next - this.#oldest >= 2 * this.capacity)
      this.#dropOldest();
    this.#append(key, { hash: hashOf(key), number, addedAt, expires });
    return true;
  }

  delete(key: string): void {
    const at = this.#find(key);
    if (at !== NOWHERE) this.#remove(at);
  }

  #entryAt(at: number): PackedEntry {
    const block = this.#blockAt(at);
    const slot = at & LAST_SLOT;
    return {
      key: block.keyOf(slot),
      label: this.#labels[block.labels[slot]! - 1]!,
      addedAt: block.addedAt[slot]!,
    };
  }

  #append(
    key: string,
    entry: Readonly<Record<'hash' | 'number' | 'addedAt' | 'expires', number>>,
  ): void {
    const at = this.#next++ & this.#mask;
    const slot = at & LAST_SLOT;
    if (slot === 0) {
      this.#blocks[at >> BLOCK_BITS] = this.#spare ?? new Block();
      this.#spare = undefined;
    }
    const block = this.#blockAt(at);
    block.write(slot, key);
    block.hashes[slot] = entry.hash;
    block.labels[slot] = entry.number;
    block.addedAt[slot] = entry.addedAt;
    block.expires[slot] = entry.expires;
    block.used[slot] = 0;
    this.#size++;
    if (this.#size * 2 > this.#index.length / PAIR) this.#growIndex();
    else this.#enter(entry.hash, at);
  }

  #dropOldest(): void {
    const at = this.#oldest & this.#mask;
    const block = this.#blockAt(at);
    const slot = at & LAST_SLOT;
    const spared = block.used[slot] === 1 ? block.keyOf(slot) : undefined;
    const entry = {
      hash: block.hashes[slot]!,
      number: block.labels[slot]!,
      addedAt: block.addedAt[slot]!,
      expires: block.expires[slot]!,
    };
    this.#remove(at);
    if (spared !== undefined) this.#append(spared, entry);
  }

  #remove(at: number): void {
    const block = this.#blockAt(at);
    const slot = at & LAST_SLOT;
    this.#leave(block.hashes[slot]!, at);
    block.labels[slot] = 0;
    this.#size--;
    this.#skipRemoved();
  }

  #skipRemoved(): void {
    while (this.#oldest < this.#next) {
      const at = this.#oldest & this.#mask;
      if (this.#blockAt(at).labels[at & LAST_SLOT] !== 0) return;
      this.#oldest++;
      if ((this.#oldest & LAST_SLOT) !== 0) continue;
      this.#spare = this.#blockAt(at);
      this.#blocks[at >> BLOCK_BITS] = undefined;
    }
  }

  #blockAt(at: number): Block {
    return this.#blocks[at >> BLOCK_BITS]!;
  }

  /** The number of a label, beginning with 1. */
  #numberOf(label: string): number {
    const known = this.#labels.indexOf(label);
    if (known >= 0) return known + 1;
    return this.#labels.length < MOST_LABELS ? this.#labels.push(label) : MOST_LABELS + 1;
  }

  #find(key: string): number {
    if (this.#size === 0) return NOWHERE;
    const hash = hashOf(key);
    const index = this.#index;
    const mask = index.length - PAIR;
    for (let pair = (hash << 1) & mask; index[pair + 1] !== 0; pair = (pair + PAIR) & mask) {
      if (index[pair] !== hash) continue;
      const at = index[pair + 1]! - 1;
      if (this.#blockAt(at).has(at & LAST_SLOT, key)) return at;
    }
    return NOWHERE;
  }

  #enter(hash: number, at: number): void {
    const index = this.#index;
    const mask = index.length - PAIR;
    let pair = (hash << 1) & mask;
    while (index[pair + 1] !== 0) pair = (pair + PAIR) & mask;
    index[pair] = hash;
    index[pair + 1] = at + 1;
  }

  /** Moves up those behind it, so that no search ends too early. */
  #leave(hash: number, at: number): void {
    const index = this.#index;
    const mask = index.length - PAIR;
    let gap = (hash << 1) & mask;
    while (index[gap + 1] !== at + 1) gap = (gap + PAIR) & mask;
    for (let pair = (gap + PAIR) & mask; index[pair + 1] !== 0; pair = (pair + PAIR) & mask) {
      const wanted = (index[pair]! << 1) & mask;
      if (((pair - wanted) & mask) < ((pair - gap) & mask)) continue;
      index[gap] = index[pair]!;
      index[gap + 1] = index[pair + 1]!;
      gap = pair;
    }
    index[gap + 1] = 0;
  }

  #growIndex(): void {
    this.#index = new Int32Array(Math.max(FIRST_INDEX, this.#index.length * 2));
    for (let position = this.#oldest; position < this.#next; position++) {
      const at = position & this.#mask;
      const { hashes, labels } = this.#blockAt(at);
      if (labels[at & LAST_SLOT] !== 0) this.#enter(hashes[at & LAST_SLOT]!, at);
    }
  }
}
