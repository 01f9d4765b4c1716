// What a request, a call and a start cost, beside the official packages in the same run: `npm run bench`, in the folder of this file.
//   --only <regex>  rows whose name matches, such as 'webhook 1 KB: Nest'; RESULTS.md is written by a run of all rows alone
//   --rounds <n>    how often each side is measured; medians are compared (default 5)
// BENCH_NODE names the Node to measure; without it Node 24 is fetched, which the official packages need. Ends with 1 when a row is BAD: when
// a request was answered with anything but 2xx, or never reached its handler.
import { existsSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { nodeOf } from '../test/package/nodes.mjs';
import { npmInstall, run } from '../test/package/programs.mjs';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const NODE = '24';

const { values } = parseArgs({
  options: { only: { type: 'string', default: '' }, rounds: { type: 'string', default: '5' } },
});
const ROUNDS = Number(values.rounds);
const ONLY = new RegExp(values.only);

if (!existsSync(`${HERE}node_modules/@shopify/shopify-app-remix`)) await npmInstall(HERE);
const node =
  process.env.BENCH_NODE ??
  (await nodeOf(NODE, fileURLToPath(new URL('../.cache/package', import.meta.url))));
if (!node)
  throw new Error(
    `There is no package of Node ${NODE} for this machine: name the program with BENCH_NODE.`,
  );

const { GROUPS } = await import('./compare/rows.mjs');
const { cellsOf, tableOf } = await import('./compare/report.mjs');
const { startClient } = await import('./compare/sides.mjs');
const { rotated } = await import('./compare/statistics.mjs');

const load = loadavg()[0];
const client = startClient(node);

/** What is wrong with a side that cannot be opened or measured. */
const failure = (error) => ({ wrong: error.message });

/** Measures all sides of some rows by turns. */
async function samplesOf(group, rows) {
  const names = [...new Set(rows.flatMap(({ ours, against }) => [ours, against]))];
  const samples = Object.fromEntries(names.map((name) => [name, []]));
  const sides = new Map();
  for (const name of names) {
    await group.open(name, { node, client }).then(
      (side) => sides.set(name, side),
      (error) => samples[name].push(failure(error)),
    );
  }
  for (let round = 0; round < ROUNDS * (group.samples ?? 1); round++) {
    for (const name of rotated([...sides.keys()], round))
      samples[name].push(await sides.get(name).sample().catch(failure));
  }
  for (const side of sides.values()) await side.close();
  return samples;
}

const cells = [];
for (const group of GROUPS) {
  const rows = group.rows.filter(({ name }) => ONLY.test(`${group.title}: ${name}`));
  if (rows.length === 0) continue;
  const samples = await samplesOf(group, rows);
  const results = rows.map((row) => cellsOf(group, row, samples));
  for (const { wrong } of results.filter((result) => result.wrong)) {
    console.error(`BAD ${group.title}: ${wrong}`);
    process.exitCode = 1;
  }
  // A run of everything takes a while.
  console.error(
    `${new Date().toLocaleTimeString()} ${results.map(({ cells }) => `${cells[0]} ${cells[3]}`).join('; ')}`,
  );
  cells.push(...results.map(({ cells }) => cells));
}
await client.close();

const table = tableOf(cells);
console.log(table);
if (values.only === '') {
  const [{ model }, { length: cores }] = [cpus()[0], cpus()];
  const version = (await run(node, ['--version'], { cwd: HERE })).trim();
  const busy =
    load > cores / 4
      ? ' The machine was busy with other work: read the ratios, not the figures.'
      : '';
  const about =
    `${new Date().toISOString().slice(0, 10)}, Node ${version}, ${cores} × ${model.trim()}, ${process.platform}; ` +
    `medians of ${ROUNDS} interleaved rounds, load of the machine before the run ${load.toFixed(1)}.${busy}`;
  const intro = `Written by \`npm run bench\`; [README.md](README.md) says what the rows are.`;
  writeFileSync(`${HERE}RESULTS.md`, `# Results\n\n${intro}\n\n${about}\n\n${table}\n`);
}
