import type { OptionProblem } from '../core/core.errors.js';
import type { Session } from './session.js';

/**
 * Where sessions are kept. A port: extend it, or pass any object with these five methods, such as a storage written for the
 * platform's own libraries. Ids are opaque and compared exactly.
 */
export abstract class SessionStorage {
  /** Creates the session or replaces the one of the same id, field by field: what the new one lacks is gone. */
  abstract storeSession(session: Session): Promise<boolean>;
  /** Answers `undefined` when there is none. An expired session is returned like any other. */
  abstract loadSession(id: string): Promise<Session | undefined>;
  /** Also `true` when there was none. */
  abstract deleteSession(id: string): Promise<boolean>;
  abstract deleteSessions(ids: string[]): Promise<boolean>;
  /** Every session of exactly this shop, in no particular order. */
  abstract findSessionsByShop(shop: string): Promise<Session[]>;
}

const METHODS = ['storeSession', 'loadSession', 'deleteSession', 'deleteSessions', 'findSessionsByShop'] as const;

/** What keeps `value` from being a session storage; nothing when it is one, or is not given. */
export function problemsInStorage(value: unknown): OptionProblem[] {
  if (value === undefined) return [];
  const methods = typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
  const missing = METHODS.filter((method) => typeof methods[method] !== 'function');
  if (missing.length === 0) return [];
  return [{ option: 'sessionStorage', message: `is no session storage: ${missing.map((method) => `${method}()`).join(', ')} is missing` }];
}
