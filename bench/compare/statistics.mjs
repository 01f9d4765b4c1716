/** The middle of a list of numbers. */
export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/**
 * A list begun at another place each time, so that no side is always measured after the same other.
 */
export function rotated(list, times) {
  const start = times % list.length;
  return [...list.slice(start), ...list.slice(0, start)];
}
