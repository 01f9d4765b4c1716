import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { buildClientSchema } from 'graphql';

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
  if (files.every((file) => existsSync(join(target, file)))) return target;
  const scratch = `${target}.partial`;
  rmSync(scratch, { recursive: true, force: true });
  mkdirSync(scratch, { recursive: true });
  // On Windows npm is a batch file, which only a shell can start.
  const packed = execFileSync('npm', ['pack', `${PACKAGE}@${VERSION}`, '--silent'], {
    cwd: scratch,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  const tarball = packed.trim().split('\n').at(-1);
  execFileSync('tar', ['-xzf', tarball, ...files], { cwd: scratch });
  rmSync(join(scratch, tarball));
  rmSync(target, { recursive: true, force: true });
  renameSync(scratch, target);
  return target;
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
