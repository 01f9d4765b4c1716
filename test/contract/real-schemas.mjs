import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { buildClientSchema } from 'graphql';

import { fetchPackage } from './published-package.mjs';

const PACKAGE = '@shopify/dev-mcp';
const VERSION = '1.16.0';

/** The versions whose real schemas the package holds. */
export const API_VERSIONS = ['2025-10', '2026-01', '2026-04', '2026-07', '2026-10'];

/** The interfaces they describe, and how the package's files begin. */
const PREFIXES = { admin: 'admin', storefront: 'storefront-graphql' };

/**
 * Fetches the package that holds the real schemas into the cache, unless they are there; it is
 * unpacked, never installed.
 */
export function fetchRealSchemas(cache) {
  const target = join(cache, `dev-mcp-${VERSION}`);
  const files = Object.keys(PREFIXES).flatMap((api) =>
    API_VERSIONS.map((version) => fileOf(api, version)),
  );
  return fetchPackage(target, { name: PACKAGE, version: VERSION, files });
}

/** One real schema, as the platform's introspection describes it. */
export function readRealSchema(folder, api, version) {
  const text = gunzipSync(readFileSync(join(folder, fileOf(api, version)))).toString();
  const introspection = JSON.parse(text);
  return buildClientSchema(introspection.data ?? introspection);
}

function fileOf(api, version) {
  return `package/dist/data/${PREFIXES[api]}_${version}.json.gz`;
}
