import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CONSUMERS } from './consumers.mjs';
import { run } from './programs.mjs';
import { blocksBelow, blocksOf, codeBlocks } from './pages.mjs';

const HERE = dirname(fileURLToPath(import.meta.url));
const SHOP_NAME = /\{"shop":\{"name":/;

/**
 * React Router's command fetches its template from GitHub. This one has the same files as far as a
 * quick start may touch them: the same scripts, routes listed in `app/routes.ts`, a page of its own.
 */
const TEMPLATE = join(HERE, 'fixtures', 'quick-start-react-router');

/**
 * The quick starts of the README by heading: how the code in it becomes a program, and what its
 * page says in the admin.
 */
export const QUICK_STARTS = {
  NestJS: { build: compile, page: SHOP_NAME },
  Express: { build: compile, page: /<h1>Installed<\/h1>/ },
  'Remix and React Router': { build: fillTemplate, page: SHOP_NAME },
};

/**
 * Follows a quick start in an empty folder: its commands, its settings, its code. Answers what the
 * page of the app says inside the admin of a simulated store.
 * @param store a consumer's folder that holds `quick-start.mjs` and what a DevStore needs
 */
export async function follow(heading, { tarball, node, store }) {
  const name = `quick-start-${heading.toLowerCase().replaceAll(' ', '-')}`;
  const folder = emptyFolder(join(CONSUMERS, name));
  const app = await QUICK_STARTS[heading].build({
    heading: `### ${heading}`,
    folder,
    shell: shellOf({ tarball, node }),
  });
  return open({ ...app, node, store, path: '/' });
}

/**
 * Follows the pages for Nest in an empty folder, block by block in their order: from `npm init` over
 * an app that runs to its tests. What a page does not say is not there. Answers what the app says in
 * the admin and what the tests say at last.
 * @param store a consumer's folder that holds `quick-start.mjs` and what a DevStore needs
 */
export async function walkAsNewcomer({ tarball, node, store }) {
  const folder = emptyFolder(join(CONSUMERS, 'newcomer'));
  const shell = shellOf({ tarball, node });
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
        await shell(folder, build ?? command);
        if (program)
          page = await open({ folder, node, store, program: [program], path: '/products' });
        else last = command;
      }
    else if (path) writeBlock(folder, { path, code });
  return { page, tests: await shell(folder, last) };
}

function emptyFolder(folder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** Answers what runs a command of a page in a folder; the tarball is the package there. */
function shellOf({ tarball, node }) {
  const PATH = [dirname(node), process.env.PATH].join(delimiter);
  const env = { PATH, npm_config_yes: 'true' };
  return (folder, command) =>
    run('sh', ['-c', command.replace(' shopwright ', ` file:${tarball} `)], { cwd: folder, env });
}

/** Starts a program beside a simulated store. Answers what a path of it says in the admin. */
function open({ folder, node, store, program, path }) {
  copyFileSync(join(HERE, 'store-network.mjs'), join(folder, 'store-network.mjs'));
  return run(process.execPath, ['quick-start.mjs', folder, node, path, ...program], {
    cwd: store,
    timeout: 90_000,
  });
}

function writeBlock(folder, { path, code }) {
  mkdirSync(join(folder, dirname(path)), { recursive: true });
  writeFileSync(join(folder, path), code);
}

/** A program of one file. Only its port is another one. */
async function compile({ heading, folder, shell }) {
  const [commands] = codeBlocks(heading, 'sh');
  for (const command of commands.split('\n')) await shell(folder, command);
  const [settings] = codeBlocks(heading, 'json');
  writeFileSync(join(folder, 'tsconfig.json'), settings);
  const [code] = codeBlocks(heading, 'ts');
  writeFileSync(join(folder, 'app.ts'), code.replace('3000', 'Number(process.env.PORT)'));
  await shell(folder, 'npx tsc');
  return { folder, program: ['app.js'] };
}

/** A project of React Router's own command, in which the blocks are the files that they name. */
async function fillTemplate({ heading, folder, shell }) {
  const [generate, install] = codeBlocks(heading, 'sh')[0].split('\n');
  const [, command, name] = /^(npx create-react-router@latest (\S+)) && cd \2$/.exec(generate);
  await shell(folder, `${command} --template '${TEMPLATE}' --yes --no-install --no-git-init`);
  const project = join(folder, name);
  await shell(project, install);
  for (const block of blocksBelow(heading)) if (block.path) writeBlock(project, block);
  await shell(project, 'npm run build');
  // What `npm start` runs there.
  const program = ['node_modules/@react-router/serve/bin.cjs', 'build/server/index.js'];
  return { folder: project, program };
}
