/**
 * Versions of the platform's APIs by quarter. Every option of a version also accepts any other
 * `YYYY-MM` string.
 * @see https://shopify.dev/docs/api/usage/versioning
 */
export enum ApiVersion {
  January24 = '2024-01',
  April24 = '2024-04',
  July24 = '2024-07',
  October24 = '2024-10',
  January25 = '2025-01',
  April25 = '2025-04',
  July25 = '2025-07',
  October25 = '2025-10',
  January26 = '2026-01',
  April26 = '2026-04',
  July26 = '2026-07',
  October26 = '2026-10',
  Unstable = 'unstable',
}

const UNSTABLE = 'unstable';
/** The first year of {@link ApiVersion}, and how many quarters follow each other from then on. */
const SINCE = 2024;
const QUARTERS = 12;

/** The values of {@link ApiVersion}, reckoned: a browser that names no version is not sent each. */
export const KNOWN_API_VERSIONS: readonly string[] = /* @__PURE__ */ Array.from(
  { length: QUARTERS + 1 },
  (_, at) =>
    at < QUARTERS ? `${SINCE + (at >> 2)}-${['01', '04', '07', '10'][at & 3]}` : UNSTABLE,
);

/** True for a version this release of the toolkit was written against. */
export function isKnownApiVersion(version: string): boolean {
  return KNOWN_API_VERSIONS.includes(version);
}

/** True for `unstable` and everything of the form `YYYY-MM`. */
export function isApiVersion(version: unknown): version is string {
  return (
    typeof version === 'string' && (version === UNSTABLE || /^\d{4}-(0[1-9]|1[0-2])$/.test(version))
  );
}

/** True when `current` is `reference` or newer; `unstable` is newer than every dated version. */
export function isVersionCompatible(reference: string, current: string): boolean {
  if (current === UNSTABLE) return true;
  if (reference === UNSTABLE) return false;
  return current >= reference;
}
