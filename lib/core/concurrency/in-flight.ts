import { setTimer } from '../time/clock.js';
import type { Clock } from '../time/clock.js';
import { busy } from '../decision.js';
import type { DeniedDecision } from '../decision.js';
import type { PlatformLogger } from '../logger.js';

/**
 * How long a shutdown waits, after its limit, for abandoned work to return what it holds, in
 * milliseconds.
 */
const WIND_UP = 3_000;

/** What an {@link InFlight} depends on. */
interface InFlightDependencies {
  readonly clock: Clock;
  readonly logger: PlatformLogger;
  /** How long {@link InFlight.drain} waits, in milliseconds; `Infinity` for no limit. */
  readonly limit: number;
}

/**
 * Counts the work of one app in flight, so that a shutdown can refuse new work and wait for the
 * rest.
 */
export class InFlight {
  #count = 0;
  #draining: Promise<void> | undefined;
  #isAbandoned = false;
  readonly #abandoned = new LinkedSet<() => void>();
  readonly #onDrain: (() => void)[] = [];
  #onIdle: (() => void) | undefined;

  constructor(private readonly dependencies: InFlightDependencies) {}

  /**
   * True when a shutdown no longer waits: work that is still running must not start anything new.
   */
  get isAbandoned(): boolean {
    return this.#isAbandoned;
  }

  /** True from the begin of a shutdown on: nothing new is taken in. */
  get isDraining(): boolean {
    return this.#draining !== undefined;
  }

  /**
   * Runs `work`, for which a shutdown waits. Once a shutdown has begun, `work` is not called and
   * the result is a 503 `shutting_down`.
   */
  admit<T>(work: () => Promise<T>): Promise<T | DeniedDecision> {
    if (this.#draining) return Promise.resolve(SHUTTING_DOWN);
    return this.track(work());
  }

  /** Makes a shutdown wait for work that has begun already. Settles as `work` does. */
  track<T>(work: Promise<T>): Promise<T> {
    this.#count++;
    work.then(this.#ended, this.#ended);
    return work;
  }

  /**
   * Calls `act` when a shutdown begins, or at once when it has: what takes work from elsewhere must
   * take no more.
   */
  onDrain(act: () => void): void {
    if (this.#draining) act();
    else this.#onDrain.push(act);
  }

  /** Calls `act` when a shutdown no longer waits. @returns a function that removes the callback */
  onAbandon(act: () => void): () => void {
    const place = this.#abandoned.add(act);
    return () => void this.#abandoned.delete(place);
  }

  /**
   * Refuses new work from now on, and resolves when nothing is in flight. Work that runs at the
   * limit is abandoned: it gets a moment to return what it holds. Further calls return the same
   * promise. Never rejects; sets no timer when nothing is in flight.
   */
  drain(): Promise<void> {
    return (this.#draining ??= this.#drain());
  }

  readonly #ended = (): void => {
    this.#count--;
    if (this.#count === 0) this.#onIdle?.();
  };

  async #drain(): Promise<void> {
    const { logger, limit } = this.dependencies;
    for (const act of this.#onDrain) act();
    if (this.#count > 0)
      logger.info('The app is shutting down and waits for what is in flight', {
        inFlight: this.#count,
      });
    if (await this.#isIdleWithin(limit)) return;
    logger.warn('The shutdown no longer waits for what is still running', {
      inFlight: this.#count,
      waitedMs: limit,
    });
    this.#isAbandoned = true;
    for (const act of this.#abandoned.values()) act();
    await this.#isIdleWithin(WIND_UP);
  }

  async #isIdleWithin(ms: number): Promise<boolean> {
    if (this.#count === 0) return true;
    return new Promise((resolve) => {
      const late =
        ms === Infinity ? undefined : setTimer(this.dependencies.clock, ms, () => resolve(false));
      this.#onIdle = () => {
        late?.();
        resolve(true);
      };
    });
  }
}

/** The decision about new work once a shutdown has begun. */
export const SHUTTING_DOWN = /* @__PURE__ */ busy(
  'shutting_down',
  'This process is shutting down.',
);

/** Runs work once for all callers at the same time; they share its outcome. */
export class SingleFlight<T> {
  readonly #flights = new Map<string, Promise<T>>();

  /** @param key of the work: calls with the same key share it while it runs */
  do(key: string, work: () => Promise<T>): Promise<T> {
    const inFlight = this.#flights.get(key);
    if (inFlight) return inFlight;
    const flight = work().finally(() => this.#flights.delete(key));
    this.#flights.set(key, flight);
    return flight;
  }
}

/** A value's place in a {@link LinkedSet}. */
export interface Place<T> {
  readonly value: T | undefined;
}

interface Link<T> {
  value: T | undefined;
  previous: Link<T> | undefined;
  next: Link<T> | undefined;
}

/**
 * What is in flight, in the order it was added. A `Set` through which short-lived values pass keeps
 * them from dying young: it leaves its table behind again and again, each refers to the next and to
 * all that was in it, and once the collector has promoted one, it promotes all that follow.
 */
export class LinkedSet<T> {
  #first: Link<T> | undefined;
  #last: Link<T> | undefined;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** @returns the place, which {@link LinkedSet.delete} takes */
  add(value: T): Place<T> {
    const link: Link<T> = { value, previous: this.#last, next: undefined };
    if (this.#last) this.#last.next = link;
    else this.#first = link;
    this.#last = link;
    this.#size++;
    return link;
  }

  /** Removes the value at a place of this set. @returns false when it was removed before */
  delete(place: Place<T>): boolean {
    const link = place as Link<T>;
    const { previous, next } = link;
    if (link.value === undefined) return false;
    if (previous) previous.next = next;
    else this.#first = next;
    if (next) next.previous = previous;
    else this.#last = previous;
    link.value = link.previous = link.next = undefined;
    this.#size--;
    return true;
  }

  /** The values as they are now, the oldest first. */
  values(): T[] {
    const values: T[] = [];
    for (let link = this.#first; link; link = link.next) values.push(link.value!);
    return values;
  }
}

/** Places of a {@link LeasedEntries} that is empty. */
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

/** The text that was hashed last: what is leased is looked up, added and removed soon after. */
let hashed: string | undefined;
let hashOfHashed = 0;

/** FNV-1a, as an integer of 32 bits. */
export function hashOf(id: string): number {
  if (id === hashed) return hashOfHashed;
  let hash = SEED;
  for (let at = 0; at < id.length; at++) hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193);
  hashed = id;
  hashOfHashed = hash ^ (hash >>> 15);
  return hashOfHashed;
}
