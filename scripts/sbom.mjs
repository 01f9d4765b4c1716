// Writes what an install of the package brings, at the versions of the lock file, as a CycloneDX
// bill of materials: `npm run sbom -- <file>`.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { lockedTree, shippedBy } from './dependencies.mjs';
import { npm, ROOT } from './install.mjs';

const QUIET = ['ignore', 'pipe', 'inherit'];
const target = resolve(process.argv[2] ?? `${ROOT}.cache/sbom.cdx.json`);
const manifest = readJson('package.json');
const { name, version, description, license, repository } = manifest;
const dependencies = shippedBy(manifest);
const lock = readJson('package-lock.json');
const expected = lockedTree(lock.packages, Object.keys(dependencies)).map(
  (item) => `${item.name}@${item.version}`,
);

const bill = billOfMaterials();
const listed = JSON.parse(bill).components.map((item) => `${item.name}@${item.version}`);
const differing = [
  ...expected.filter((item) => !listed.includes(item)),
  ...listed.filter((item) => !expected.includes(item)),
];
if (differing.length > 0)
  throw new Error(`The bill of materials and package-lock.json differ in ${differing.join(', ')}.`);
mkdirSync(dirname(target), { recursive: true });
writeFileSync(target, bill);
console.log(`${target}: ${listed.join(', ')}`);

/**
 * Asks npm, in a folder without what only developers and apps install: told to omit those, npm also
 * omits what an install shares with them. npm names the bill after the folder.
 */
function billOfMaterials() {
  const scratch = mkdtempSync(join(tmpdir(), 'sbom-'));
  const cwd = join(scratch, name);
  try {
    mkdirSync(cwd);
    writeFileSync(
      join(cwd, 'package.json'),
      JSON.stringify({ name, version, description, license, repository, dependencies }),
    );
    writeFileSync(join(cwd, 'package-lock.json'), JSON.stringify(lock));
    // Drops from the lock file what is no longer asked for.
    succeed(
      npm(
        [
          'install',
          '--package-lock-only',
          '--offline',
          '--no-audit',
          '--no-fund',
          '--loglevel=error',
        ],
        { cwd, stdio: QUIET },
      ),
    );
    const options = ['--package-lock-only', '--sbom-format', 'cyclonedx', '--sbom-type', 'library'];
    return succeed(npm(['sbom', ...options], { cwd, stdio: QUIET, encoding: 'utf8' }));
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function succeed({ status, stdout, error }) {
  if (status !== 0) throw error ?? new Error(`npm ended with code ${status}.`);
  return stdout;
}

function readJson(name) {
  return JSON.parse(readFileSync(join(ROOT, name), 'utf8'));
}
