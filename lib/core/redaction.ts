import type { Redaction } from './log-facts.js';
import { SECRET_SHAPE } from './vendor.js';

const HIDDEN = '[redacted]';
// Starts only at the beginning of a run of letters that two dots follow: trying every `eyJ` of an
// endless run takes quadratic time.
const JWT_SHAPE = /(?<![\w-])(?=[\w-]+\.[\w-]+\.)([\w-]*?\b)eyJ[\w-]{5,}\.[\w-]+\.[\w-]*/g;
const SECRET_PARAMETER =
  /([?&;\s](?:code|hmac|signature|state|id_token|session|access_token|refresh_token|client_secret)=)[^&\s"']+/gi;
const BEARER = /\b(Bearer\s+)[^\s"',]+/gi;
const SECRET_NAME =
  /token|secret|password|authorization|cookie|hmac|signature|^code$|^state$|^body$/i;

/** The text without secrets and everything that looks like one. */
export function redactedText(text: string, secrets: readonly string[] = []): string {
  let clean = text;
  for (const secret of secrets) clean = clean.replaceAll(secret, HIDDEN);
  return clean
    .replace(JWT_SHAPE, `$1${HIDDEN}`)
    .replace(SECRET_SHAPE, HIDDEN)
    .replace(SECRET_PARAMETER, `$1${HIDDEN}`)
    .replace(BEARER, `$1${HIDDEN}`);
}

/**
 * Takes from log lines what {@link redactedText} takes from texts, and every value under a
 * secret-looking name.
 */
export function redactionOf(secrets: readonly string[]): Redaction {
  return {
    text: (text) => redactedText(text, secrets),
    named: (name) => (SECRET_NAME.test(name) ? HIDDEN : undefined),
  };
}
