import { SECRET_SHAPE } from './vendor.js';

/** In place of a secret. */
export const HIDDEN = '[redacted]';
// Starts only at the beginning of a run of letters that two dots follow: trying every `eyJ` of an
// endless run takes quadratic time.
const JWT_SHAPE = /(?<![\w-])(?=[\w-]+\.[\w-]+\.)([\w-]*?\b)eyJ[\w-]{5,}\.[\w-]+\.[\w-]*/g;
const SECRET_PARAMETER =
  /([?&;\s](?:code|hmac|signature|state|id_token|session|access_token|refresh_token|client_secret)=)[^&\s"']+/gi;
const BEARER = /\b(Bearer\s+)[^\s"',]+/gi;
/** Names whose values are secret, whatever they look like. */
export const SECRET_NAME =
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
