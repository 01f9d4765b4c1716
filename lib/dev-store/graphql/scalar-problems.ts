/**
 * What the platform's own scalars say of a value that they do not take; undefined when they take
 * it, or have no words of their own.
 */
export function scalarProblem(scalar: string, value: unknown): string | undefined {
  if (scalar === 'ID') return globalIdProblem(value);
  return scalar === 'URL' ? urlProblem(String(value)) : undefined;
}

/** Whether a value can be one of the platform's scalars; true for any other scalar. */
export function isScalarValue(scalar: string, value: unknown): boolean {
  const pattern = typeof value === 'string' && value !== '' ? PATTERNS[scalar] : undefined;
  return pattern?.test(String(value)) ?? true;
}

/** What the texts of scalars look like. */
const PATTERNS: Readonly<Record<string, RegExp>> = {
  Date: /^[+-]?\d{4,}-?\d\d-?\d\d(?:[T ].*)?$/,
  DateTime: /^[+-]?\d{4,}-?\d\d-?\d\d(?:[T ]\d.*)?$/,
  Decimal: /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i,
};

/** The platform's message about an id that is not a global one; undefined when it is one. */
function globalIdProblem(value: unknown): string | undefined {
  const id = String(value);
  return GLOBAL_ID.test(id) ? undefined : `Invalid global id '${id}'`;
}

const GLOBAL_ID = /^gid:\/\/shopify\/\w+\/[^/\s]+$/;

function urlProblem(url: string): string | undefined {
  if (!/^[a-z][\w+.-]*:/i.test(url)) return `Invalid url '${url}', missing scheme`;
  return /^https?:\/*(?:[?#]|$)/i.test(url) ? `Invalid url '${url}', missing host` : undefined;
}
