import { createHash } from 'node:crypto';
import { readdirSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { JOINED, NOTICES, TAKEN } from '../../scripts/dependencies.mjs';
import { npm } from './programs.mjs';

const SHIPPED = [
  /^package\.json$/,
  /^(?:README|SECURITY)\.md$/,
  /^LICENSE$/,
  /^dist\/.+\.(?:js|d\.ts)$/,
];
const DEVELOPMENT = /(?:^|[/.])(?:test|spec|fixtures?|bench|tsbuildinfo)(?:[/.]|$)/;

const LICENCES = `dist/${NOTICES}`;

/** What a build from before leaves behind when the source of a file has been removed since. */
const LEFT_OVER = 'dist/removed-since.js';

/**
 * Packs the package into `folder`, as `npm publish` does: `prepack` builds it first. The name of
 * the tarball holds a digest of its contents, as npm takes a tarball of the same name for the same
 * tarball. Answers its path, the paths of its files and
 * their size in bytes.
 */
export async function pack(root, folder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  mkdirSync(join(root, 'dist'), { recursive: true });
  writeFileSync(join(root, LEFT_OVER), 'export {};\n');
  // In the foreground, scripts would write into the listing.
  const options = [
    '--json',
    '--foreground-scripts=false',
    '--loglevel=error',
    '--pack-destination',
    folder,
  ];
  const listing = await npm(['pack', ...options], { cwd: root });
  const [{ filename, files, unpackedSize }] = Object.values(JSON.parse(listing));
  const digest = createHash('sha256')
    .update(readFileSync(join(folder, filename)))
    .digest('hex')
    .slice(0, 12);
  const path = join(folder, filename.replace(/\.tgz$/, `-${digest}.tgz`));
  renameSync(join(folder, filename), path);
  return { path, files: files.map((file) => file.path), size: unpackedSize };
}

/** The files of the tarball that no source stands behind any more. */
export function staleFiles(files) {
  return files.filter((file) => file === LEFT_OVER);
}

/** The files of the tarball that no user needs. */
export function strayFiles(files) {
  return files.filter(
    (file) =>
      DEVELOPMENT.test(file) ||
      (file !== LICENCES && !SHIPPED.some((shipped) => shipped.test(file))),
  );
}

/** What of others is in our files and whose licence the tarball, packed from `root`, lacks. */
export function missingLicences(root, files) {
  const text = files.includes(LICENCES) ? readFileSync(join(root, LICENCES), 'utf8') : '';
  const taken = TAKEN.filter(
    ({ licence }) => !text.includes(readFileSync(join(root, licence), 'utf8')),
  );
  return [
    ...JOINED.filter((name) => !text.includes(licenceOf(root, name))),
    ...taken.map(({ name }) => name),
  ];
}

function licenceOf(root, name) {
  const folder = join(root, 'node_modules', name);
  const file = readdirSync(folder).find((entry) => /^licen[cs]e\b/i.test(entry));
  return readFileSync(join(folder, file), 'utf8');
}

/** The targets of `exports` that the tarball lacks; one with a `*` stands for at least one file. */
export function missingTargets(exports, files) {
  const targets = Object.values(exports).flatMap((target) =>
    typeof target === 'string' ? [target] : Object.values(target),
  );
  return targets.filter((target) => matches(target, files).length === 0);
}

/** The modules that apps can import, by the subpaths of `exports` and the files of the tarball. */
export function modulesOf({ name, exports }, files) {
  return Object.entries(exports)
    .filter(([subpath]) => subpath !== './package.json')
    .flatMap(([subpath, { default: target }]) =>
      matches(target, files).map((match) => name + subpath.slice(1).replace('*', match)),
    );
}

/** What the `*` of a target stands for, for each file it leads to; `''` when there is none. */
function matches(target, files) {
  const [before, after] = target.replace('./', '').split('*');
  if (after === undefined) return files.includes(before) ? [''] : [];
  return files
    .filter((file) => file.startsWith(before) && file.endsWith(after))
    .map((file) => file.slice(before.length, -after.length))
    .filter((match) => !match.includes('.'));
}
