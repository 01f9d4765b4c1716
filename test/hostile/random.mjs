import { randomBytes } from 'node:crypto';

/** Numbers that look random and are the same for the same seed. */
export class Random {
  #state;

  constructor(seed) {
    this.#state = seed >>> 0;
  }

  /** From 0 up to, not including, 1. */
  next() {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from 0 up to, not including, `below`. */
  below(below) {
    return Math.floor(this.next() * below);
  }

  pick(list) {
    return list[this.below(list.length)];
  }

  /** A seed for somebody else. */
  seed() {
    return this.below(2 ** 32);
  }

  /**
   * Hex digits that never come again, whatever the seed: a state, a code or a delivery counts once.
   */
  hex(bytes) {
    return randomBytes(bytes).toString('hex');
  }
}

/** A seed made of words and numbers. */
export function seedOf(...parts) {
  let hash = 0x811c9dc5;
  for (const letter of parts.join('|')) hash = Math.imul(hash ^ letter.codePointAt(0), 0x01000193);
  return hash >>> 0;
}
