// What the typed REST resources of one version cost: a fresh process that imports them, beside the
// incumbent's, in processor time; and a consumer that the compiler checks, with all of them used
// and without any. Rounds are interleaved, and the least time of each side counts: what else a busy
// machine does can only add to it. `import` or `types` as an argument runs that alone. Ends with 1
// when a ratio is missed.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { nodeOf } from '../test/package/nodes.mjs';
import { npmInstall, run } from '../test/package/programs.mjs';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const CACHE = fileURLToPath(new URL('../.cache/bench-resources', import.meta.url));
const VERSION = '2026-07';
const repository = createRequire(new URL('../package.json', import.meta.url));
const OURS = pathToFileURL(repository.resolve(`shopwright/rest/admin/${VERSION}`));
const INCUMBENT = `@shopify/shopify-api/rest/admin/${VERSION}`;
const ROUNDS = { import: 25, types: 9 };

/**
 * Runs a piece of a program in a process of its own; answers the milliseconds of processor time it
 * takes, on all threads.
 */
async function processorTime(node, setUp, measured) {
  const program = `${setUp}; const start = process.cpuUsage(); ${measured}; const { user, system } = process.cpuUsage(start); console.log((user + system) / 1000);`;
  return Number(await run(node, ['--input-type=module', '-e', program], { cwd: HERE }));
}

let missed = 0;

/** Measures two sides in turn. */
async function compare(title, rounds, [base, measureBase], [other, measureOther], limit) {
  const times = { [base]: [], [other]: [] };
  for (let round = -1; round < rounds; round++) {
    const pair = { [base]: await measureBase(), [other]: await measureOther() };
    if (round >= 0) for (const side of [base, other]) times[side].push(pair[side]);
  }
  const [one, two] = [base, other].map((side) => Math.min(...times[side]));
  const held = two / one <= limit;
  if (!held) missed++;
  const verdict = `${(two / one).toFixed(3)} times, wanted ≤ ${limit.toFixed(3)}: ${held ? 'held' : 'MISSED'}`;
  console.log(`${title}, ms: ${base} ${one.toFixed(1)}  ${other} ${two.toFixed(1)}  (${verdict})`);
}

async function compareImports() {
  if (!existsSync(join(HERE, 'node_modules/@shopify/shopify-api'))) await npmInstall(HERE);
  const node = await nodeOf('24', fileURLToPath(new URL('../.cache/package', import.meta.url)));
  if (!node)
    throw new Error(
      'The incumbent needs Node 22 or later, and there is no package of Node 24 for this machine.',
    );
  const importing = (specifier) => () =>
    processorTime(node, '', `await import(${JSON.stringify(specifier)})`);
  // 8 ms where the incumbent takes 48.
  await compare(
    `import of ${VERSION}, cold`,
    ROUNDS.import,
    ['incumbent', importing(INCUMBENT)],
    ['ours', importing(OURS.href)],
    8 / 48,
  );
}

async function compareTypes() {
  const { restResources } = await import(OURS.href);
  const express = `import { platformApp, type Session } from ${JSON.stringify(fileURLToPath(new URL('../dist/integrations/express/index.js', import.meta.url)))};`;
  const without = `${express}\nexport const app = platformApp({ api: { apiVersion: '${VERSION}' } });\nexport declare const session: Session;\n`;
  const uses = Object.entries(restResources).map(([name, resource]) => {
    const instance = `const one = new ${name}({ session }); await one.save({ update: true }); void one.serialize();`;
    const list =
      'all' in resource
        ? `for (const each of (await app.api.rest.${name}.all({ session, limit: 5 })).data) void each.serialize();`
        : '';
    const type = `const read = (given: ${name}): Record<keyof ${name}, unknown> => given; read(one);`;
    return `export async function use${name}(): Promise<void> { ${instance} ${list} ${type} }`;
  });
  const names = [...Object.keys(restResources), 'restResources'].join(', ');
  const withAll = [
    express,
    `import { ${names} } from ${JSON.stringify(fileURLToPath(OURS))};`,
    `export const app = platformApp({ api: { apiVersion: '${VERSION}', restResources } });`,
    'export declare const session: Session;',
    ...uses,
  ].join('\n');
  const ts = pathToFileURL(createRequire(import.meta.url).resolve('typescript')).href;
  const checking = (file, text) => {
    mkdirSync(CACHE, { recursive: true });
    const path = join(CACHE, file);
    writeFileSync(path, text);
    const options =
      "{ target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.NodeNext, strict: true, noEmit: true, skipLibCheck: true, types: ['node'] }";
    const check = `const program = ts.createProgram([${JSON.stringify(path)}], ${options}); const found = ts.getPreEmitDiagnostics(program)`;
    const refuse =
      'if (found.length > 0) throw new Error(ts.formatDiagnostics(found, ts.createCompilerHost({})))';
    return () =>
      processorTime(
        process.execPath,
        `import ts from ${JSON.stringify(ts)}`,
        `${check}; ${refuse}`,
      );
  };
  await compare(
    'type check of a consumer',
    ROUNDS.types,
    ['without', checking('without.mts', without)],
    [`with all ${Object.keys(restResources).length}`, checking('with.mts', withAll)],
    1.3,
  );
}

const PARTS = { import: compareImports, types: compareTypes };
const wanted = process.argv.slice(2);
for (const [name, part] of Object.entries(PARTS))
  if (wanted.length === 0 || wanted.includes(name)) await part();
if (missed > 0) process.exitCode = 1;
