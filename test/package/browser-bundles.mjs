// What an app for browsers makes of the clients: bundled as users do, measured, and run.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { CHROMIUM_FLAGS } from '../support/chromium.mjs';

const SHOP = { shop: { name: 'Test' } };
const part = (value) =>
  `\r\n--part\r\ncontent-type: application/json\r\n\r\n${JSON.stringify(value)}`;
const PARTS = [
  part({ data: SHOP, hasNext: true }),
  `${part({ incremental: [{ path: ['shop'], data: { id: 1 } }], hasNext: false })}\r\n--part--`,
];

/** The bundlers, each as `(folder, entry) => files`: `{ name, code, imports, isEntry }`. */
export const BUNDLERS = {
  esbuild: async (folder, entry) => {
    const { build } = await import('esbuild');
    const { metafile, outputFiles } = await build({
      absWorkingDir: folder,
      entryPoints: [entry],
      outdir: 'out',
      ...{ bundle: true, splitting: true, minify: true, write: false, metafile: true },
      ...{ format: 'esm', platform: 'browser', logLevel: 'silent' },
    });
    return Object.entries(metafile.outputs).map(([path, { imports, entryPoint }], index) => ({
      name: path.slice('out/'.length),
      code: outputFiles[index].text,
      imports: imports
        .filter(({ kind }) => kind === 'import-statement')
        .map(({ path: imported }) => imported.slice('out/'.length)),
      isEntry: entryPoint === entry,
    }));
  },
  Vite: async (folder, entry) => {
    const manifest = pathToFileURL(join(folder, 'node_modules/vite/dist/node/index.js'));
    const { build } = await import(manifest.href);
    const warnings = [];
    const { NODE_ENV } = process.env;
    const { output } = await build({
      root: folder,
      ...{ configFile: false, logLevel: 'silent', base: './' },
      build: {
        ...{ write: false, minify: true, modulePreload: false, target: 'es2022' },
        rollupOptions: {
          input: join(folder, entry),
          onwarn: ({ message }) => warnings.push(message),
        },
      },
    });
    // Vite has set it, and npm installs no development dependencies in production.
    if (NODE_ENV === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = NODE_ENV;
    assert.deepEqual(warnings, []);
    return output.map(({ fileName, code, imports, isEntry }) => ({
      ...{ name: fileName, code, imports, isEntry },
    }));
  },
};

/** Bytes that a browser loads before the first query: the entry with all that it imports. */
export function initialSize(files) {
  const loaded = new Set();
  const load = (file) => {
    if (loaded.has(file)) return;
    loaded.add(file);
    for (const name of file.imports) load(files.find((other) => other.name === name));
  };
  load(files.find(({ isEntry }) => isEntry));
  return [...loaded].reduce((sum, { code }) => sum + Buffer.byteLength(code), 0);
}

/** Modules of Node in what was bundled, or what a bundler puts in their place. */
export function nodeModulesIn(files) {
  const found = /(?:from|import|import\()\s*["'`](node:[\w/]+)|__vite-browser-external/g;
  return files.flatMap(({ name, code }) =>
    [...code.matchAll(found)].map(([match]) => `${name}: ${match}`),
  );
}

/** Runs `ask()` of a bundle in Chromium, against a store of the same origin. */
export async function askInBrowser(executablePath, files) {
  let queries = 0;
  const server = createServer(async (request, response) => {
    const name = request.url.slice('/files/'.length);
    const file = request.url.startsWith('/files/') && files.find((one) => one.name === name);
    if (file) return response.writeHead(200, { 'content-type': 'text/javascript' }).end(file.code);
    if (!request.url.endsWith('/2026-07/graphql.json'))
      return response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html>');
    let body = '';
    for await (const chunk of request) body += chunk;
    if (body.includes('@defer')) {
      response.writeHead(200, { 'content-type': 'multipart/mixed; boundary="part"' });
      for (const text of PARTS) response.write(text);
      return response.end();
    }
    queries += 1;
    if (queries === 1) return response.writeHead(503, { 'retry-after': '0' }).end('busy');
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ data: SHOP }));
  });
  await new Promise((resolve) => server.listen(0, 'localhost', resolve));
  const { chromium } = await import('playwright-core');
  const browser = await chromium.launch({ executablePath, args: CHROMIUM_FLAGS });
  try {
    const page = await browser.newPage();
    const host = `localhost:${server.address().port}`;
    await page.goto(`http://${host}/`);
    const { name } = files.find(({ isEntry }) => isEntry);
    return await page.evaluate(
      async ([entry, store]) => {
        await import(entry);
        return globalThis.ask(store);
      },
      [`http://${host}/files/${name}`, host],
    );
  } finally {
    await browser.close();
    server.closeAllConnections();
    server.close();
  }
}

/** What `ask()` of each fixture answers. */
export const ANSWERS = {
  'storefront.js': { data: SHOP, message: null, items: [SHOP, { shop: { name: 'Test', id: 1 } }] },
  'admin.js': { data: SHOP, message: null },
};
