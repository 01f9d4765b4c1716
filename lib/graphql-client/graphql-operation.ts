import { MissingRequiredArgument } from '../core/core.errors.js';
import { loaded } from '../core/http/http-transport.js';
import type { GraphqlDocument } from './graphql-document.js';

/** What is known of a document before it is sent. */
export interface GraphqlOperation {
  readonly text: string;
  /** For errors and logs: `query Products`. */
  readonly name: string;
  readonly mutates: boolean;
  /** Part of the answer may come later: it uses `@defer` or `@stream`. */
  readonly defers: boolean;
}

/**
 * Comments and texts, in which words mean nothing. A text without an end goes to the end: to look
 * for one from each of its quotes is quadratic.
 */
const SILENT = /"""(?:\\"""|[^])*?(?:"""|$)|"(?:\\.|[^"\\\n])*"?|#[^\n\r]*/g;

/** What the platform charges for a mutation, and a fair guess for a query, in points. */
const FIRST_GUESS = 10;
const MOST_REMEMBERED = 1000;

const MOST_KNOWN = 250;
/**
 * The operations that were read of late, by text: when `recent` is full it takes the place of
 * `older`. A plain client imports no cache for it.
 */
let [recent, older] = [new Map<string, GraphqlOperation>(), new Map<string, GraphqlOperation>()];
const printed = new WeakMap<object, string>();

/**
 * Reads a document, whatever its form; one that is parsed is printed once.
 * @throws {MissingRequiredArgument} when it is empty
 * @throws {InvalidRequestError} when it is neither a text nor a parsed document
 */
export function operationOf(
  document: GraphqlDocument,
): GraphqlOperation | Promise<GraphqlOperation> {
  if (typeof document === 'string') return operationIn(document);
  if (!document) throw missing();
  if (document instanceof String) return operationIn(String(document));
  const text = printed.get(document);
  return text === undefined ? printedOperation(document) : operationIn(text);
}

async function printedOperation(document: object): Promise<GraphqlOperation> {
  // Loaded here, because most documents are texts and need no GraphQL engine.
  const printer = await loaded(import('./document-printer.js'));
  const text = await printer.printedText(document);
  printed.set(document, text);
  return operationIn(text);
}

function operationIn(text: string): GraphqlOperation {
  const known = recent.get(text);
  if (known) return known;
  if (!text.trim()) throw missing();
  const operation = older.get(text) ?? readOperation(text);
  if (recent.size >= MOST_KNOWN) [recent, older] = [new Map(), recent];
  recent.set(text, operation);
  return operation;
}

function readOperation(text: string): GraphqlOperation {
  const code = text.replace(SILENT, ' ');
  const [name = 'an unnamed query'] = /\b(?:query|mutation)\s+\w+/.exec(code) ?? [];
  return {
    text,
    name: name.replace(/\s+/, ' '),
    // A field of this name makes a query look like a mutation: it is then repeated less often than
    // it could be, which does no harm.
    mutates: /\bmutation\b/.test(code),
    defers: /@(?:defer|stream)\b/.test(code),
  };
}

/** What calls are estimated to cost, in points. */
export interface CostEstimates {
  estimate(operation: GraphqlOperation): number;
  learn(operation: GraphqlOperation, cost: number): void;
}

/** The estimates of an interface that charges nothing. */
export const FREE: CostEstimates = { estimate: () => 0, learn: () => {} };

/** Remembers what each operation was charged, so that the next call reserves as much beforehand. */
export class QueryCosts implements CostEstimates {
  /**
   * By text, in the order in which they were learned: a plain map, because every standalone client
   * makes one.
   */
  readonly #learned = new Map<string, number>();

  /** In points. */
  estimate({ text }: GraphqlOperation): number {
    return this.#learned.get(text) ?? FIRST_GUESS;
  }

  /**
   * @param cost what the platform wants to see in the bucket before it runs the operation, in
   * points
   */
  learn({ text }: GraphqlOperation, cost: number): void {
    if (this.#learned.get(text) === cost || !(cost >= 0 && cost < Infinity)) return;
    this.#learned.delete(text);
    this.#learned.set(text, cost);
    if (this.#learned.size > MOST_REMEMBERED)
      this.#learned.delete(this.#learned.keys().next().value!);
  }
}

const missing = (): MissingRequiredArgument => new MissingRequiredArgument('Query missing.');
