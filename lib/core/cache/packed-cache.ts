import { hashOf } from '../concurrency/in-flight.js';

/** How many entries stand in one block of memory. */
const BLOCK = 512;
/** What a key usually takes, in bytes; a block grows when its keys are longer. */
const USUAL_KEY = 96;
const FIRST_INDEX = 64;
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
  /** That of the first stands at `#first`, a multiple of their size. */
  readonly #blocks: Block[] = [];
  #spare: Block | undefined;
  #first = 0;
  /** Positions count on for ever: of the oldest entry, and of the next. */
  #oldest = 0;
  #next = 0;
  #size = 0;
  /** Positions, plus one: 0 is a free place. */
  #index = new Float64Array(0);
  readonly #labels: string[] = [];

  constructor(private readonly capacity: number) {}

  get size(): number {
    return this.#size;
  }

  /** The entry, unless it has expired by `now` (epoch milliseconds). */
  get(key: string, now: number): PackedEntry | undefined {
    const position = this.#find(key);
    if (position === NOWHERE) return undefined;
    const block = this.#blockAt(position);
    const slot = position % BLOCK;
    if (block.expires[slot]! <= now) return undefined;
    block.used[slot] = 1;
    return this.#entryAt(position);
  }

  /**
   * Those that were added at `since` or later and have not expired by `now` (both in epoch
   * milliseconds), the oldest first.
   */
  *addedSince(since: number, now: number): Generator<PackedEntry> {
    for (let position = this.#oldest; position < this.#next; position++) {
      const { addedAt, expires, labels } = this.#blockAt(position);
      const slot = position % BLOCK;
      if (labels[slot] !== 0 && addedAt[slot]! >= since && expires[slot]! > now)
        yield this.#entryAt(position);
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
    const position = this.#find(key);
    if (position !== NOWHERE) this.#remove(position);
  }

  #entryAt(position: number): PackedEntry {
    const block = this.#blockAt(position);
    const slot = position % BLOCK;
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
    const position = this.#next++;
    const slot = position % BLOCK;
    if (slot === 0) {
      this.#blocks.push(this.#spare ?? new Block());
      this.#spare = undefined;
    }
    const block = this.#blockAt(position);
    block.write(slot, key);
    block.hashes[slot] = entry.hash;
    block.labels[slot] = entry.number;
    block.addedAt[slot] = entry.addedAt;
    block.expires[slot] = entry.expires;
    block.used[slot] = 0;
    this.#size++;
    if (this.#size * 2 > this.#index.length) this.#growIndex();
    else this.#enter(position);
  }

  #dropOldest(): void {
    const position = this.#oldest;
    const block = this.#blockAt(position);
    const slot = position % BLOCK;
    const spared = block.used[slot] === 1 ? block.keyOf(slot) : undefined;
    const entry = {
      hash: block.hashes[slot]!,
      number: block.labels[slot]!,
      addedAt: block.addedAt[slot]!,
      expires: block.expires[slot]!,
    };
    this.#remove(position);
    if (spared !== undefined) this.#append(spared, entry);
  }

  #remove(position: number): void {
    this.#leave(position);
    this.#blockAt(position).labels[position % BLOCK] = 0;
    this.#size--;
    this.#skipRemoved();
  }

  #skipRemoved(): void {
    while (
      this.#oldest < this.#next &&
      this.#blockAt(this.#oldest).labels[this.#oldest % BLOCK] === 0
    ) {
      this.#oldest++;
      if (this.#oldest - this.#first < BLOCK) continue;
      this.#spare = this.#blocks.shift();
      this.#first += BLOCK;
    }
  }

  #blockAt(position: number): Block {
    return this.#blocks[Math.floor((position - this.#first) / BLOCK)]!;
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
    const mask = index.length - 1;
    for (let place = hash & mask; index[place] !== 0; place = (place + 1) & mask) {
      const position = index[place]! - 1;
      const block = this.#blockAt(position);
      const slot = position % BLOCK;
      if (block.hashes[slot] === hash && block.has(slot, key)) return position;
    }
    return NOWHERE;
  }

  #enter(position: number): void {
    const index = this.#index;
    const mask = index.length - 1;
    let place = this.#hashAt(position) & mask;
    while (index[place] !== 0) place = (place + 1) & mask;
    index[place] = position + 1;
  }

  /** Moves up those behind it, so that no search ends too early. */
  #leave(position: number): void {
    const index = this.#index;
    const mask = index.length - 1;
    let gap = this.#hashAt(position) & mask;
    while (index[gap] !== position + 1) gap = (gap + 1) & mask;
    for (let place = (gap + 1) & mask; index[place] !== 0; place = (place + 1) & mask) {
      const wanted = this.#hashAt(index[place]! - 1) & mask;
      if (((place - wanted) & mask) < ((place - gap) & mask)) continue;
      index[gap] = index[place]!;
      gap = place;
    }
    index[gap] = 0;
  }

  #hashAt(position: number): number {
    return this.#blockAt(position).hashes[position % BLOCK]!;
  }

  #growIndex(): void {
    this.#index = new Float64Array(Math.max(FIRST_INDEX, this.#index.length * 2));
    for (let position = this.#oldest; position < this.#next; position++)
      if (this.#blockAt(position).labels[position % BLOCK] !== 0) this.#enter(position);
  }
}
