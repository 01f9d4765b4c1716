import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { buildClientSchema } from 'graphql';

const PACKAGE = '@shopify/dev-mcp';
const VERSION = '1.16.0';

/** The versions whose real schemas the package holds. */
export const API_VERSIONS = ['2025-10', '2026-01', '2026-04', '2026-07', '2026-10'];

/** Fetches the package that holds the real schemas into the cache, unless it is there; it is unpacked, never installed. */
export function fetchRealSchemas(cache) {
  const target = join(cache, `dev-mcp-${VERSION}`);
  if (existsSync(target)) return target;
  const scratch = `${target}.partial`;
  rmSync(scratch, { recursive: true, force: true });
  mkdirSync(scratch, { recursive: true });
  const packed = execFileSync('npm', ['pack', `${PACKAGE}@${VERSION}`, '--silent', '--pack-destination', scratch], { encoding: 'utf8' });
  const files = API_VERSIONS.map((version) => `package/dist/data/${fileOf(version)}`);
  const tarball = packed.trim().split('\n').at(-1);
  execFileSync('tar', ['-xzf', tarball, ...files], { cwd: scratch });
  rmSync(join(scratch, tarball));
  renameSync(scratch, target);
  return target;
}

/** One real Admin schema, as the platform's introspection describes it. */
export function readRealSchema(folder, version) {
  const text = gunzipSync(readFileSync(join(folder, 'package', 'dist', 'data', fileOf(version)))).toString();
  const introspection = JSON.parse(text);
  return buildClientSchema(introspection.data ?? introspection);
}

function fileOf(version) {
  return `admin_${version}.json.gz`;
}
