// Compares what our entry points export with what the main entries of the packages export that apps
// come from, values and types: each name has a counterpart under the matching entry point, or a row
// in docs/moving-from-official.md. Fetches the packages once, into .cache/.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { explainedNames, missingExports, readExports } from '../test/contract/exported-names.mjs';

const root = fileURLToPath(new URL('..', import.meta.url)).replace(/[/\\]$/, '');
const page = readFileSync(join(root, 'docs/moving-from-official.md'), 'utf8');
let passed = 0;
let failed = 0;

checkTheComparison();
const compared = readExports(root, join(root, '.cache'));
for (const { name, theirs, ours } of compared) {
  const missing = missingExports(theirs, ours);
  const explained = explainedNames(page, name);
  const problems = [
    ...missing
      .filter((wanted) => !explained.has(wanted.name))
      .map((wanted) => `${wanted.name} is not exported as ${wanted.as}, and no row says why`),
    ...[...explained]
      .filter((row) => !missing.some((wanted) => wanted.name === row))
      .map((row) => `${row} has a row, and needs none`),
  ];
  if (problems.length === 0) passed++;
  else failed++;
  const verdict = problems.length === 0 ? 'ok  ' : 'FAIL';
  const counts = `${theirs.size} exports, ${explained.size} explained`;
  console.log(`${verdict} ${name}: ${counts}`);
  for (const problem of problems) console.log(`       ${problem}`);
}

/** A comparison that notices nothing would pass everything. */
function checkTheComparison() {
  const both = { value: true, type: true };
  const typeOnly = { value: false, type: true };
  const theirs = new Map([
    ['Same', both],
    ['Absent', typeOnly],
    ['NoValue', both],
    ['Explained', typeOnly],
  ]);
  const ours = new Map([
    ['Same', both],
    ['NoValue', typeOnly],
  ]);
  const found = missingExports(theirs, ours).map(({ name, as }) => `${name} ${as}`);
  const sample =
    '### What `a-package` does not share\n\n| `Explained`, `Other` | why |\n\n## Else\n\n| `No` | x |';
  const rows = [...explainedNames(sample, 'a-package')];
  const said = [...found, ...rows].join(', ');
  const expected = 'Absent a type, NoValue a value, Explained a type, Explained, Other';
  if (said !== expected) throw new Error(`The comparison finds ${said} instead of ${expected}`);
}

console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
