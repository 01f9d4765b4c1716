/** How `util.inspect` asks an object for its text. */
const INSPECT = Symbol.for('nodejs.util.inspect.custom');

/**
 * Names that a line, or a logger that writes JSON, has for something else: pino, winston and Nest's
 * own would write a fact of that name over their own, or instead of the line.
 */
const TAKEN: ReadonlySet<string> = new Set(
  (
    'msg message toJSON toString constructor __proto__ ' +
    'level time timestamp pid hostname context stack splat'
  ).split(' '),
);

/**
 * A line for a logger service: its facts are fields, for loggers that write JSON, and it is one
 * line of text for those that write text. Nothing in it is secret.
 */
export class LogLine {
  /** Under the name that pino gives to the text of a line. */
  readonly msg: string;
  readonly #text: () => string;

  /**
   * @param fields become properties of the line; one whose name a logger uses itself, such as
   * `message` or `level`, has an underscore behind it
   * @param text the line with its facts as words
   */
  constructor(message: string, fields: Readonly<Record<string, unknown>>, text: () => string) {
    Object.assign(this, withFreeNames(fields));
    this.msg = message;
    this.#text = text;
  }

  /** The same under the name that Nest and winston know. No property: pino would write both. */
  get message(): string {
    return this.msg;
  }

  toJSON(): Readonly<Record<string, unknown>> {
    const { msg, ...fields } = this;
    return { message: msg, ...fields };
  }

  toString(): string {
    return this.#text();
  }

  [INSPECT](): string {
    return this.#text();
  }
}

function withFreeNames(
  fields: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const names = Object.keys(fields);
  if (!names.some((name) => TAKEN.has(name))) return fields;
  return Object.fromEntries(
    names.map((name) => {
      let free = name;
      while (TAKEN.has(free) || (free !== name && free in fields)) free += '_';
      return [free, fields[name]];
    }),
  );
}
