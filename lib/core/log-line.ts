/** How `util.inspect` asks an object for its text. */
const INSPECT = Symbol.for('nodejs.util.inspect.custom');

/**
 * A line for a logger service: its facts are fields, for loggers that write JSON, and it is one
 * line of text for those that write text. Nothing in it is secret.
 */
export class LogLine {
  /** Under the name that pino gives to the text of a line. */
  readonly msg: string;
  readonly #text: () => string;

  /**
   * @param fields become properties of the line
   * @param text the line with its facts as words
   */
  constructor(message: string, fields: Readonly<Record<string, unknown>>, text: () => string) {
    Object.assign(this, fields);
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
