import { timingSafeEqual } from 'node:crypto';

import { recentlyUsed } from '../../core/cache/ttl-cache.js';

/** How many tokens are remembered, those of least recent use forgotten first. */
const CAPACITY = 1_000;
const KEY_LENGTH = 40;
const MARK_LENGTH = 6;

/** What was found of a token that was accepted. */
export interface AcceptedToken<Payload> {
  readonly payload: Payload;
  /** The shop it was issued in. */
  readonly shop: string;
  /** True when it was issued for this app. */
  readonly hasAudience: boolean;
}

interface Entry<Payload> extends AcceptedToken<Payload> {
  readonly signed: string;
  readonly signature: Buffer;
}

/**
 * The latest tokens that were accepted: App Bridge sends one with every request for most of a
 * minute. What a token says and whether its signature is right never changes; whether it is in time
 * does, and so may all that is stored about its shop: neither is remembered here.
 */
export class AcceptedTokens<Payload extends object> {
  readonly #entries = recentlyUsed<Entry<Payload>>(CAPACITY);
  /** Of the ends of the latest signatures. */
  readonly #marks = new Uint32Array(CAPACITY);

  /** What was found of a token with exactly these characters. */
  find(token: string): AcceptedToken<Payload> | undefined {
    const end = token.lastIndexOf('.');
    const entry = this.#entries.get(keyOf(token, end));
    if (entry === undefined || entry.signed !== token.slice(0, end)) return undefined;
    // The signature is the secret of a token: it is no key of the map, and compared as ever.
    const claimed = Buffer.from(token.slice(end + 1));
    const { signature, payload, shop, hasAudience } = entry;
    return claimed.length === signature.length && timingSafeEqual(claimed, signature)
      ? { payload: { ...payload }, shop, hasAudience }
      : undefined;
  }

  /**
   * Remembers a token when it comes for the second time: most of those in addresses come once. It
   * does not if an app that changes what it is given could change it here.
   */
  add(token: string, { payload, shop, hasAudience }: AcceptedToken<Payload>): void {
    if (!this.#hasComeBefore(token)) return;
    for (const name in payload) if (typeof payload[name] === 'object') return;
    // A copy: a part of a text keeps the whole text in memory, such as the address it came in.
    const text = Buffer.from(token, 'latin1').toString('latin1');
    const end = text.lastIndexOf('.');
    this.#entries.set(keyOf(text, end), {
      payload: { ...payload },
      shop,
      hasAudience,
      signed: text.slice(0, end),
      signature: Buffer.from(text.slice(end + 1)),
    });
  }

  /** Rarely true for one that has not: then it is remembered at once, which does no harm. */
  #hasComeBefore(token: string): boolean {
    let mark = 0;
    for (let at = token.length - MARK_LENGTH; at < token.length; at++)
      mark = (mark * 64 + token.charCodeAt(at)) >>> 0;
    const slot = mark % CAPACITY;
    const before = this.#marks[slot] === mark;
    this.#marks[slot] = mark;
    return before;
  }
}

/**
 * The last characters that are signed: the claims that differ from token to token come last, and to
 * hash all of a token takes longer than to compare it. Of two that end alike, one is remembered.
 */
function keyOf(token: string, end: number): string {
  return token.slice(Math.max(0, end - KEY_LENGTH), end);
}
