/** How many errors are written for one: itself, its causes and those it joins. */
const MAX_ERRORS = 8;
/** How deep values are written, and how many entries of one value. */
const MAX_DEPTH = 8;
const MAX_ENTRIES = 100;
/** In place of what throws when it is read. */
const UNREADABLE = '[unreadable]';

type Facts = Readonly<Record<string, unknown>>;

/** Takes the secrets out of what is written. */
export interface Redaction {
  /** A text without them. */
  text(text: string): string;
  /** What is written in place of a value of that name; `undefined` when it may be written. */
  named(name: string): string | undefined;
}

/** What is written of an error. */
interface LoggedError {
  readonly name: string;
  readonly code?: string;
  readonly message: string;
  readonly stack: string;
  readonly cause?: LoggedError;
  /** Those that an `AggregateError` joins. */
  readonly errors?: readonly LoggedError[];
}

/**
 * `{key: value, …}` in one line, with the values under secret-looking names replaced. Never throws.
 */
export function redactedContext(facts: Facts, redaction: Redaction): string {
  const pairs = Object.entries(valuesOf(facts, redaction)).map(
    ([name, value]) => `${name}: ${redaction.text(inWords(value))}`,
  );
  return visible(`{${pairs.join(', ')}}`).replaceAll('\n', '\\n');
}

/**
 * Control characters, other than tab and line feed, and characters that reverse the direction of
 * text or are seen nowhere: a terminal acts on them.
 */
export const INVISIBLE =
  // eslint-disable-next-line no-control-regex -- they are what is meant
  /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/**
 * The text with what is invisible in it written as in a string of JSON: it may have been typed by
 * anybody, and must not look like a line of its own.
 */
function visible(text: string): string {
  return text.replace(INVISIBLE, (character) =>
    character === '\r' ? '\\r' : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** A stack in which no line of a message begins where a line of the log does. */
function indented(stack: string): string {
  return visible(stack).replace(/\n(?! {4}at )/g, '\n    ');
}

/**
 * The same as fields of a JSON document: values under secret-looking names are replaced, an error
 * is an object with its name, code, message, stack, cause and the errors it joins. Never throws,
 * whatever is in it: getters and proxies that throw, circles, errors of other realms.
 */
export function redactedFields(facts: Facts, redaction: Redaction): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(valuesOf(facts, redaction)).map(([name, value]) => [
      name,
      value instanceof ErrorFact ? value.error : value,
    ]),
  );
}

/**
 * The stacks of the errors in a context, each with those of the errors behind it, one below the
 * other. Never throws.
 */
export function redactedStacks(facts: Facts, redaction: Redaction): string[] {
  return Object.values(valuesOf(facts, redaction)).flatMap((value) =>
    value instanceof ErrorFact ? stacksOf(value.error).map(indented) : [],
  );
}

/** An error among the facts: in words it is a sentence, and as a field it is an object. */
class ErrorFact {
  constructor(readonly error: LoggedError) {}
}

function valuesOf(facts: Facts, redaction: Redaction): Record<string, unknown> {
  const reader = new FactReader(redaction);
  return Object.fromEntries(
    reader.entries(facts).map(([name, value]) => [name, reader.read(name, value)]),
  );
}

/** Makes of any value what JSON has words for, without secrets. */
class FactReader {
  /** The objects around the value that is read. */
  readonly #around: object[] = [];

  constructor(private readonly redaction: Redaction) {}

  /** The value of a fact. */
  read(name: string, value: unknown): unknown {
    const hidden = value === undefined ? undefined : this.redaction.named(name);
    if (hidden !== undefined) return hidden;
    return isError(value) ? new ErrorFact(this.#error(value)) : this.#plain(value);
  }

  /** Names and values of an object, as far as they can be read. */
  entries(value: object): [string, unknown][] {
    const names = attempt(() => Object.keys(value), []);
    return names
      .slice(0, MAX_ENTRIES)
      .map((name): [string, unknown] => [name, property(value, name, UNREADABLE)])
      .concat(names.length > MAX_ENTRIES ? [['…', `${names.length - MAX_ENTRIES} more`]] : []);
  }

  #plain(value: unknown): unknown {
    switch (typeof value) {
      case 'string':
        return this.redaction.text(value);
      case 'number':
      case 'boolean':
      case 'undefined':
        return value;
      case 'function':
        return this.redaction.text(`[function ${textOf(property(value, 'name'))}]`);
      case 'object':
        return value && attempt(() => this.#object(value), UNREADABLE);
      default:
        return this.redaction.text(String(value));
    }
  }

  #object(value: object): unknown {
    if (this.#around.includes(value)) return '[circular]';
    if (this.#around.length >= MAX_DEPTH) return '[…]';
    if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
    if (isError(value)) return this.#error(value);
    this.#around.push(value);
    try {
      const { toJSON } = value as { readonly toJSON?: unknown };
      if (typeof toJSON === 'function') return this.#plain(toJSON.call(value));
      return Array.isArray(value) ? this.#list(value) : this.#members(value);
    } finally {
      this.#around.pop();
    }
  }

  #list(values: readonly unknown[]): unknown[] {
    const more = values.length - MAX_ENTRIES;
    return [
      ...values.slice(0, MAX_ENTRIES).map((value) => this.#plain(value) ?? null),
      ...(more > 0 ? [`${more} more`] : []),
    ];
  }

  #members(value: object): Record<string, unknown> {
    return Object.fromEntries(
      this.entries(value)
        .filter(([, inner]) => typeof inner !== 'function' && typeof inner !== 'symbol')
        .map(([name, inner]) => [
          this.redaction.text(name),
          this.redaction.named(name) ?? this.#plain(inner),
        ]),
    );
  }

  /** @param seen the errors that are written already, for the same fact */
  #error(error: object, seen: Set<object> = new Set()): LoggedError {
    seen.add(error);
    const clean = (value: unknown): string => this.redaction.text(textOf(value));
    const name = clean(property(error, 'name', 'Error'));
    const code = property(error, 'code');
    const message = clean(property(error, 'message', UNREADABLE));
    const stack = property(error, 'stack');
    const next = (one: unknown): LoggedError[] =>
      isError(one) && !seen.has(one) && seen.size < MAX_ERRORS ? [this.#error(one, seen)] : [];
    const [cause] = next(property(error, 'cause'));
    const joined = property(error, 'errors');
    const errors = attempt(() => (Array.isArray(joined) ? joined.flatMap(next) : []), []);
    return {
      name,
      ...(typeof code === 'string' && { code: clean(code) }),
      message,
      stack: typeof stack === 'string' && stack !== '' ? clean(stack) : `${name}: ${message}`,
      ...(cause && { cause }),
      ...(errors.length > 0 && { errors }),
    };
  }
}

function inWords(value: unknown): string {
  if (value instanceof ErrorFact) return errorInWords(value.error);
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}

function errorInWords({ name, code, message, cause, errors = [] }: LoggedError): string {
  const joined = errors.map((error) => `; with ${errorInWords(error)}`).join('');
  return `${name}${code === undefined ? '' : ` (${code})`}: ${message}${cause ? `; caused by ${errorInWords(cause)}` : ''}${joined}`;
}

function stacksOf({ stack, cause, errors = [] }: LoggedError, introduction = ''): string[] {
  return [
    introduction + stack,
    ...(cause ? stacksOf(cause, 'Caused by ') : []),
    ...errors.flatMap((error) => stacksOf(error, 'With ')),
  ];
}

/** True for errors of other realms too, such as those of Node's `vm`. */
function isError(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  return attempt(
    () => value instanceof Error || Object.prototype.toString.call(value) === '[object Error]',
    false,
  );
}

function property(value: object, name: string, otherwise?: unknown): unknown {
  return attempt(() => (value as Facts)[name], otherwise);
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return attempt(() => String(value), UNREADABLE);
}

/** What `read` returns, unless what it reads throws. */
function attempt<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch {
    return otherwise;
  }
}
