/** More than any page has, and a number that every driver takes. */
const LARGEST_LIMIT = 2 ** 31 - 1;

/**
 * The limit of a page as every engine takes it: a whole number from 0 to 2,147,483,647. Fractions
 * are cut off; a negative number or NaN becomes 0, a larger number or Infinity the largest.
 */
export function pageLimit(limit: number): number {
  return Math.trunc(Math.min(Math.max(limit || 0, 0), LARGEST_LIMIT));
}
