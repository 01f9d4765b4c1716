const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
] as const;

/**
 * An age for people, in its largest unit and rounded down: `2 h`, or `0 s` of what is yet to come.
 * @param ms in milliseconds
 */
export function ageOf(ms: number): string {
  const [unit, length] = UNITS.find(([, least]) => ms >= least) ?? (['s', 1_000] as const);
  return `${Math.max(0, Math.trunc(ms / length))} ${unit}`;
}
