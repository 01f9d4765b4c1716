import { randomBytes } from 'node:crypto';

import { cookieName } from '../../core/crypto/cookies.js';
import { COOKIES } from '../../core/vendor.js';

/** What a grant remembers about itself between its beginning and its end. */
export interface GrantMarks {
  /** A user's token was asked for. */
  readonly isOnline: boolean;
  /** The grant was begun a second time because the first came back without its cookie. */
  readonly isRestart: boolean;
}

const ONLINE = '.online';
const RESTART = '.again';

/**
 * A `state` nobody can guess, 64 hex digits. The marks ride on it, so that they survive without
 * cookies and without memory on the server.
 */
export function createState({ isOnline, isRestart }: GrantMarks): string {
  return randomBytes(32).toString('hex') + (isOnline ? ONLINE : '') + (isRestart ? RESTART : '');
}

/** The marks of a `state` that came back. */
export function marksOf(state: string): GrantMarks {
  return { isOnline: state.includes(ONLINE), isRestart: state.endsWith(RESTART) };
}

/**
 * One cookie per app and shop: two shops may be installed in two tabs of one browser, and two apps
 * share an origin.
 */
export function stateCookieName(apiKey: string, shop: string): string {
  return cookieName(COOKIES.state, apiKey, shop);
}
