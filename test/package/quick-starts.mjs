import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CONSUMERS, addFixture } from './consumers.mjs';
import { run } from './programs.mjs';
import { codeBlocks } from './readme.mjs';

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
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const env = { PATH: [dirname(node), process.env.PATH].join(delimiter) };
  const shell = (command) =>
    run('sh', ['-c', command.replace(' shopwright ', ` file:${tarball} `)], { cwd: folder, env });
  await QUICK_STARTS[heading].build({ heading: `### ${heading}`, folder, shell });
  copyFileSync(join(HERE, 'store-network.mjs'), join(folder, 'store-network.mjs'));
  return run(process.execPath, ['quick-start.mjs', folder, node], { cwd: store, timeout: 90_000 });
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
