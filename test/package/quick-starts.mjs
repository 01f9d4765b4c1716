import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CONSUMERS, addFixture } from './consumers.mjs';
import { run } from './programs.mjs';
import { blocksOf, codeBlocks } from './pages.mjs';

const HERE = dirname(fileURLToPath(import.meta.url));
const SHOP_NAME = /\{"shop":\{"name":/;

/**
 * The quick starts of the README by heading: how the code in it becomes an `app.js`, and what its
 * page says in the admin.
 */
export const QUICK_STARTS = {
  NestJS: { build: compile, page: SHOP_NAME },
  Express: { build: compile, page: /<h1>Installed<\/h1>/ },
  'Remix and React Router': { build: bundleRoutes, page: SHOP_NAME },
};

/**
 * Follows a quick start in an empty folder: its commands, its settings, its code. Answers what the
 * page of the app says inside the admin of a simulated store.
 * @param store a consumer's folder that holds `quick-start.mjs` and what a DevStore needs
 */
export async function follow(heading, { tarball, node, store }) {
  const folder = join(CONSUMERS, `quick-start-${heading.toLowerCase().replaceAll(' ', '-')}`);
  const shell = newcomer({ folder, tarball, node });
  await QUICK_STARTS[heading].build({ heading: `### ${heading}`, folder, shell });
  return open({ folder, node, store, program: 'app.js', path: '/' });
}

/**
 * Follows the pages for Nest in an empty folder, block by block in their order: from `npm init` over
 * an app that runs to its tests. What a page does not say is not there. Answers what the app says in
 * the admin and what the tests say at last.
 * @param store a consumer's folder that holds `quick-start.mjs` and what a DevStore needs
 */
export async function walkAsNewcomer({ tarball, node, store }) {
  const folder = join(CONSUMERS, 'newcomer');
  const shell = newcomer({ folder, tarball, node });
  const tests = blocksOf('docs/testing.md');
  const runners = tests.findIndex(({ heading }) => heading === '### Vitest');
  const blocks = [
    ...blocksOf('docs/nestjs.md').filter(({ heading }) => heading === '## Getting started'),
    ...tests.slice(0, runners),
  ];
  let page;
  let last;
  for (const { language, code, path } of blocks)
    if (language === 'sh')
      for (const command of code.split('\n')) {
        // It runs until it is stopped: started and asked beside a store, as in every quick start.
        const [, build, program] = /^(.*) && node (dist\/main\.js)$/.exec(command) ?? [];
        await shell(build ?? command);
        if (program) page = await open({ folder, node, store, program, path: '/products' });
        else last = command;
      }
    else if (path) {
      mkdirSync(join(folder, dirname(path)), { recursive: true });
      writeFileSync(join(folder, path), code);
    }
  return { page, tests: await shell(last) };
}

/** Makes an empty folder. Answers what runs a command there, in which the tarball is the package. */
function newcomer({ folder, tarball, node }) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const env = { PATH: [dirname(node), process.env.PATH].join(delimiter) };
  return (command) =>
    run('sh', ['-c', command.replace(' shopwright ', ` file:${tarball} `)], { cwd: folder, env });
}

/** Starts a program beside a simulated store. Answers what a path of it says in the admin. */
function open({ folder, node, store, program, path }) {
  copyFileSync(join(HERE, 'store-network.mjs'), join(folder, 'store-network.mjs'));
  return run(process.execPath, ['quick-start.mjs', folder, node, program, path], {
    cwd: store,
    timeout: 90_000,
  });
}

/** A program of one file. Only its port is another one. */
async function compile({ heading, folder, shell }) {
  const [commands] = codeBlocks(heading, 'sh');
  for (const command of commands.split('\n')) await shell(command);
  const [settings] = codeBlocks(heading, 'json');
  writeFileSync(join(folder, 'tsconfig.json'), settings);
  const [code] = codeBlocks(heading, 'ts');
  writeFileSync(join(folder, 'app.ts'), code.replace('3000', 'Number(process.env.PORT)'));
  await shell('npx tsc');
}

/** Routes in a project that React Router's own command has made: here without its pages. */
async function bundleRoutes({ heading, folder, shell }) {
  await shell('npm init -y && npm pkg set type=module');
  await shell('npm install react react-router esbuild');
  const [, install] = codeBlocks(heading, 'sh')[0].split('\n');
  await shell(install);
  const [server, route] = codeBlocks(heading, 'ts');
  mkdirSync(join(folder, 'app', 'routes'), { recursive: true });
  writeFileSync(join(folder, 'app', 'shopify.server.ts'), server);
  for (const name of ['app._index', 'auth.$'])
    writeFileSync(join(folder, 'app', 'routes', `${name}.tsx`), route);
  const options = '--bundle --splitting --platform=node --format=esm --packages=external';
  await shell(
    `npx esbuild 'app/routes/app._index.tsx' 'app/routes/auth.$.tsx' ${options} --outdir=build`,
  );
  addFixture(folder, 'quick-start-react-router');
}
