import { InvalidRequestError } from '../core/http/http.errors.js';

type SearchParam = string | number | boolean | Date | null | undefined;

/** Query parameters by name; lists and maps may be nested. `null` and `undefined` are left out. */
export interface SearchParams {
  readonly [key: string]:
    SearchParam | readonly SearchParam[] | SearchParams | readonly SearchParams[];
}

/**
 * `key=value`, `key[]=value` for each element of a list, `key[nested]=value` for a map; dates as
 * ISO 8601. Without the `?`.
 * @throws {InvalidRequestError} for a date that is none
 */
export function searchString(params: SearchParams | null | undefined): string {
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(params ?? {})) append(search, key, value);
  return search.toString();
}

function append(search: URLSearchParams, key: string, value: unknown): void {
  if (value === null || value === undefined) return;
  if (Array.isArray(value)) value.forEach((element) => append(search, `${key}[]`, element));
  else if (value instanceof Date) search.append(key, isoDate(key, value));
  else if (typeof value === 'object')
    Object.entries(value).forEach(([nested, inner]) => append(search, `${key}[${nested}]`, inner));
  else search.append(key, String(value));
}

function isoDate(key: string, date: Date): string {
  if (Number.isNaN(date.getTime()))
    throw new InvalidRequestError(`The query parameter "${key}" is an invalid Date.`);
  return date.toISOString();
}
