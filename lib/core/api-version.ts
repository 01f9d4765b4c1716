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

const KNOWN: ReadonlySet<string> = new Set(Object.values(ApiVersion));

/** True for a version this release of the toolkit was written against. */
export function isKnownApiVersion(version: string): boolean {
  return KNOWN.has(version);
}

/** True for `unstable` and everything of the form `YYYY-MM`. */
export function isApiVersion(version: unknown): version is string {
  return (
    typeof version === 'string' &&
    (version === ApiVersion.Unstable || /^\d{4}-(0[1-9]|1[0-2])$/.test(version))
  );
}

/** True when `current` is `reference` or newer; `unstable` is newer than every dated version. */
export function isVersionCompatible(reference: string, current: string): boolean {
  if (current === ApiVersion.Unstable) return true;
  if (reference === ApiVersion.Unstable) return false;
  return current >= reference;
}
