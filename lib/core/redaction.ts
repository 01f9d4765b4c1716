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

/** `{key: value, …}` with the values under secret-looking names replaced. */
export function redactedContext(
  context: Readonly<Record<string, unknown>>,
  secrets: readonly string[] = [],
): string {
  const pairs = Object.entries(context).map(
    ([name, value]) =>
      `${name}: ${SECRET_NAME.test(name) && value !== undefined ? HIDDEN : redactedText(inWords(value), secrets)}`,
  );
  return `{${pairs.join(', ')}}`;
}

function inWords(value: unknown): string {
  if (value instanceof Error) return errorInWords(value, 3);
  if (typeof value !== 'object' || value === null) return String(value);
  try {
    return (
      JSON.stringify(value, (name, inner: unknown) => (SECRET_NAME.test(name) ? HIDDEN : inner)) ??
      String(value)
    );
  } catch {
    return Object.prototype.toString.call(value);
  }
}

function errorInWords(error: Error, depth: number): string {
  const code = 'code' in error && typeof error.code === 'string' ? ` (${error.code})` : '';
  const cause =
    depth > 0 && error.cause instanceof Error
      ? `; caused by ${errorInWords(error.cause, depth - 1)}`
      : '';
  return `${error.name}${code}: ${error.message}${cause}`;
}
