import type { NodeError } from './mutation-shape.js';

/** A user error. @param field its path in the arguments; null for all of them */
export function userError(
  field: readonly string[] | null,
  message: string,
  code?: string,
): NodeError {
  return { field, message, ...(code === undefined ? {} : { code }) };
}

/** A user error about a place in the input, such as `article.title`; null for all of it. */
export function inputError(place: string | null, message: string, code?: string): NodeError {
  return userError(place?.split('.') ?? null, message, code);
}

/** A text that is longer than the platform keeps. */
export function tooLong(
  place: string,
  text: unknown,
  [label, most = 255]: readonly [label: string, most?: number],
  code?: string,
): NodeError[] {
  if (typeof text !== 'string' || text.length <= most) return [];
  return [inputError(place, `${label} is too long (maximum is ${most} characters)`, code)];
}

/** Whether a value is missing, or nothing but blanks. */
export function isBlank(value: unknown): boolean {
  return String(value ?? '').trim() === '';
}

/** The errors about the items of a list, whose paths end with their index. */
export function itemErrors<T>(
  items: readonly T[],
  path: readonly string[],
  errors: (item: T, path: readonly string[], index: number) => readonly NodeError[],
): NodeError[] {
  return items.flatMap((item, index) => errors(item, [...path, String(index)], index));
}
