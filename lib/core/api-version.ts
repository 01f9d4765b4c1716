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

/**
 * The newest version that is no release candidate, for apps that come from older releases of the
 * platform's own library.
 * @deprecated It changes with a release of the toolkit: name a version, `ApiVersion.October26`.
 */
// Not read off the enum, which browsers would be sent then.
export const LATEST_API_VERSION = '2026-10' as ApiVersion.October26;

const UNSTABLE = 'unstable';

/** True for a version this release of the toolkit was written against. */
export function isKnownApiVersion(version: string): boolean {
  return Object.values<string>(ApiVersion).includes(version);
}

/** A quarter of a year, and the version that the platform names after it. */
export interface ApiQuarter {
  readonly year: number;
  /** 1 to 4. */
  readonly quarter: number;
  readonly version: string;
}

/**
 * The quarter that a time is in, in UTC.
 * @param later how many quarters after that one @default 0
 */
export function apiQuarter(time: Date, later = 0): ApiQuarter {
  const quarters = time.getUTCFullYear() * 4 + Math.floor(time.getUTCMonth() / 3) + later;
  const year = Math.floor(quarters / 4);
  const quarter = (quarters % 4) + 1;
  return { year, quarter, version: `${year}-${String(quarter * 3 - 2).padStart(2, '0')}` };
}

/**
 * The versions that the platform supports at a time: of three quarters past, of the current and of
 * the next, and `unstable`.
 */
export function supportedApiVersions(time: Date): string[] {
  return [...[-3, -2, -1, 0, 1].map((later) => apiQuarter(time, later).version), UNSTABLE];
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
