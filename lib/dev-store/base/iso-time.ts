/** A time as both APIs write it: ISO 8601 in UTC, to the second. */
export function isoTime(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`;
}
