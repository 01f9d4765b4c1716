// Starts the examples that are projects with dependencies of their own, beside a simulated store.
import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { newest } from './build.mjs';
import { runBesideStore } from './demo-program.mjs';
import { ROOT, isInstalled, npm } from './install.mjs';

/** Where the storefront has the pages of both routers' apps. */
const WISHES = { url: '/apps/wishes', subpath: 'wishes' };
const STOREFRONT = ',write_app_proxy,unauthenticated_read_product_listings';
/** What serves each, what its build has written, and what the store has to know. */
const PROJECTS = {
  'remix-app': { program: 'server.mjs', built: 'build/server/index.js', appProxy: WISHES },
  'react-router-app': { program: 'server.mjs', built: 'build/server/index.js', appProxy: WISHES },
  'hono-app': {
    ...{ program: 'build/main.js', built: 'build/main.js' },
    appProxy: { url: '/proxy', subpath: 'hello' },
  },
};
const QUIETLY = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];

/** Installs and builds an example, if need be, and starts it. See {@link runBesideStore}. */
export function startDemo(name, ports) {
  const { program, appProxy } = PROJECTS[name];
  const folder = prepare(name);
  const env = {
    ...{ NODE_ENV: 'production', SCOPES: `write_products${STOREFRONT}` },
    SHOPIFY_APP_URL: `http://localhost:${ports.appPort}`,
  };
  return runBesideStore({ args: [program], cwd: folder, env, appProxy }, ports);
}

/** A folder that is installed and built. */
function prepare(name) {
  const folder = `${ROOT}examples/${name}/`;
  const changed = install(folder, name);
  const sources = ['app', 'src', 'package.json', 'vite.config.ts', 'react-router.config.ts'];
  const built =
    statSync(join(folder, PROJECTS[name].built), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (changed || Math.max(...sources.map((source) => newest(join(folder, source)))) > built) {
    console.log(`Building ${name} …`);
    npmIn(folder, 'run', '--silent', 'build');
  }
  return folder;
}

/**
 * Installs what the lock file of an example names, and the toolkit as it was built last, packed as
 * for a registry: a link would take its React from the repository. Answers whether there was
 * anything to do.
 */
function install(folder, name) {
  const toolkit = join(folder, 'node_modules', 'shopwright', 'package.json');
  const installed = statSync(toolkit, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const complete = isInstalled(folder);
  const built = Math.max(newest(join(ROOT, 'dist')), newest(join(ROOT, 'package.json')));
  if (complete && built <= installed) return false;
  console.log(`Installing the dependencies of ${name} …`);
  if (!complete) npmIn(folder, 'ci', ...QUIETLY);
  const packed = mkdtempSync(join(tmpdir(), 'shopwright-demo-'));
  try {
    npmIn(ROOT, 'pack', '--ignore-scripts', '--pack-destination', packed);
    const [tarball] = readdirSync(packed);
    npmIn(folder, 'install', '--no-save', ...QUIETLY, join(packed, tarball));
  } finally {
    rmSync(packed, { recursive: true });
  }
  // Packed files are as old as every package's.
  utimesSync(toolkit, new Date(), new Date());
  return true;
}

/** Runs npm, and shows what it says only when it fails. */
function npmIn(cwd, ...args) {
  const { status, stdout, stderr } = npm(args, { cwd, stdio: 'pipe', encoding: 'utf8' });
  if (status === 0) return;
  throw new Error(`npm ${args.join(' ')} ended with ${status}:\n${stdout}${stderr}`);
}
