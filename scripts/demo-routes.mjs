// Starts the examples of the routers, which are projects with dependencies of their own, beside a
// simulated store.
import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { newest } from './build.mjs';
import { runBesideStore } from './demo-program.mjs';
import { ROOT, isInstalled, npm } from './install.mjs';

/** Where the storefront has the pages of both apps. */
const APP_PROXY = { url: '/apps/wishes', subpath: 'wishes' };
const SCOPES = 'write_products,unauthenticated_read_product_listings,write_app_proxy';
const BUILT = 'build/server/index.js';
const QUIETLY = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];

/** Installs and builds an example, if need be, and starts it. See {@link runBesideStore}. */
export function startDemo(name, ports) {
  const folder = prepare(name);
  const env = {
    ...{ NODE_ENV: 'production', SCOPES },
    SHOPIFY_APP_URL: `http://localhost:${ports.appPort}`,
  };
  const program = { args: ['server.mjs'], cwd: folder, env, appProxy: APP_PROXY };
  return runBesideStore(program, ports);
}

/** A folder that is installed and built. */
function prepare(name) {
  const folder = `${ROOT}examples/${name}/`;
  const changed = install(folder, name);
  const sources = ['app', 'package.json', 'vite.config.ts', 'react-router.config.ts'];
  const built = statSync(join(folder, BUILT), { throwIfNoEntry: false })?.mtimeMs ?? 0;
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
