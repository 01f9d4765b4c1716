import { TokenCipher } from './token-cipher.js';
import type { EncryptionKey } from './key-ring.js';
import { withTimeLimit } from '../foreign-session.storage.js';
import { Session } from '../session.js';
import { SessionStorageError } from '../sessions.errors.js';
import type { SessionReader, SessionStorage } from '../session.storage.js';
import { WrappedSessionStorage } from './wrapped-session.storage.js';

/** Options of {@link EncryptedSessionStorage}. */
export interface EncryptedSessionStorageOptions {
  /**
   * The first one encrypts, any of them decrypts: put a new key in front, and keep the old ones
   * while sessions need them.
   */
  readonly keys: readonly EncryptionKey[];
}

const FIELDS = ['accessToken', 'refreshToken'] as const;
/**
 * A stored session is read again when it was written between a look and a swap: by then the tokens
 * nearly always differ.
 */
const LOOKS = 5;

/**
 * Keeps the tokens of sessions encrypted in any other storage (AES-256-GCM), each bound to its
 * session and shop. Ids, shops and all else stay as they are. Sessions stored before in the clear
 * are read, and encrypted when they are written next.
 *
 * Reading throws {@link SessionEncryptionError} when a token was encrypted with a key that is not
 * there, or was tampered with; what `sealed` reads is not decrypted.
 * @example new EncryptedSessionStorage(storage, { keys: [{ id: '2026-01', key: process.env.SESSION_KEY }] })
 */
export class EncryptedSessionStorage extends WrappedSessionStorage {
  override readonly sealed: SessionReader;
  readonly #cipher: TokenCipher;

  /** @throws {InvalidOptionsError} when one of the keys is no key, or there is none */
  constructor(storage: SessionStorage, options: EncryptedSessionStorageOptions) {
    super(withTimeLimit(storage));
    this.sealed = this.storage.sealed ?? this.storage;
    this.#cipher = new TokenCipher(options?.keys);
  }

  /**
   * Whether a session, as {@link sealed} reads it, has a token that is not encrypted with the first
   * key.
   */
  needsReencryption(sealed: Session): boolean {
    return FIELDS.some((field) => sealed[field] && !this.#cipher.isCurrent(sealed[field]));
  }

  /**
   * Encrypts the tokens of a stored session with the first key, unless they are already. One that
   * is written meanwhile is left to the writer.
   * @returns false when there was nothing to do: it is encrypted so, or is gone
   * @throws {SessionEncryptionError} when it cannot be decrypted
   * @throws {SessionStorageError} when the storage cannot compare and replace a session
   */
  async reencrypt(id: string): Promise<boolean> {
    if (!this.storage.replaceSession)
      throw new SessionStorageError(
        'The session storage has no replaceSession(): a session that the app writes at the same time could be lost.',
      );
    for (let look = 0; look < LOOKS; look++) {
      const text = await this.sealed.loadSession(id);
      if (!text || !this.needsReencryption(text)) return false;
      if (await this.storage.replaceSession(this.stored(this.loaded(text)), text)) return true;
    }
    throw new SessionStorageError(
      `The session ${id} was written again and again: repeat this later.`,
    );
  }

  protected stored(session: Session): Session {
    return this.#withTokens(session, (token, field) =>
      this.#cipher.seal(token, { sessionId: session.id, shop: session.shop, field }),
    );
  }

  protected loaded(session: Session): Session {
    return this.#withTokens(session, (text, field) =>
      this.#cipher.open(text, { sessionId: session.id, shop: session.shop, field }),
    );
  }

  /**
   * The same token is a different text each time, so that what is there is compared in the clear
   * and swapped by its text.
   */
  protected async swap(session: Session, previous: Session): Promise<boolean> {
    for (let look = 0; look < LOOKS; look++) {
      const text = await this.storage.loadSession(session.id);
      if (!text) return false;
      const current = this.loaded(text);
      if (FIELDS.some((field) => (current[field] || undefined) !== (previous[field] || undefined)))
        return false;
      if (await this.storage.replaceSession?.(this.stored(session), text)) return true;
    }
    return false;
  }

  #withTokens(
    session: Session,
    change: (token: string, field: (typeof FIELDS)[number]) => string,
  ): Session {
    const changed = new Session(session);
    for (const field of FIELDS) {
      const token = session[field];
      if (token) changed[field] = change(token, field);
    }
    return changed;
  }
}
