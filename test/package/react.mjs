// What an app makes of the React components: rendered by its server, taken over by its browser.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';

import { CHROMIUM_FLAGS } from '../support/chromium.mjs';
import { run } from './programs.mjs';

/** The apps: what each installs, and the routes of the fixture that it has. */
export const REACT_APPS = {
  'Remix with React 18': {
    router: 'remix',
    dependencies: {
      ...{ '@remix-run/react': '^2.17.0', '@shopify/polaris': '^13.9.0' },
      ...{ react: '^18.3.0', 'react-dom': '^18.3.0' },
    },
  },
  'Remix with React 19': {
    router: 'remix',
    dependencies: {
      ...{ '@remix-run/react': '^2.17.0', '@shopify/polaris': '^13.9.0' },
      ...{ react: '^19.0.0', 'react-dom': '^19.0.0' },
    },
    // Both packages ask for React 18, and run with 19.
    flags: ['--legacy-peer-deps'],
  },
  'React Router 7 with React 18': {
    router: 'react-router',
    dependencies: { 'react-router': '^7.9.0', react: '^18.3.0', 'react-dom': '^18.3.0' },
  },
  'React Router 7 with React 19': {
    router: 'react-router',
    dependencies: { 'react-router': '^7.9.0', react: '^19.0.0', 'react-dom': '^19.0.0' },
  },
  'React Router 8 with React 19': {
    router: 'react-router',
    dependencies: { 'react-router': '^8.4.0', react: '^19.2.0', 'react-dom': '^19.2.0' },
    node: '24',
  },
};

/** What a route imports of an entry point, and what `ask()` of each bundle answers. */
export const ROUTE_BUNDLES = ['bundle-remix.js', 'bundle-react-router.js'];
export const ROUTE_ANSWER = {
  ...{ refusal: 'ERR_SERVER_ONLY', isElement: true, html: 'Gone', problem: 'MISSING_SHOP' },
};

const PATHS = ['/', '/second', '/proxy', '/outside'];
const ENVIRONMENT = { 'process.env.NODE_ENV': '"development"' };

/** The pages of an app as its server renders them, by path. */
export async function renderOnServer(node, folder, router) {
  const { build } = await import('esbuild');
  await build({
    absWorkingDir: folder,
    entryPoints: ['server.jsx'],
    outfile: 'server.js',
    ...{ bundle: true, platform: 'node', format: 'esm', packages: 'external', jsx: 'automatic' },
    alias: { '#router': `./${router}.server.jsx` },
    logLevel: 'silent',
  });
  const env = { NODE_ENV: 'development', NODE_OPTIONS: '--disable-warning=ExperimentalWarning' };
  const output = await run(node, ['server.js', ...PATHS], { cwd: folder, env });
  return JSON.parse(output);
}

/** What a server says of the pages is right. */
export function checkRendered({ pages, complaints }) {
  assert.deepEqual(complaints, []);
  assert.match(pages['/'], /<script src="\/app-bridge\.js" data-api-key="key"><\/script>/);
  assert.match(pages['/'], /<p id="first">First page<\/p>/);
  assert.match(pages['/proxy'], /^<base href="https:\/\/app\.example\.com\/"\/?>/);
  assert.equal(attributeOf(pages['/proxy'], 'link', 'href'), '/apps/reviews/?page=2');
  assert.equal(attributeOf(pages['/proxy'], 'slashed', 'href'), '/apps/reviews/');
  assert.equal(attributeOf(pages['/proxy'], 'elsewhere', 'href'), 'https://example.com/a');
  assert.equal(attributeOf(pages['/proxy'], 'form', 'action'), '/apps/reviews/');
  assert.equal(
    pages['/outside'],
    'MissingProviderError: AppProxyLink must be used within an AppProxyProvider component',
  );
}

function attributeOf(html, id, name) {
  const [tag] = new RegExp(`<[a-z]+ [^>]*id="${id}"[^>]*>`).exec(html) ?? [];
  return new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1];
}

/** Takes the pages over in Chromium, in a development build of React, which reports every doubt. */
export async function hydrate(executablePath, folder, router, pages) {
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
    absWorkingDir: folder,
    entryPoints: ['client.jsx'],
    ...{ bundle: true, write: false, platform: 'browser', format: 'esm', jsx: 'automatic' },
    alias: { '#router': `./${router}.jsx` },
    define: ENVIRONMENT,
    loader: { '.css': 'empty' },
    logLevel: 'silent',
  });
  const files = {
    '/client.js': outputFiles[0].text,
    '/app-bridge.js': 'globalThis.apiKey = document.currentScript.dataset.apiKey;',
    '/polaris.js': '',
  };
  const server = createServer((request, response) => {
    const path = request.url.split('?', 1)[0];
    if (path in files)
      return response.writeHead(200, { 'content-type': 'text/javascript' }).end(files[path]);
    const origin = `http://${request.headers.host}`;
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(
        `<!doctype html><link rel="icon" href="data:,"><script type="module" src="${origin}/client.js"></script><div id="root">${pages[path] ?? ''}</div>`,
      );
  });
  await new Promise((resolve) => server.listen(0, 'localhost', resolve));
  const { chromium } = await import('playwright-core');
  const browser = await chromium.launch({ executablePath, args: CHROMIUM_FLAGS });
  try {
    const page = await browser.newPage();
    page.setDefaultTimeout(15_000);
    const problems = [];
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('console', (message) => {
      if (/error|warning/.test(message.type())) problems.push(message.text());
    });
    await walk(page, `http://localhost:${server.address().port}`);
    assert.deepEqual(problems, []);
    assert.deepEqual(await page.evaluate(() => globalThis.problems), []);
  } finally {
    await browser.close();
    server.closeAllConnections();
    server.close();
  }
}

async function walk(page, origin) {
  const isTakenOver = (selector) =>
    page.waitForFunction(
      (query) =>
        Object.keys(document.querySelector(query)).some((key) => key.startsWith('__reactProps')),
      selector,
    );
  await page.goto(`${origin}/`);
  await isTakenOver('#first');
  assert.equal(await page.evaluate(() => globalThis.apiKey), 'key');
  await page.evaluate(() => {
    const link = document.body.appendChild(document.createElement('a'));
    link.setAttribute('href', '/second');
    link.dispatchEvent(new Event('shopify:navigate', { bubbles: true }));
    // One that is no link, as other parts of App Bridge may send.
    document.dispatchEvent(new Event('shopify:navigate', { bubbles: true }));
  });
  await page.locator('#second').waitFor();
  assert.equal(await page.locator('script[src="/app-bridge.js"]').count(), 1);

  await page.goto(`${origin}/proxy`);
  await isTakenOver('#link');
  const link = page.locator(`#link[href="${origin}/apps/reviews/?page=2"]`);
  await link.waitFor();
  assert.equal(await link.getAttribute('class'), 'blue');
  const slashed = page.locator('#slashed');
  assert.equal(await slashed.getAttribute('href'), `${origin}/apps/reviews/`);
  const elsewhere = page.locator('#elsewhere');
  assert.equal(await elsewhere.getAttribute('href'), 'https://example.com/a');
  assert.equal(await page.locator('#form').getAttribute('action'), '/apps/reviews/');
  const ids = await page.evaluate(() =>
    Object.values(globalThis.refs).map(({ current }) => current?.id),
  );
  assert.deepEqual(ids, ['link', 'form']);
}
