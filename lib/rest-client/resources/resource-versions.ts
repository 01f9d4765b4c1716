import { ApiVersion } from '../../core/api-version.js';

/** Versions that the tables describe, oldest first; left out of bundles that use no table. */
const DESCRIBED: readonly string[] = /* @__PURE__ */ (() => [
  ApiVersion.October24,
  ApiVersion.January25,
  ApiVersion.April25,
  ApiVersion.July25,
  ApiVersion.October25,
  ApiVersion.January26,
  ApiVersion.April26,
  ApiVersion.July26,
])();

/**
 * The version whose resources serve the given one: itself, else the one before it; the oldest for
 * all older ones.
 */
export function servingVersion(version: string): string {
  return DESCRIBED.findLast((described) => described <= version) ?? ApiVersion.October24;
}

/**
 * True when resources of one version may be used in an app of another: both have the same
 * resources, or the app's version has none of its own.
 */
export function mayServe(resources: string, version: string): boolean {
  return (
    resources === version ||
    version === ApiVersion.Unstable ||
    resources === servingVersion(version)
  );
}
