// Fails when a package that comes with an install of ours, or with a peer that our documentation
// tells apps to install, is under a licence that is not on the list. Reads package-lock.json of the
// current folder.
import { readFileSync } from 'node:fs';
import { lockedTree, shippedBy } from './dependencies.mjs';

/** Licences that ask for no more than to be named. */
const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'Unlicense',
]);

/**
 * Peers that only the components of Remix import. An app of Remix has chosen them itself; they are
 * not installed here, and nothing of theirs is in our files.
 */
const CHOSEN_BY_APPS = ['@remix-run/react', '@shopify/polaris'];

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
const { peerDependencies = {} } = packages[''];
const names = Object.keys({ ...shippedBy(packages['']), ...peerDependencies });
const tree = lockedTree(
  packages,
  names.filter((name) => !CHOSEN_BY_APPS.includes(name)),
);
const refused = tree.filter(({ license }) => !isAllowed(license));

for (const { name, version, license = 'none' } of refused)
  console.error(`${name}@${version} is licensed under ${license}`);
if (refused.length > 0) {
  console.error(
    `Allowed are: ${[...ALLOWED].join(', ')}. Choose another package, or add the licence to scripts/licences.mjs.`,
  );
  process.exitCode = 1;
} else {
  console.log(`The licences of all ${tree.length} packages are on the list.`);
}

/**
 * Whether an SPDX expression leaves a choice that is on the list; one that is cut off or cannot be
 * read is not.
 */
function isAllowed(expression = '') {
  const tokens = expression.match(/[()]|[^\s()]+/g) ?? [];
  let isWhole = true;
  const allowed = anyOf();
  return allowed && isWhole && tokens.length === 0;

  function anyOf() {
    let allowed = allOf();
    while (next('OR')) allowed = allOf() || allowed;
    return allowed;
  }

  function allOf() {
    let allowed = one();
    while (next('AND')) allowed = one() && allowed;
    return allowed;
  }

  function one() {
    if (!next('(')) {
      isWhole &&= tokens.length > 0;
      return ALLOWED.has(tokens.shift());
    }
    const allowed = anyOf();
    isWhole &&= next(')');
    return allowed;
  }

  function next(token) {
    return tokens[0] === token && tokens.shift() === token;
  }
}
