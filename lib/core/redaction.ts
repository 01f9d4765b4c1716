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

/** How many causes of an error are told, each the cause of the one before. */
const MAX_CAUSES = 3;

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

/**
 * The same as fields of a JSON document: values under secret-looking names are replaced, an error
 * is an object with its name, code, message, stack and cause.
 */
export function redactedFields(
  context: Readonly<Record<string, unknown>>,
  secrets: readonly string[] = [],
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(context).map(([name, value]) => [
      name,
      SECRET_NAME.test(name) && value !== undefined ? HIDDEN : redactedValue(value, secrets),
    ]),
  );
}

/** The stacks of the errors in a context, each with those of its causes, one below the other. */
export function redactedStacks(
  context: Readonly<Record<string, unknown>>,
  secrets: readonly string[] = [],
): string[] {
  return Object.values(context).flatMap((value) =>
    causesOf(value).map((error, depth) =>
      redactedText(`${depth > 0 ? 'Caused by ' : ''}${stackOf(error)}`, secrets),
    ),
  );
}

function redactedValue(value: unknown, secrets: readonly string[]): unknown {
  if (value instanceof Error) return redactedError(value, secrets, MAX_CAUSES);
  if (value === null || value === undefined || typeof value === 'number') return value;
  if (typeof value === 'boolean') return value;
  if (typeof value !== 'object') return redactedText(String(value), secrets);
  try {
    const json = JSON.stringify(value, (name, inner: unknown) => {
      if (SECRET_NAME.test(name)) return HIDDEN;
      return typeof inner === 'string' ? redactedText(inner, secrets) : inner;
    });
    return JSON.parse(json) as unknown;
  } catch {
    return Object.prototype.toString.call(value);
  }
}

function redactedError(error: Error, secrets: readonly string[], depth: number): object {
  const { cause } = error;
  return {
    name: error.name,
    ...('code' in error && typeof error.code === 'string' && { code: error.code }),
    message: redactedText(error.message, secrets),
    stack: redactedText(stackOf(error), secrets),
    ...(depth > 0 && cause instanceof Error && { cause: redactedError(cause, secrets, depth - 1) }),
  };
}

/** An error and its causes; none when it is no error. */
function causesOf(error: unknown): Error[] {
  const errors: Error[] = [];
  for (let one = error; one instanceof Error && errors.length <= MAX_CAUSES; one = one.cause)
    errors.push(one);
  return errors;
}

function stackOf(error: Error): string {
  return typeof error.stack === 'string' ? error.stack : `${error.name}: ${error.message}`;
}

function inWords(value: unknown): string {
  if (value instanceof Error) return errorInWords(value, MAX_CAUSES);
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
