// Packs the package, installs the tarball as users do, and uses it on every Node and every Nest it
// is made for. `-- --only without-nest` runs one part, or several.
import assert from 'node:assert/strict';
import { join, sep } from 'node:path';
import { parseArgs } from 'node:util';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { installMissing, ROOT } from '../../scripts/install.mjs';
import { freePort } from '../../scripts/free-port.mjs';
import { chromiumPath } from '../support/chromium.mjs';
import { ANSWERS, BUNDLERS, askInBrowser, initialSize, nodeModulesIn } from './browser-bundles.mjs';
import { addFixture, aroundHandlers, consumer, nestApp } from './consumers.mjs';
import { lint } from './linters.mjs';
import { NEST_APPS, installNestApps, runNestApp } from './nest-apps.mjs';
import { canRequireModules, nodeOf } from './nodes.mjs';
import { run } from './programs.mjs';
import { QUICK_STARTS, follow, walkAsNewcomer } from './quick-starts.mjs';
import {
  REACT_APPS,
  ROUTE_ANSWER,
  ROUTE_BUNDLES,
  checkRendered,
  hydrate,
  renderOnServer,
} from './react.mjs';
import { Report } from './report.mjs';
import { RUNTIMES, receiveOverExpress, runtimeOf, runtimesConsumer, walkOn } from './runtimes.mjs';
import { Structure } from './structure.mjs';
import { unnamed } from './unnamed.mjs';
import {
  missingLicences,
  missingTargets,
  modulesOf,
  pack,
  staleFiles,
  strayFiles,
} from './tarball.mjs';

/** The floor, and the newest of each line; Nest 12's own dependencies ask for more than Node 20. */
const MATRIX = [
  { version: '20.10.0', nests: [11] },
  { version: '20', nests: [11] },
  { version: '22', nests: [11, 12] },
  { version: '24', nests: [11, 12] },
  { version: '26', nests: [11, 12] },
];
const CACHE = join(ROOT, '.cache', 'package');
const PROGRAMS = ['load.mjs', 'smoke.mjs', 'browser.mjs'];
/** What a project installs that tests against a DevStore. */
const DEV_STORE = { graphql: '^16.11.0' };

/** Those that take longest come first. */
const PARTS = {
  'nest-apps': checkNestApps,
  'beside-nest': checkBesideNest,
  types: checkTypes,
  'quick-starts': checkQuickStarts,
  react: checkReact,
  examples: checkExamples,
  'without-nest': checkWithoutNest,
  runtimes: checkRuntimes,
  browser: checkBrowserBundles,
  contents: checkContents,
};
/** Parts that run at once: one works while another waits for npm. */
const AT_ONCE = 2;
/**
 * Bytes that a browser may have to load before the first query of a client, minified, in several
 * files; with Vite 8.4 they hold some 1,800 of its own that load the others.
 */
const MOST_FOR_BROWSERS = { 'storefront.js': 24_500, 'admin.js': 25_500 };
/** Bytes of a bundle of a route, minified, with React and with what the route imports of ours. */
const MOST_FOR_ROUTES = 30_000;
/** What only `shopwright` itself and the option `modules` need. */
const NEST = /^(?:@nestjs|rxjs|reflect-metadata)$/;

const { only } = parseArgs({ options: { only: { type: 'string', multiple: true } } }).values;
const unknown = (only ?? []).filter((part) => !(part in PARTS));
if (unknown.length > 0)
  throw new Error(`There is no part ${unknown.join(', ')}: ${Object.keys(PARTS).join(', ')}`);

installMissing();
const report = new Report();
const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const { name, exports } = manifest;

const tarball = await report.check('the package builds and packs', () =>
  pack(ROOT, join(CACHE, 'tarball')),
);
const modules = tarball ? modulesOf(manifest, tarball.files) : [];
/** The components, which need React and a router. */
const forReact = modules.filter((module) => module.endsWith('/react'));
const reactFree = modules.filter((module) => !forReact.includes(module));
/** The test kit needs Nest as well. */
const forNest = [name, `${name}/testing`];
const nestFree = reactFree.filter((module) => !forNest.includes(module));
let nodes;
if (tarball) {
  const waiting = Object.keys(PARTS).filter((part) => only?.includes(part) ?? true);
  const next = async () => {
    for (let part; (part = waiting.shift());) await PARTS[part]();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
}
report.finish();

async function checkContents() {
  await report.check('the tarball holds nothing from an earlier build', () =>
    nothing(staleFiles(tarball.files)),
  );
  await report.check('the tarball holds nothing that only developers need', () =>
    nothing(strayFiles(tarball.files)),
  );
  await report.check('the tarball holds every file that exports names', () =>
    nothing(missingTargets(exports, tarball.files)),
  );
  await report.check('the tarball holds the licences of the packages in our files', () =>
    nothing(missingLicences(ROOT, tarball.files)),
  );
  const structure = new Structure(ROOT, manifest, tarball);
  const rules = {
    'no entry point loads more files than it may': () => structure.tooManyFiles(),
    'what browsers may load needs nothing of Node': () => structure.nodeInBrowsers(),
    'no entry point but that of Nest loads Nest': () => structure.nestWithoutNest(),
    'an entry point reaches every program of the tarball': () => structure.unreachable(),
    'classes have the names of the sources': () => structure.renamedClasses(),
    'the package is small': () => structure.tooLarge(),
  };
  for (const [rule, offenders] of Object.entries(rules))
    await report.check(rule, () => nothing(offenders()));
  await report.check('publint and attw find nothing', () =>
    lint(tarball.path, join(CACHE, 'linters')),
  );
}

/** Every Node of the matrix that this machine can have, with the ways in which it loads modules. */
async function startNodes() {
  const started = [];
  for (const { version, nests } of MATRIX) {
    const node = await report.check(`Node ${version} starts, where npm has one`, () =>
      nodeOf(version, CACHE),
    );
    if (node === null)
      report.skip(`Node ${version}`, `npm has none for ${process.platform} on ${process.arch}`);
    if (!node) continue;
    const ways = (await canRequireModules(node)) ? ['import', 'require'] : ['import'];
    started.push({ version, nests, node, ways });
  }
  return started;
}

async function checkWithoutNest() {
  const programs = ['without-nest.mjs', 'browser.mjs'];
  const folders = {
    remix: await report.check('installs alone, without any peer', () =>
      consumer('alone', tarball.path, {
        programs: ['load.mjs', 'without-graphql.mjs', ...programs],
      }),
    ),
    express: await report.check('installs beside Express alone', () =>
      consumer('express-alone', tarball.path, { dependencies: { express: '^5.0.0' }, programs }),
    ),
  };
  const store = await report.check('a DevStore installs beside graphql alone', () =>
    consumer('store-alone', tarball.path, { dependencies: DEV_STORE, programs: ['platform.mjs'] }),
  );
  const { remix: alone } = folders;
  // It needs no package that Remix does not need.
  folders['react-router'] = alone;
  if (alone)
    await report.check('brings no types of other packages', () =>
      nothing(packagesIn(alone).filter((name) => name === '@types')),
    );
  for (const [host, folder] of Object.entries(folders))
    if (folder)
      await report.check(`an app for ${host} installs without Nest`, () =>
        nothing(packagesIn(folder).filter((name) => NEST.test(name))),
      );
  for (const { version, node, ways } of await (nodes ??= startNodes())) {
    if (alone) {
      await checkLoading(node, `Node ${version} without peers`, ways, nestFree, alone);
      await report.check(
        `Node ${version} without peers: a DevStore says which package its GraphQL needs`,
        () => run(node, ['without-graphql.mjs'], { cwd: alone, timeout: 60_000 }),
      );
    }
    for (const [host, cwd] of Object.entries(folders))
      if (cwd && store)
        await report.check(
          `Node ${version} without Nest: an app for ${host} installs, answers and gets a webhook`,
          () =>
            run(node, ['without-nest.mjs', host, join(store, 'platform.mjs')], {
              cwd,
              timeout: 60_000,
            }),
        );
  }
}

async function checkBesideNest() {
  await report.check(
    'an app of Express 4 installs, calls the Admin API and gets a webhook',
    async () => {
      const dependencies = { ...nestApp(11), ...DEV_STORE, express: '^4.18.0' };
      const folder = await consumer('express-4', tarball.path, {
        dependencies,
        programs: PROGRAMS,
      });
      await run(process.execPath, ['smoke.mjs'], { cwd: folder, timeout: 60_000 });
    },
  );
  const besideNest = {};
  for (const major of [11, 12]) {
    await report.check(
      `Nest ${major}: webhook handlers run behind its pipes and guards`,
      async () => {
        const dependencies = { ...nestApp(major), ...aroundHandlers(major) };
        const programs = ['handlers.mjs'];
        const folder = await consumer(`handlers-${major}`, tarball.path, {
          dependencies,
          programs,
        });
        await run(process.execPath, ['handlers.mjs'], { cwd: folder, timeout: 60_000 });
      },
    );
    besideNest[major] = await report.check(`installs beside Nest ${major}`, () =>
      consumer(`nest-${major}`, tarball.path, {
        dependencies: { ...nestApp(major), ...DEV_STORE },
        programs: PROGRAMS,
      }),
    );
  }
  for (const { version, nests, node, ways } of await (nodes ??= startNodes())) {
    for (const nest of nests) {
      const folder = besideNest[nest];
      if (!folder) continue;
      await checkLoading(node, `Node ${version}, Nest ${nest}`, ways, reactFree, folder);
      await report.check(
        `Node ${version}, Nest ${nest}: apps install, call the Admin API and get a webhook`,
        () => run(node, ['smoke.mjs'], { cwd: folder, timeout: 60_000 }),
      );
    }
  }
}

async function checkLoading(node, title, ways, names, folder) {
  for (const way of ways)
    await report.check(`${title}: ${way} of every subpath`, () =>
      run(node, ['load.mjs', way, ...names], { cwd: folder }),
    );
}

/** Apps that run the tests of the documentation; those of Nest 12 on a Node that it is made for. */
async function checkNestApps() {
  for (const [nest, version] of [
    [11, process.versions.node],
    [12, '24'],
  ]) {
    const node = await report.check(`Node ${version} starts, where npm has one`, () =>
      nodeOf(version, CACHE),
    );
    if (node === null) report.skip(`apps of Nest ${nest}`, 'npm has no such Node');
    if (!node) continue;
    const folder = await report.check(`apps of Nest ${nest} install`, () =>
      installNestApps(nest, tarball.path),
    );
    if (!folder) continue;
    for (const [title, app] of Object.entries(NEST_APPS))
      if (app.nest === nest)
        await report.check(`${title}: the tests of the documentation pass`, () =>
          runNestApp(title, node, folder),
        );
  }
}

async function checkTypes() {
  await report.check(
    'the compiler knows the typed resources of the options, and those that are registered',
    async () => {
      const folder = await typedConsumer('types');
      for (const project of ['tsconfig.json', 'tsconfig.registered.json'])
        await compile(folder, project);
    },
  );
  await report.check(
    'what the toolkit hands out has a name in the declarations of an app',
    async () => {
      const folder = await typedConsumer('types');
      await compile(folder, 'tsconfig.handed-out.json');
      const found = unnamed(folder, reactFree);
      if (found.length > 0) throw new Error(found.join('\n'));
    },
  );
  await report.check(
    'the declarations of every subpath are whole, without a driver, Express or its types',
    async () => {
      const folder = await typedConsumer('declarations');
      writeFileSync(
        join(folder, 'every-subpath.ts'),
        reactFree.map((module) => `import '${module}';\n`).join(''),
      );
      await compile(folder, 'tsconfig.json');
    },
  );
  for (const major of [4, 5]) {
    await report.check(`the middleware fits the types of Express ${major}`, async () => {
      const folder = await typedConsumer(
        'express',
        { '@types/express': `^${major}.0.0` },
        `express-${major}-types`,
      );
      await compile(folder, 'tsconfig.json');
    });
  }
}

async function checkBrowserBundles() {
  const folder = await report.check('installs beside Vite alone', () =>
    consumer('browser', tarball.path, { dependencies: { vite: '^8.0.0' } }),
  );
  if (!folder) return;
  addFixture(folder, 'browser');
  const chromium = chromiumPath();
  if (!chromium) report.skip('the clients in a browser', 'no Chromium, nor CHROMIUM= to name one');
  for (const [bundler, bundle] of Object.entries(BUNDLERS)) {
    for (const [entry, answer] of Object.entries(ANSWERS)) {
      const title = `${entry} bundled by ${bundler}`;
      const files = await report.check(`${title} holds nothing of Node`, async () => {
        const bundled = await bundle(folder, entry);
        nothing(nodeModulesIn(bundled));
        return bundled;
      });
      if (!files) continue;
      await report.check(`${title} is small`, () => {
        const size = initialSize(files);
        const most = MOST_FOR_BROWSERS[entry];
        if (size > most) throw new Error(`${size} bytes of ${most}`);
      });
      if (chromium)
        await report.check(`${title} runs a query in Chromium`, async () =>
          assert.deepEqual(await askInBrowser(chromium, files), answer),
        );
    }
  }
}

async function checkReact() {
  const chromium = chromiumPath();
  if (!chromium) report.skip('React in a browser', 'no Chromium, nor CHROMIUM= to name one');
  for (const [title, { router, dependencies, flags, node }] of Object.entries(REACT_APPS)) {
    const folder = await report.check(`${title}: installs`, () =>
      consumer(title.toLowerCase().replaceAll(' ', '-'), tarball.path, { dependencies, flags }),
    );
    if (!folder) continue;
    addFixture(folder, 'react');
    const rendered = await report.check(`${title}: the server renders the components`, async () => {
      const program = node ? await nodeOf(node, CACHE) : process.execPath;
      const rendered = await renderOnServer(program, folder, router);
      checkRendered(rendered);
      return rendered;
    });
    if (rendered && chromium)
      await report.check(`${title}: Chromium takes the pages over without a warning`, () =>
        hydrate(chromium, folder, router, rendered.pages),
      );
  }
  await checkRouteBundles(chromium);
}

/** Routes import from entry points of the server, and are shipped to browsers. */
async function checkRouteBundles(chromium) {
  const dependencies = { vite: '^8.0.0', react: '^19.0.0' };
  const folder = await report.check('installs beside Vite and React', () =>
    consumer('route-bundles', tarball.path, { dependencies }),
  );
  if (!folder) return;
  addFixture(folder, 'react');
  for (const [bundler, bundle] of Object.entries(BUNDLERS))
    for (const entry of ROUTE_BUNDLES)
      await report.check(`${entry} bundled by ${bundler} has no server, and runs`, async () => {
        const files = await bundle(folder, entry);
        nothing(nodeModulesIn(files));
        const size = initialSize(files);
        if (size > MOST_FOR_ROUTES) throw new Error(`${size} bytes of ${MOST_FOR_ROUTES}`);
        if (chromium) assert.deepEqual(await askInBrowser(chromium, files), ROUTE_ANSWER);
      });
}

/** The examples of the routers, built by this Node and served by newer ones. */
async function checkExamples() {
  const { EXAMPLES } = await import('../../scripts/demo-examples.mjs');
  for (const version of ['24', '26']) {
    const node = await report.check(`Node ${version} starts, where npm has one`, () =>
      nodeOf(version, CACHE),
    );
    if (!node) continue;
    for (const name of ['remix-app', 'react-router-app'])
      await report.check(`${name} is built with Vite and served by Node ${version}`, async () => {
        const { start, walk } = EXAMPLES[name];
        const demo = await start({ storePort: 0, appPort: await freePort(0), node });
        assert.ok(await walk(demo).finally(() => demo.close()), 'the walk fails');
      });
  }
}

/** The object of web requests on other runtimes than Node, and Express where it runs. */
async function checkRuntimes() {
  const folder = await report.check('an app for web requests installs', () =>
    runtimesConsumer(tarball.path),
  );
  if (!folder) return;
  for (const [title, { parsedWebhook }] of Object.entries(RUNTIMES)) {
    const binary = await report.check(`${title} starts, where npm has it`, () =>
      runtimeOf(title, CACHE),
    );
    if (binary === null)
      report.skip(title, `npm has none for ${process.platform} on ${process.arch}`);
    if (!binary) continue;
    await report.check(
      `${title}: an app installs, shows a page, gets webhooks, has an app proxy, and says what is missing`,
      () => walkOn(title, binary, folder),
    );
    if (parsedWebhook)
      await report.check(`${title}: Express gets a webhook, or says why it cannot`, () =>
        receiveOverExpress(title, binary, folder),
      );
  }
}

/** From `npm init` on, as the README says. */
async function checkQuickStarts() {
  const node = await report.check('Node 24 starts', () => nodeOf('24', CACHE));
  const store = await report.check('a DevStore installs for the quick starts', () =>
    consumer('quick-start-store', tarball.path, {
      dependencies: DEV_STORE,
      programs: ['quick-start.mjs', 'browser.mjs', 'store-network.mjs'],
    }),
  );
  if (!node || !store) return;
  for (const [name, { page }] of Object.entries(QUICK_STARTS))
    await report.check(`the quick start of ${name} leads to its page in the admin`, async () => {
      const said = await follow(name, { tarball: tarball.path, node, store });
      if (!page.test(said)) throw new Error(`The page says: ${said}`);
    });
  await report.check(
    'the pages for Nest lead from an empty folder to an app that is guarded, billed and tested',
    async () => {
      const { page, tests } = await walkAsNewcomer({ tarball: tarball.path, node, store });
      assert.match(page, /^\{"products":\{"nodes":\[/m);
      assert.match(tests, /\bpass 3\n/);
      assert.match(tests, /\bfail 0\n/);
    },
  );
}

/** An app of Nest 12 in TypeScript, with a fixture in it. */
async function typedConsumer(fixture, types = {}, name = fixture) {
  const { express: _, ...nest } = nestApp(12);
  const dependencies = { ...nest, ...types, '@types/node': '^20.0.0', typescript: '~5.9.0' };
  const folder = await consumer(name, tarball.path, { dependencies });
  addFixture(folder, fixture);
  return folder;
}

function compile(folder, project) {
  return run(process.execPath, ['node_modules/typescript/bin/tsc', '-p', project], { cwd: folder });
}

/** The names of the packages and scopes of a folder, those below other packages included. */
function packagesIn(folder) {
  return readdirSync(folder, { recursive: true })
    .map((path) => path.split(sep))
    .filter((path) => path.at(-2) === 'node_modules')
    .map((path) => path.at(-1));
}

function nothing(offenders) {
  if (offenders.length > 0) throw new Error(`Unexpected: ${offenders.join(', ')}`);
}
