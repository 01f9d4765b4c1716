/** More than any page has, and a number that every driver takes. */
const LARGEST_LIMIT = 2 ** 31 - 1;

/** The limit of a page as every engine takes it: a whole number, 0 for NaN and below 1. */
export function pageLimit(limit: number): number {
  return Math.trunc(Math.min(Math.max(limit || 0, 0), LARGEST_LIMIT));
}
