import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { buildClientSchema } from 'graphql';

import { fetchPackage } from './published-package.mjs';

const PACKAGE = '@shopify/dev-mcp';
const VERSION = '1.16.0';

/** The dated versions whose real schemas the package holds. */
export const API_VERSIONS = ['2025-10', '2026-01', '2026-04', '2026-07', '2026-10'];

/** All of its versions. */
export const SCHEMA_VERSIONS = [...API_VERSIONS, 'unstable'];

/** The interfaces they describe, and how the package's files begin. */
const PREFIXES = { admin: 'admin', storefront: 'storefront-graphql' };

export const SCHEMA_APIS = Object.keys(PREFIXES);

/**
 * Fetches the package that holds the real schemas into the cache, unless they are there; it is
 * unpacked, never installed.
 */
export function fetchRealSchemas(cache) {
  const target = join(cache, `dev-mcp-${VERSION}`);
  const schemas = SCHEMA_APIS.flatMap((api) =>
    SCHEMA_VERSIONS.map((version) => fileOf(api, version)),
  );
  const files = ['package/LICENSE', ...schemas];
  return fetchPackage(target, { name: PACKAGE, version: VERSION, files });
}

/**
 * One real schema, as the platform's introspection describes it.
 * @param descriptions whether its parts keep their descriptions; default true
 */
export function readRealSchema(folder, api, version, { descriptions = true } = {}) {
  const text = gunzipSync(readFileSync(join(folder, fileOf(api, version)))).toString();
  const introspection = JSON.parse(text, (key, value) =>
    key === 'description' && typeof value === 'string' && !descriptions ? null : value,
  );
  return buildClientSchema(introspection.data ?? introspection);
}

function fileOf(api, version) {
  return `package/dist/data/${PREFIXES[api]}_${version}.json.gz`;
}
