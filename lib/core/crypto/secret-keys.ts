import { createHmac, createSecretKey, hkdfSync, timingSafeEqual, createHash } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

import { recentlyUsed } from '../cache/ttl-cache.js';
import { systemClock } from '../time/clock.js';
import type { Clock } from '../time/clock.js';
import { COOKIE_SIGNING_INFO } from '../vendor.js';
import { SafeCompareError } from '../core.errors.js';

/**
 * What a signature is made for. Each purpose has its own key, so that a signature of one is
 * worthless for the other.
 */
type KeyPurpose = 'platform' | 'cookie';
/** How a signature is written. */
type SignatureEncoding = 'hex' | 'base64' | 'base64url';

/** Whether a secret that has been replaced is still in use: at zero for a day or two, it may go. */
export interface SecretUse {
  /** How many signatures made with it this process has accepted. */
  readonly count: number;
  /** When it accepted the last one; `undefined` while there was none. */
  readonly lastSeen: Date | undefined;
}

/**
 * The app's secrets as prepared HMAC-SHA256 keys: the first signs, every one of them verifies, so
 * that a secret can be rotated without a gap. Comparisons take constant time.
 */
export class SecretKeys {
  readonly #secrets: readonly string[];
  readonly #keys: Partial<Record<KeyPurpose, readonly KeyObject[]>> = {};
  readonly #uses: { count: number; lastSeen: Date | undefined }[];

  constructor(
    secrets: readonly string[],
    private readonly clock: Clock = systemClock,
  ) {
    this.#secrets = secrets;
    this.#uses = secrets.map(() => ({ count: 0, lastSeen: undefined }));
  }

  /**
   * The use of each previous secret, in the order they were given, over all that is signed:
   * webhooks, queries, session tokens, cookies.
   */
  get previous(): readonly SecretUse[] {
    return this.#uses.slice(1).map((use) => ({ ...use }));
  }

  /** Signs with the current secret. */
  sign(
    data: string | Uint8Array,
    encoding: SignatureEncoding,
    purpose: KeyPurpose = 'platform',
  ): string {
    return digest(this.#keysFor(purpose)[0]!, data, encoding);
  }

  /**
   * True when `signature` was made over `data` with any of the secrets, and is the canonical
   * spelling of that in `encoding`.
   */
  verify(
    data: string | Uint8Array,
    signature: string,
    encoding: SignatureEncoding,
    purpose: KeyPurpose = 'platform',
  ): boolean {
    return this.secretOf(data, signature, encoding, purpose) !== undefined;
  }

  /** As {@link verify}; answers with which of the secrets, `undefined` when with none. */
  secretOf(
    data: string | Uint8Array,
    signature: string,
    encoding: SignatureEncoding,
    purpose: KeyPurpose = 'platform',
  ): 'current' | 'previous' | undefined {
    // The texts are compared: Node's decoders skip what they do not know.
    const claimed = Buffer.from(signature);
    const keys = this.#keysFor(purpose);
    let match = -1;
    for (let index = 0; index < keys.length; index++) {
      const expected = Buffer.from(digest(keys[index]!, data, encoding));
      const comparable = claimed.length === expected.length;
      if (timingSafeEqual(expected, comparable ? claimed : expected) && comparable && match < 0)
        match = index;
    }
    if (match < 0) return undefined;
    if (match === 0) return 'current';
    this.#noteUse(match);
    return 'previous';
  }

  /** Made when they are first needed: not every app signs cookies. */
  #keysFor(purpose: KeyPurpose): readonly KeyObject[] {
    return (this.#keys[purpose] ??= this.#secrets.map((secret) =>
      createSecretKey(
        purpose === 'platform'
          ? Buffer.from(secret, 'utf8')
          : Buffer.from(hkdfSync('sha256', secret, '', COOKIE_SIGNING_INFO, 32)),
      ),
    ));
  }

  #noteUse(index: number): void {
    const use = this.#uses[index]!;
    use.count++;
    use.lastSeen = this.clock.now();
  }
}

function digest(key: KeyObject, data: string | Uint8Array, encoding: SignatureEncoding): string {
  return createHmac('sha256', key).update(data).digest(encoding);
}

/** How many tokens are remembered, those of least recent use forgotten first. */
const CAPACITY = 1_000;
const KEY_LENGTH = 40;
const MARK_LENGTH = 6;

/** What was found of a token that was accepted. */
interface AcceptedToken<Payload> {
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

const BASE64_DIGEST = /^[A-Za-z0-9+/]{43}=$/;

/**
 * True for a text that has the form of a SHA-256 digest in base64: 32 bytes in 44 characters. One
 * that has not can be rejected without the body it would sign.
 */
export function isBase64Digest(value: unknown): value is string {
  return typeof value === 'string' && BASE64_DIGEST.test(value);
}

type Comparable = string | Record<string, string> | string[] | number[];

/**
 * Compares two strings, lists or records in constant time.
 * @throws {SafeCompareError} when the two are of different types, or both are missing
 */
export function safeCompare(a: Comparable, b: Comparable): boolean {
  if (typeof a !== typeof b || Array.isArray(a) !== Array.isArray(b)) {
    throw new SafeCompareError(`Mismatched data types provided: ${typeName(a)} and ${typeName(b)}`);
  }
  // Two that are missing prove nothing.
  if ((a ?? b ?? undefined) === undefined)
    throw new SafeCompareError('There is nothing to compare: both values are missing.');
  return timingSafeEqual(fingerprint(a), fingerprint(b));
}

// Equal lengths whatever goes in, so that not even the length of a secret shows in the time taken.
function fingerprint(value: Comparable): Buffer {
  return createHash('sha256').update(JSON.stringify(value)).digest();
}

function typeName(value: unknown): string {
  return Array.isArray(value) ? 'array' : typeof value;
}

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const BRACE = 0x7b;
const OTHER_START = /^[\t\n\r ]*[{[<]/;
/** What is in each query that is signed over plain values: of an app proxy, and of the admin. */
const SIGNED_QUERIES = [
  ['path_prefix=', 'shop=', 'timestamp='],
  ['&shop=', '&timestamp='],
];

/**
 * True for a body as the platform delivers it: JSON or XML. The platform signs session tokens and
 * query strings with the same key and algorithm, and a delivery's topic and shop are not signed at
 * all: without this check, anyone with a session token of one shop could post it as the
 * uninstallation of another. A token starts with a letter. The query of an app proxy is signed as
 * the visitor wrote it, and that of the admin may be signed over plain values, too, both sorted:
 * `{` sorts after the parameters the platform adds, so a body that starts otherwise must not
 * contain all of them.
 */
export function isDelivered(body: Buffer): boolean {
  if (body[0] === BRACE) return true;
  const start = body.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK)
    ? BYTE_ORDER_MARK.length
    : 0;
  if (body[start] === BRACE) return true;
  return (
    OTHER_START.test(body.toString('latin1', start)) &&
    !SIGNED_QUERIES.some((parameters) => parameters.every((text) => body.includes(text)))
  );
}
