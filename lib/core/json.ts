/**
 * A value without a type of its own: replies and payloads, whose shape is the platform's. As in the
 * platform's own libraries it may be used as it is, so that code moves over unchanged; name a type,
 * or register the operation, and the compiler checks.
 */
export type Untyped = any;

/** True for what JSON calls an object. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The body of a reply as JSON; the text itself when it is not, `undefined` when it is empty. */
export function parsedBody(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
