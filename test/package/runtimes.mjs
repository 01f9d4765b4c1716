// Runtimes other than Node that serve web requests: each runs an app of the fixture `runtimes`,
// beside a simulated store in Node.
import assert from 'node:assert/strict';
import { join } from 'node:path';

import { freePort } from '../../scripts/free-port.mjs';
import { addFixture, consumer } from './consumers.mjs';
import { binaryOf } from './nodes.mjs';
import { run } from './programs.mjs';

const { platform, arch } = process;
const EXE = platform === 'win32' ? '.exe' : '';
const WITHOUT_NEST =
  /npm install @nestjs\/common @nestjs\/core reflect-metadata rxjs|Nest does not run on Workers/;

/**
 * The packages that hold the binaries, which their main packages would choose in an install script;
 * how each serves the app; and what it says of what it does not have.
 */
export const RUNTIMES = {
  Deno: {
    name: `@deno/${platform}-${arch}${platform === 'linux' ? '-glibc' : ''}`,
    ...{ version: '2.9.6', path: `deno${EXE}` },
    program: ['run', '--allow-all', '--no-prompt'],
    args: (port) => ['serve', '--allow-all', '--no-prompt', `--port=${port}`, 'server.js'],
    noSqlite: /Run: npm install libsql/,
    /** It publishes the event by which bodies are copied. */
    parsedWebhook: 200,
  },
  Bun: {
    // The one for every processor.
    name: `@oven/bun-${platform === 'win32' ? 'windows' : platform}-${
      arch === 'arm64' ? 'aarch64' : 'x64-baseline'
    }`,
    ...{ version: '1.4.5', path: `bin/bun${EXE}` },
    program: ['run'],
    args: () => ['run', 'server.js'],
    noSqlite: /Run: npm install libsql/,
    parsedWebhook: 500,
  },
  workerd: {
    name: `@cloudflare/workerd-${platform === 'win32' ? 'windows' : platform}-${
      arch === 'arm64' ? arch : '64'
    }`,
    ...{ version: '1.20261117.1', path: `bin/workerd${EXE}` },
    build: bundleForWorkers,
    args: (port) => ['serve', 'worker.capnp', `--socket-addr=http=localhost:${port}`],
    noSqlite: /Workers have neither/,
  },
};

/** The binary of a runtime; `null` when npm has none for this machine. */
export function runtimeOf(title, cache) {
  const { name, version, path } = RUNTIMES[title];
  return binaryOf({ name, version, path, folder: join(cache, `${title}-${version}`) });
}

/** A project with the app, and with Express for those that run it. Answers its folder. */
export async function runtimesConsumer(tarball) {
  const folder = await consumer('runtimes', tarball, { dependencies: { express: '^5.0.0' } });
  addFixture(folder, 'runtimes');
  return folder;
}

/** Workers end the timers of a request with it. */
const steps = (ask) => [
  [
    'Limits: a call that is not answered ends, also when one of an earlier request had a shorter limit',
    async () => {
      assert.equal(await (await ask('/api/limited')).text(), 'answered');
      assert.match(await (await ask('/api/limited?never')).text(), /^ERR_HTTP_TIMEOUT$/);
    },
  ],
];

/** Walks through the app; then what the runtime does not have has to be refused, with reasons. */
export async function walkOn(title, binary, folder) {
  const { runBesideStore } = await import('../../scripts/demo-program.mjs');
  const { walk } = await import('../../scripts/demo-fetch-walk.mjs');
  const { args, build, noSqlite } = RUNTIMES[title];
  await build?.(folder);
  const appPort = await freePort();
  const appProxy = { url: '/proxy', subpath: 'hello' };
  const demo = await runBesideStore(
    { args: args(appPort), cwd: folder, appProxy },
    { storePort: 0, appPort, node: binary },
  );
  try {
    assert.ok(await walk(demo, { proxied: '/apps/hello', steps }), 'the walk fails');
    const { sqlite, modules } = await (await fetch(`${demo.appUrl}/refusals`)).json();
    assert.equal(sqlite.code, 'ERR_DRIVER_MISSING');
    assert.match(sqlite.message, noSqlite);
    assert.equal(modules.code, 'ERR_BOOT_FAILED');
    assert.match(modules.message, WITHOUT_NEST);
  } finally {
    await demo.close();
  }
}

/** An app of Express on a runtime that has Node's HTTP server. */
export function receiveOverExpress(title, binary, folder) {
  const { program, parsedWebhook } = RUNTIMES[title];
  return run(binary, [...program, 'express.js', String(parsedWebhook)], {
    cwd: folder,
    timeout: 60_000,
  });
}

/** One file, with the conditions that Cloudflare's own tool gives to esbuild. */
async function bundleForWorkers(folder) {
  const { build } = await import('esbuild');
  const { warnings } = await build({
    absWorkingDir: folder,
    ...{ entryPoints: ['server.js'], outfile: 'worker.bundle.js', bundle: true },
    ...{ format: 'esm', platform: 'node', conditions: ['workerd', 'worker', 'browser'] },
    external: ['libsql'],
    logLevel: 'silent',
  });
  assert.deepEqual(warnings, []);
}
