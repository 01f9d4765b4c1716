import type { NodeError } from './mutation-shape.js';

/** A user error. @param field its path in the arguments; null for all of them */
export function userError(
  field: readonly string[] | null,
  message: string,
  code?: string,
): NodeError {
  return { field, message, ...(code === undefined ? {} : { code }) };
}

/** Whether a text says nothing. */
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
