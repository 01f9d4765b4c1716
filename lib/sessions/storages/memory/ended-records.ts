import { hashOf } from '../../../core/concurrency/in-flight.js';

/** How many records stand in one block of memory. */
const BLOCK = 512;
/** What an id of a delivery takes, in bytes; a block grows when its ids are longer. */
const USUAL_ID = 96;
const FIRST_INDEX = 64;
/** A state is stored as its number in a byte; 0 stands for a record that was removed. */
const MOST_STATES = 255;
const NOWHERE = -1;
/** An id of one byte for each character. */
const ONE_BYTE = /^[\0-\xff]*$/;

/** What is kept of a record that has its final state, and no data. */
export interface EndedRecord {
  readonly id: string;
  readonly state: string;
  /** Epoch milliseconds. */
  readonly changedAt: number;
}

/** Records one behind the other, without an object for each. */
class Block {
  ids = Buffer.allocUnsafeSlow(BLOCK * USUAL_ID);
  readonly ends = new Uint32Array(BLOCK);
  readonly hashes = new Int32Array(BLOCK);
  readonly changedAt = new Float64Array(BLOCK);
  readonly expires = new Float64Array(BLOCK);
  readonly states = new Uint8Array(BLOCK);
  readonly used = new Uint8Array(BLOCK);

  startOf(slot: number): number {
    return slot === 0 ? 0 : this.ends[slot - 1]!;
  }

  idOf(slot: number): string {
    return this.ids.toString('latin1', this.startOf(slot), this.ends[slot]);
  }

  has(slot: number, id: string): boolean {
    return this.ends[slot]! - this.startOf(slot) === id.length && this.idOf(slot) === id;
  }

  write(slot: number, id: string): void {
    const start = this.startOf(slot);
    const end = start + id.length;
    if (end > this.ids.length) {
      const longer = Buffer.allocUnsafeSlow(Math.max(end, this.ids.length * 2));
      this.ids.copy(longer, 0, 0, start);
      this.ids = longer;
    }
    this.ids.write(id, start, 'latin1');
    this.ends[slot] = end;
  }
}

/**
 * Records that have their final state, up to `capacity`: beyond it the oldest is dropped, unless it
 * was read since it was added or spared for that before.
 *
 * They stand in blocks of bytes beside the heap, with an open hash table over them. As an object
 * each, the last 100,000 deliveries would take three times the memory, and far more in fact: what
 * is kept for each request makes V8 enlarge its young generation to the utmost, and full
 * collections visit all of it.
 */
export class EndedRecords {
  /** That of the first stands at `#first`, a multiple of their size. */
  readonly #blocks: Block[] = [];
  #spare: Block | undefined;
  #first = 0;
  /** Positions count on for ever: of the oldest record, and of the next. */
  #oldest = 0;
  #next = 0;
  #size = 0;
  /** Positions, plus one: 0 is a free place. */
  #index = new Float64Array(0);
  readonly #states: string[] = [];

  constructor(private readonly capacity: number) {}

  get size(): number {
    return this.#size;
  }

  /** The record, unless it has expired by `now` (epoch milliseconds). */
  get(id: string, now: number): EndedRecord | undefined {
    const position = this.#find(id);
    if (position === NOWHERE) return undefined;
    const block = this.#blockAt(position);
    const slot = position % BLOCK;
    if (block.expires[slot]! <= now) return undefined;
    block.used[slot] = 1;
    return this.#recordAt(position);
  }

  /**
   * Those that have changed at `since` or later and have not expired by `now` (both in epoch
   * milliseconds), the oldest first.
   */
  *changedSince(since: number, now: number): Generator<EndedRecord> {
    for (let position = this.#oldest; position < this.#next; position++) {
      const { changedAt, expires, states } = this.#blockAt(position);
      const slot = position % BLOCK;
      if (states[slot] !== 0 && changedAt[slot]! >= since && expires[slot]! > now)
        yield this.#recordAt(position);
    }
  }

  /**
   * Adds a record, or puts it in place of the one with its id. @param expires epoch milliseconds
   * @returns false when it cannot be kept here, because of its id or its state
   */
  add({ id, state, changedAt }: EndedRecord, expires: number): boolean {
    if (!ONE_BYTE.test(id)) return false;
    const number = this.#numberOf(state);
    if (number > MOST_STATES) return false;
    this.delete(id);
    // Records that were removed take their place until all before them are dropped.
    while (this.#size >= this.capacity || this.#next - this.#oldest >= 2 * this.capacity)
      this.#dropOldest();
    this.#append(id, { hash: hashOf(id), number, changedAt, expires });
    return true;
  }

  delete(id: string): void {
    const position = this.#find(id);
    if (position !== NOWHERE) this.#remove(position);
  }

  #recordAt(position: number): EndedRecord {
    const block = this.#blockAt(position);
    const slot = position % BLOCK;
    return {
      id: block.idOf(slot),
      state: this.#states[block.states[slot]! - 1]!,
      changedAt: block.changedAt[slot]!,
    };
  }

  #append(
    id: string,
    record: Readonly<Record<'hash' | 'number' | 'changedAt' | 'expires', number>>,
  ): void {
    const position = this.#next++;
    const slot = position % BLOCK;
    if (slot === 0) {
      this.#blocks.push(this.#spare ?? new Block());
      this.#spare = undefined;
    }
    const block = this.#blockAt(position);
    block.write(slot, id);
    block.hashes[slot] = record.hash;
    block.states[slot] = record.number;
    block.changedAt[slot] = record.changedAt;
    block.expires[slot] = record.expires;
    block.used[slot] = 0;
    this.#size++;
    if (this.#size * 2 > this.#index.length) this.#growIndex();
    else this.#enter(position);
  }

  #dropOldest(): void {
    const position = this.#oldest;
    const block = this.#blockAt(position);
    const slot = position % BLOCK;
    const spared = block.used[slot] === 1 ? block.idOf(slot) : undefined;
    const record = {
      hash: block.hashes[slot]!,
      number: block.states[slot]!,
      changedAt: block.changedAt[slot]!,
      expires: block.expires[slot]!,
    };
    this.#remove(position);
    if (spared !== undefined) this.#append(spared, record);
  }

  #remove(position: number): void {
    this.#leave(position);
    this.#blockAt(position).states[position % BLOCK] = 0;
    this.#size--;
    this.#skipRemoved();
  }

  #skipRemoved(): void {
    while (
      this.#oldest < this.#next &&
      this.#blockAt(this.#oldest).states[this.#oldest % BLOCK] === 0
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

  /** The number of a state, beginning with 1. */
  #numberOf(state: string): number {
    const known = this.#states.indexOf(state);
    if (known >= 0) return known + 1;
    return this.#states.length < MOST_STATES ? this.#states.push(state) : MOST_STATES + 1;
  }

  #find(id: string): number {
    if (this.#size === 0) return NOWHERE;
    const hash = hashOf(id);
    const index = this.#index;
    const mask = index.length - 1;
    for (let place = hash & mask; index[place] !== 0; place = (place + 1) & mask) {
      const position = index[place]! - 1;
      const block = this.#blockAt(position);
      const slot = position % BLOCK;
      if (block.hashes[slot] === hash && block.has(slot, id)) return position;
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
      if (this.#blockAt(position).states[position % BLOCK] !== 0) this.#enter(position);
  }
}
