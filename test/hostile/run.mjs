// `npm run test:hostile`: genuine requests of the platform and of browsers, mutated, against every
// host. See `--help`.
import { parseArgs } from 'node:util';

import { buildToolkitIfStale } from '../../scripts/build.mjs';
import { Attempts } from './attempts.mjs';
import { CORPUS } from './corpus.mjs';
import { Host } from './host.mjs';
import { KINDS, judge } from './oracle.mjs';
import { recipeIn, shrunk, wordFor } from './shrink.mjs';

const HELP = `npm run test:hostile -- [options]
  --requests <n>   to each host (3000)
  --seed <n>       the same seed makes the same requests (a random one, printed)
  --host <name>    one of ${Object.keys(CORPUS).join(', ')} (all)
  --replay <word>  sends the request of a finding once more`;
/** Of one kind on one host. */
const MOST_SHOWN = 3;
const GENUINE_EACH = 5;

const { values: options } = parseArgs({
  options: {
    requests: { type: 'string' },
    seed: { type: 'string' },
    host: { type: 'string' },
    replay: { type: 'string' },
    help: { type: 'boolean' },
  },
});
if (options.help) {
  console.log(HELP);
  process.exit();
}
buildToolkitIfStale();
let passed = 0;
let failed = 0;
if (options.replay) await replay(recipeIn(options.replay));
else
  await runAll(
    Number(options.requests ?? 3000),
    Number(options.seed ?? Math.floor(Math.random() * 2 ** 32)),
  );
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed > 0 || passed === 0 ? 1 : 0);

async function runAll(requests, seed) {
  console.log(`seed ${seed}, ${requests} requests to each host`);
  const table = [];
  for (const name of options.host ? [options.host] : Object.keys(CORPUS))
    table.push(await runHost(name, requests, seed));
  console.log('');
  console.table(Object.fromEntries(table.map(({ name, row }) => [name, row])));
}

async function runHost(name, requests, seed) {
  const start = performance.now();
  const host = await new Host(name).open();
  try {
    const attempts = new Attempts(host);
    const untaken = await untakenOf(attempts);
    count(untaken.length === 0);
    for (const line of untaken) console.log(`NOT OK  ${name}: ${line}`);

    const row = { genuine: untaken.length === 0 ? 'taken' : 'NOT TAKEN' };
    const recipes = Array.from({ length: requests }, (_, number) => attempts.recipe(seed, number));
    const findings = await attempts.run(recipes, (done) =>
      console.log(`${name}: ${done} of ${requests}`),
    );
    for (const kind of KINDS) {
      const ofKind = findings.filter((finding) => finding.kind === kind);
      row[kind] = ofKind.length;
      count(ofKind.length === 0);
      for (const finding of distinct(ofKind)) await show(attempts, finding);
    }
    row.seconds = Math.round((performance.now() - start) / 1000);
    console.log(
      `${name}: ${findings.length === 0 && untaken.length === 0 ? 'ok' : 'NOT OK'} (${row.seconds} s)`,
    );
    return { name, row };
  } finally {
    host.close();
  }
}

function count(holds) {
  if (holds) passed++;
  else failed++;
}

/** Without this a host that refuses everything would look safe. */
async function untakenOf(attempts) {
  const lines = [];
  for (const { surface, taken } of attempts.rows) {
    for (let seed = 0; seed < GENUINE_EACH; seed++) {
      const attempt = await attempts.once({
        host: attempts.host.name,
        surface,
        seed,
        mutations: [],
      });
      const { outcome, notes } = attempt;
      const wrong = judge(attempt).map(({ kind, what }) => `${kind}: ${what}`);
      if (outcome?.status && taken(outcome, notes) && wrong.length === 0) continue;
      lines.push(
        `a genuine request is not taken: ${surface}: ${outcome?.status ?? outcome} ${outcome?.body?.slice(0, 200)} ${JSON.stringify(outcome?.headers)} ${wrong}`,
      );
      break;
    }
  }
  return lines;
}

function distinct(findings) {
  const surfaces = new Map(
    findings.map((finding) => [`${finding.recipe.surface} ${finding.what.slice(0, 20)}`, finding]),
  );
  return [...surfaces.values()].slice(0, MOST_SHOWN);
}

async function show(attempts, finding) {
  const { recipe, what } = await shrunk(attempts, finding);
  console.log(`NOT OK  ${recipe.host}: ${finding.kind}: ${what}`);
  console.log(
    `        ${recipe.surface}, ${recipe.mutations.map(({ name }) => name).join(', ') || 'as it is'}`,
  );
  console.log(`        npm run test:hostile -- --replay ${wordFor(recipe)}`);
  console.log(indented(await attempts.once(recipe)));
}

async function replay(recipe) {
  const host = await new Host(recipe.host).open();
  const attempt = await new Attempts(host).once(recipe);
  const found = judge(attempt);
  console.log(indented(attempt));
  for (const { kind, what } of found) console.log(`NOT OK  ${kind}: ${what}`);
  count(found.length === 0);
  host.close();
}

function indented({ wire, outcome, notes }) {
  const answer = outcome?.status
    ? `${outcome.status} ${JSON.stringify(outcome.headers)} ${outcome.body}`
    : String(outcome);
  const facts = notes.map(
    ({ kind, line, message, shop }) => `${kind} ${shop ?? line ?? message ?? ''}`,
  );
  return [shown(wire.bytes.toString('latin1')), shown(`→ ${answer}`), ...facts.map(shown)].join(
    '\n',
  );
}

function shown(text) {
  const short = text.length > 1500 ? `${text.slice(0, 1500)} … (${text.length})` : text;
  return short.replaceAll(/^/gm, '        | ');
}
