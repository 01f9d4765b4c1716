/**
 * The layers of `lib`, lowest first: a file imports its own module and modules of lower layers,
 * never a neighbour or a layer above. `platform.module` is a file of that name: it hands the Nest
 * wiring out together with the integrations.
 */
const LAYERS = [
  ['core'],
  ['sessions'],
  ['rest-client', 'graphql-client'],
  ['auth'],
  ['billing'],
  ['webhooks'],
  ['platform'],
  ['integrations/web'],
  [
    'integrations/api',
    'integrations/express',
    'integrations/nest',
    'integrations/react-router',
    'integrations/remix',
  ],
  ['platform.module'],
  ['cli', 'testing'],
];

/**
 * The files that wire a module into Nest. Everywhere else the framework may be named as a type
 * only.
 */
const wiringOf = (folder) =>
  `${folder}/**/*.{module,module-definition,nest.providers,explorer,decorator}.ts`;
const WIRING = {
  platform: ['lib/platform/nest/**'],
  webhooks: [wiringOf('lib/webhooks'), 'lib/webhooks/**/*.factory.ts'],
  'integrations/nest': ['lib/integrations/nest/**'],
};

/**
 * The files that are a port to the outside: only they may touch the global clock, timers and
 * `fetch`, or the console.
 */
const PORTS = ['lib/core/time/*clock.ts', 'lib/core/http/**', 'lib/dev-store/**', 'lib/testing/**'];
const CONSOLES = [
  'lib/core/logger.ts',
  'lib/core/http/client-reporter.ts',
  'lib/graphql-client/client-utilities.ts',
  'lib/dev-store/**',
];

const NO_NEST = {
  regex: '^(?:@nestjs/|rxjs(?:/|$)|reflect-metadata(?:/|$))',
  allowTypeImports: true,
  message:
    'Logic knows no Nest: bind it in *.providers.ts; what only Nest can do stands in *.nest.providers.ts and *.module.ts.',
};
const NO_DEV_STORE = {
  regex: '^(?:\\.\\.?/)+dev-store/',
  message: 'The simulated store is for demos and tests; nothing else needs it at run time.',
};

/**
 * Matches the import of a file of any of `modules`, from a file of `importer`: `../core/x.js`,
 * `../../integrations/nest/x.js`.
 */
const importOf = (modules, importer) => {
  const isIntegration = importer.startsWith('integrations/');
  const targets = modules.map((module) => {
    if (module === 'platform.module') return 'platform\\.module\\.js$';
    return `${isIntegration ? module.replace('integrations/', '(?:integrations/)?') : module}/`;
  });
  return `^(?:\\.\\./)+(?:${targets.join('|')})`;
};

/**
 * oxlint replaces the options of a rule, it does not add to them: of several matching entries the
 * last one holds.
 */
const restrict = (files, ...patterns) => ({
  files,
  rules: { 'no-restricted-imports': ['error', { patterns }] },
});

/** The modules that files of `module` must not import: its neighbours and all above it. */
const closedTo = (module) => {
  const level = LAYERS.findIndex((layer) => layer.includes(module));
  const others = LAYERS.slice(level)
    .flat()
    .filter((other) => other !== module);
  return {
    regex: importOf(others, module),
    message: `Imports run downward, and this does not stand below ${module}. Declare a port here and bind it above.`,
  };
};

const importTable = LAYERS.slice(0, -2)
  .flat()
  .flatMap((module) => [
    restrict([`lib/${module}/**`], closedTo(module), NO_DEV_STORE, NO_NEST),
    restrict(WIRING[module] ?? [wiringOf(`lib/${module}`)], closedTo(module), NO_DEV_STORE),
  ]);

/**
 * The layers of `lib/auth`, lowest first: its folders. The files beside them stand above them all,
 * except for the errors, which are for every folder.
 */
const AUTH_LAYERS = [
  ['credentials', 'installations'],
  ['clients'],
  ['tokens'],
  ['lifecycle'],
  ['responses'],
  ['scopes'],
  ['login', 'oauth'],
  ['admin'],
  ['signed'],
  ['public'],
];

const authTable = AUTH_LAYERS.flatMap((layer, level) =>
  layer.flatMap((folder) => {
    const others = AUTH_LAYERS.slice(level)
      .flat()
      .filter((other) => other !== folder);
    const closed = {
      regex: `^\\.\\./(?:auth\\.(?:module|options|providers|service)\\.js$|(?:${others.join('|')})/)`,
      message: `Imports run downward in auth, too, and this is not below ${folder}.`,
    };
    const files = `lib/auth/${folder}`;
    return [
      restrict([`${files}/**`], closed, closedTo('auth'), NO_DEV_STORE, NO_NEST),
      restrict([wiringOf(files)], closed, closedTo('auth'), NO_DEV_STORE),
    ];
  }),
);

/**
 * The layers of the simulated store, lowest first: folders of `lib/dev-store`, `dev-shop.ts` and
 * `simulated-shop.ts`.
 * What stands beside them joins them and is for none of them.
 */
const DEV_STORE_LAYERS = [
  ['base'],
  ['http'],
  ['faults', 'traffic'],
  ['graphql', 'state'],
  ['dev-shop', 'endpoints'],
  ['simulated-shop'],
  ['dev-store', 'index'],
];

/**
 * Its folders have names that folders of the toolkit have, too: an import leaves it when it climbs
 * as many folders as the file lies deep.
 */
const outsideOfDevStore = (depth) => ({
  regex: `^(?:\\.\\./){${depth}}`,
  allowTypeImports: true,
  message:
    'The simulated store has its own idea of the wire: it imports nothing else of the toolkit.',
});

const devStoreTable = DEV_STORE_LAYERS.slice(0, -1).flatMap((layer, level) =>
  layer.flatMap((part) => {
    const others = DEV_STORE_LAYERS.slice(level)
      .flat()
      .filter((other) => other !== part);
    const closed = {
      regex: `^(?:\\.\\.?/)+(?:${others.join('|')})(?:\\.js$|/)`,
      message: `Imports run downward in the simulated store, too, and this is not below ${part}.`,
    };
    return ['.ts', '/*.ts', '/*/*.ts'].map((files, folders) =>
      restrict([`lib/dev-store/${part}${files}`], outsideOfDevStore(folders + 1), closed, NO_NEST),
    );
  }),
);

/** @type {import('oxlint').OxlintConfig} */
export default {
  plugins: ['typescript', 'unicorn', 'oxc', 'import', 'node'],
  categories: { correctness: 'error' },
  ignorePatterns: [
    'dist',
    'coverage',
    '.cache',
    'examples/*/build',
    '.react-router',
    'test/package/fixtures',
  ],
  rules: {
    'import/no-cycle': 'error',
    eqeqeq: ['error', 'always', { null: 'ignore' }],
    'no-unused-vars': [
      'error',
      { argsIgnorePattern: '^_', varsIgnorePattern: '^_', destructuredArrayIgnorePattern: '^_' },
    ],
    'no-var': 'error',
    'prefer-const': 'error',
    'typescript/ban-ts-comment': 'error',
    'typescript/no-explicit-any': 'error',
    // An enum may carry the name the ecosystem knows beside our own.
    'typescript/no-duplicate-enum-values': 'off',
    // Spreading a literal groups the rows of a long list.
    'unicorn/no-useless-spread': 'off',
    // A class that Nest injects must be imported as a value: with `import type` it compiles and
    // then fails at start-up.
    'typescript/consistent-type-imports': 'off',
  },
  overrides: [
    ...importTable,
    ...authTable,
    restrict(['lib/platform.module.ts', 'lib/index.ts'], NO_DEV_STORE),
    restrict(['lib/dev-store/*.ts'], outsideOfDevStore(1), NO_NEST),
    ...devStoreTable,
    {
      files: ['lib/**'],
      rules: { 'import/no-cycle': ['error', { ignoreTypes: false }] },
    },
    {
      files: ['lib/**'],
      // A top-level await anywhere would make the package impossible to `require()`.
      rules: { 'node/no-top-level-await': 'error' },
    },
    // The one place where `any` is meant.
    { files: ['lib/core/json.ts'], rules: { 'typescript/no-explicit-any': 'off' } },
    {
      files: ['lib/**'],
      excludeFiles: CONSOLES,
      rules: { 'no-console': 'error' },
    },
    {
      files: ['lib/**'],
      excludeFiles: PORTS,
      rules: {
        'no-restricted-globals': [
          'error',
          {
            name: 'fetch',
            message: 'Take it from the config; its type is `typeof globalThis.fetch`.',
          },
          { name: 'setTimeout', message: 'Ask the Clock port.' },
          { name: 'setInterval', message: 'Ask the Clock port.' },
        ],
        'no-restricted-properties': [
          'error',
          { object: 'Date', property: 'now', message: 'Ask the Clock port.' },
          ...['fetch', 'setTimeout', 'setInterval'].map((property) => ({
            object: 'globalThis',
            property,
            message: 'Go through the port.',
          })),
        ],
      },
    },
    {
      files: ['test/**/*.spec.ts'],
      plugins: ['typescript', 'unicorn', 'oxc', 'import', 'node', 'jest'],
      rules: {
        'jest/expect-expect': [
          'error',
          { assertFunctionNames: ['expect', 'expect*', 'fc.assert'] },
        ],
        'jest/no-focused-tests': 'error',
        'jest/no-disabled-tests': 'error',
        'jest/no-identical-title': 'error',
        'jest/no-conditional-expect': 'off',
      },
    },
  ],
};
