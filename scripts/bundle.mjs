// Joins the modules that the compiler wrote into few files: to find, read and link a module costs
// more than what is in it. All entry points are joined in one go, so that a class is one class
// behind all of them. Declarations stay as the compiler wrote them, with the comments, which editors
// show from there; the programs lose theirs, and most of their white space. Part of `npm run build`.
import { rollup } from '@rollup/wasm-node';
import { parseAst } from '@rollup/wasm-node/parseAst';
import { transform } from 'esbuild';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { JOINED, NOTICES, TAKEN } from './dependencies.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DIST = join(ROOT, 'dist');

/**
 * The files that entry points share. Each holds the modules that match and all that they import, as
 * far as no file above has them: it needs files above it alone.
 */
const SHARED = [
  // Browsers may load this and that of GraphQL.
  [
    'client',
    /^(?:rest-client\/(?:index|resources\/(?:rest-resource|resource-versions))|core\/concurrency\/lazy-promise)\.js$/,
  ],
  // Browsers load these when they are needed: for a query that is refused,
  ['errors', /^graphql-client\/graphql-client\.errors\.js$/],
  // or a call that is limited in time, paced, refused or sent on, or a stream. Servers have their
  // clock from there.
  ['on-demand', /^core\/http\/(?:on-demand|reply-body)\.js$/],
  ['graphql', /^graphql-client\/index\.js$/],
  ['resources', /^rest-client\/resources\/define-resources\.js$/],
  [
    'sessions',
    // The last three are what its engines, the queue and the commands need of core besides.
    /^(?:sessions\/(?:(?!index)[^/]+|(?:coordination|encryption|storages\/memory)\/.+)|core\/redaction|core\/crypto\/text-digest|core\/command-mark)\.js$/,
  ],
  ['engines', /^sessions\/storages\/(?:connection|sql)\/.+\.js$/],
  ['app', /^(?:platform\/(?:exports|(?:api|host|kernel)\/.+)|auth\/(?:clients|public)\/.+)\.js$/],
  ['express', /^integrations\/express\/express\.providers\.js$/],
  // Of both hosts of web requests: what they do not share is next to nothing.
  [
    'web',
    /^integrations\/(?:web\/.+|remix\/remix\.providers|react-router\/react-router\.providers)\.js$/,
  ],
  // The test kit shares the guards of the entry point for Nest apps.
  ['nest', /^(?:platform\/nest\/platform-root\.module|integrations\/nest\/.+)\.js$/],
  // Two entry points that apps start with have the first of the suites.
  ['storage-conformance', /^sessions\/conformance\/session-storage\.conformance\.js$/],
  ['conformance', /^sessions\/conformance\/.+\.js$/],
];

/** Entry points of servers that bundles for browsers may take in as well. */
const BROWSERS_TOO = ['rest-client/index.js', 'graphql-client/index.js'];

/** Large, and on the way of no request: their local names are shortened, too. */
const SHORT_NAMES = new Set([
  'chunks/conformance.js',
  'chunks/storage-conformance.js',
  'chunks/dev-store.js',
  'chunks/on-demand-root.js',
  'cli/index.js',
  'webhooks/queue/bullmq/index.js',
]);

/** Modules of packages that are joined which give Node another than bundlers. */
const FOR_BUNDLERS = { tslib: 'tslib/tslib.es6.mjs' };

/** Modules that the package imports by a name of its `imports`, which differs by runtime. */
const BY_RUNTIME = { 'platform/nest/platform-container.js': '#nest-container' };

const written = readdirSync(DIST, { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => path.endsWith('.js'));
const { exports, imports, bin } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const targets = Object.values(exports);
// Bundles for browsers take these in. They share no file with the server, of which they have
// copies: the two never meet.
const forBrowsers = filesOf(
  targets.flatMap((target) => target.browser ?? (isReact(target) ? target.default : [])),
);
const onServers = filesOf([
  ...targets.flatMap((target) => target.default ?? []),
  ...Object.values(imports).flatMap(Object.values),
  ...Object.values(bin),
]);

let shared;
const joinedFiles = [
  ...(await joinedFrom(
    onServers.filter((path) => !forBrowsers.includes(path)),
    {
      chunkFileNames: 'chunks/[name].js',
      manualChunks: (id, { getModuleInfo }) => (shared ??= sharedFiles(getModuleInfo)).get(id),
    },
  )),
  ...(await joinedFrom(forBrowsers, { chunkFileNames: 'chunks/browser/[name].js' })),
];
const inBrowsers = new Set(forBrowsers);
for (const fileName of [...BROWSERS_TOO, ...forBrowsers]) takeIn(fileName);
for (const path of written) rmSync(join(DIST, path));
for (const { fileName, code } of joinedFiles) {
  mkdirSync(dirname(join(DIST, fileName)), { recursive: true });
  const isForBrowsers = inBrowsers.has(fileName);
  writeFileSync(
    join(DIST, fileName),
    await (isForBrowsers ? withoutComments(code) : compact(code, SHORT_NAMES.has(fileName))),
  );
}
writeFileSync(join(DIST, NOTICES), [...JOINED.map(noticeOf), ...TAKEN.map(noteOf)].join('\n'));

/** Marks a file and all that it imports as what bundlers for browsers may take in. */
function takeIn(fileName) {
  const { imports = [], dynamicImports = [] } =
    joinedFiles.find((file) => file.fileName === fileName) ?? {};
  inBrowsers.add(fileName);
  for (const imported of [...imports, ...dynamicImports])
    if (!inBrowsers.has(imported)) takeIn(imported);
}

/** The name that stands for a module in what is written; none for most. */
function nameOf(source, importer) {
  const name = importer && BY_RUNTIME[relative(DIST, join(dirname(importer), source))];
  return name ? { id: name, external: true } : null;
}

/** The module of a package, of which only what is used is taken. */
function joined(name) {
  const module = FOR_BUNDLERS[name] ?? name;
  return { id: fileURLToPath(import.meta.resolve(module)), moduleSideEffects: false };
}

/** What a package's licence asks copies of it to say. */
function noticeOf(name) {
  const folder = join(ROOT, 'node_modules', name);
  const [file] = readdirSync(folder).filter((file) => /^licen[cs]e/i.test(file));
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return `Parts of ${name} ${version}:\n\n${readFileSync(join(folder, file), 'utf8')}`;
}

/** The licence of what stands in the sources. */
function noteOf({ name, licence }) {
  return `Of ${name}, without descriptions:\n\n${readFileSync(join(ROOT, licence), 'utf8')}`;
}

/** Enums in a form that bundlers leave out where they are not used. */
function pureEnums(code) {
  return code.replace(
    /^export var (\w+);((?:\n \*.*|\n\/\*\*.*)*)\n\(function \(\1\) \{([\s\S]*?)\n\}\)\(\1 \|\| \(\1 = \{\}\)\);$/gm,
    'export const $1 = /* @__PURE__ */ (function ($1) {$3\n    return $1;\n})({});',
  );
}

/** What bundlers read in comments stays, and so does the white space. */
async function withoutComments(program) {
  const { code, warnings } = await transform(program, { target: 'esnext', legalComments: 'none' });
  if (warnings.length > 0) throw new Error(warnings[0].text);
  return code;
}

/**
 * The same with full lines, in which a stack trace still leads to its place. TypeScript, with which
 * jest loads the package into CommonJS, misreads a line that ends behind a dot.
 */
async function compact(program, isShort) {
  const { code } = await transform(program, {
    ...{ target: 'esnext', legalComments: 'none' },
    ...{ minifyWhitespace: true, lineLimit: isShort ? 1000 : 100 },
    ...{ minifySyntax: isShort, minifyIdentifiers: isShort },
  });
  const joined = withoutBreaksBehindDots(code);
  const { diagnostics } = ts.transpileModule(joined, {
    ...{ fileName: 'chunk.js', reportDiagnostics: true },
    compilerOptions: { allowJs: true, module: ts.ModuleKind.CommonJS, target: 'es2022' },
  });
  if (diagnostics.length > 0) throw new Error(`Misread: ${diagnostics[0].messageText}`);
  return joined;
}

function withoutBreaksBehindDots(code) {
  const breaks = [];
  const visit = (node) => {
    if (node.type === 'MemberExpression' && !node.computed) {
      const between = code.slice(node.object.end, node.property.start);
      const at = between.indexOf('\n');
      if (at >= 0) breaks.push(node.object.end + at);
    }
    for (const child of Object.values(node).flat())
      if (typeof child?.type === 'string') visit(child);
  };
  visit(parseAst(code));
  let kept = '';
  let end = 0;
  for (const at of breaks.sort((one, other) => one - other)) {
    kept += code.slice(end, at);
    end = at + 1;
  }
  return kept + code.slice(end);
}

/** What becomes of some modules, paths in `dist`, and all that they import. */
async function joinedFrom(paths, options) {
  const bundle = await rollup({
    input: Object.fromEntries(paths.map((path) => [path.replace(/\.js$/, ''), join(DIST, path)])),
    external: (id) => !/^[./]/.test(id) && !id.startsWith(DIST) && !JOINED.includes(id),
    plugins: [
      { name: 'joined', resolveId: (id) => (JOINED.includes(id) ? joined(id) : null) },
      { name: 'by-runtime', resolveId: nameOf },
      { name: 'pure-enums', transform: (code) => ({ code: pureEnums(code), map: null }) },
    ],
    onLog(level, log) {
      throw new Error(`${level}: ${log.message}`);
    },
  });
  const { output } = await bundle.generate({
    format: 'esm',
    generatedCode: 'es2015',
    importAttributesKey: 'with',
    // A name in a stack trace is the name in the source.
    minifyInternalExports: false,
    hoistTransitiveImports: false,
    ...options,
  });
  return output;
}

function isReact({ default: target = '' }) {
  return target.endsWith('/react/index.js');
}

/** The modules that targets of `exports` and `bin` stand for, as paths in `dist`. */
function filesOf(targets) {
  const patterns = targets.map((target) => target.replace(/^(?:\.\/)?dist\//, '').split('*'));
  return written.filter((path) =>
    patterns.some(([before, after]) =>
      after === undefined ? path === before : path.startsWith(before) && path.endsWith(after),
    ),
  );
}

/** The name of the shared file that each module goes into; entry points are files of their own. */
function sharedFiles(getModuleInfo) {
  const files = new Map();
  const take = (id, name, seen) => {
    if (seen.has(id)) return;
    seen.add(id);
    for (const imported of getModuleInfo(id).importedIds)
      if (!getModuleInfo(imported).isExternal) take(imported, name, seen);
    if (!files.has(id) && !getModuleInfo(id).isEntry) files.set(id, name);
  };
  for (const [name, pattern] of SHARED) {
    const roots = written.filter((path) => pattern.test(path)).map((path) => join(DIST, path));
    if (roots.length === 0) throw new Error(`No module matches "${name}"`);
    const seen = new Set();
    // A module of types alone is imported by none.
    for (const id of roots) if (getModuleInfo(id)) take(id, name, seen);
  }
  return files;
}
