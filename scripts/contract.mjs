// Compares what we say about the platform's GraphQL interface with its real schemas: the simulated
// store's schema must be a strict subset of each, and every document our code sends must be valid
// in each. Fetches the schemas once, into .cache/.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSchema, parse, validate } from 'graphql';
import { API_VERSIONS, fetchRealSchemas, readRealSchema } from '../test/contract/real-schemas.mjs';
import { compareWithReal } from '../test/contract/schema-subset.mjs';
import { findDocuments, importFromSource } from '../test/contract/sources.mjs';

const root = fileURLToPath(new URL('..', import.meta.url)).replace(/[/\\]$/, '');
const cache = join(root, '.cache');
let passed = 0;
let failed = 0;

function report(title, problems) {
  if (problems.length === 0) passed++;
  else failed++;
  console.log(`${problems.length === 0 ? 'ok  ' : 'FAIL'} ${title}`);
  for (const problem of problems) console.log(`       ${problem}`);
}

/**
 * A comparison that notices nothing would pass everything: each of these differences must be found.
 */
function checkTheComparison() {
  const real = buildSchema(
    'type Query { a(x: Int! y: Int = 1): String! e: E } enum E { A } type Mutation { m: Int }',
  );
  const same = compareWithReal(real, real).problems;
  const wrong = [
    'a(x: Int!, y: Int = 2): String!',
    'a(x: Int!): String',
    'a(y: Int = 1): String!',
    'a(x: Int!, z: Int): String!',
    'a(x: Int!): String! e: E b: Int',
    'a(x: Int!): String! } directive @hold on FIELD extend type Query { e: E',
  ];
  const unnoticed = wrong.filter(
    (fields) =>
      compareWithReal(
        buildSchema(`type Query { ${fields} } enum E { A } type Mutation { m: Int }`),
        real,
      ).problems.length === 0,
  );
  report('the comparison tells a subset from anything else', [
    ...same,
    ...unnoticed.map((fields) => `not noticed: ${fields}`),
  ]);
}

const ADMIN_SCHEMA = [
  'endpoints/admin-graphql/admin.schema',
  'endpoints/billing/billing.schema',
  'endpoints/bulk/bulk.schema',
  'endpoints/products/variants.schema',
  'base/webhook-topics',
];
const { adminSchema } = await importFromSource(root, cache, ADMIN_SCHEMA);
const { STOREFRONT_SCHEMA } = await importFromSource(root, cache, [
  'endpoints/storefront/storefront.schema',
]);
const SCHEMAS = { admin: adminSchema, storefront: () => STOREFRONT_SCHEMA };
const { SUBSCRIBABLE_TOPICS, topicConstant } = await importFromSource(root, cache, [
  'base/webhook-topics',
]);
const folder = fetchRealSchemas(cache);
const documents = findDocuments(root, ['lib', 'examples']);

checkTheComparison();
for (const version of API_VERSIONS) {
  for (const [api, schemaOf] of Object.entries(SCHEMAS)) {
    const real = readRealSchema(folder, api, version);
    const { checked, problems } = compareWithReal(buildSchema(schemaOf(version)), real);
    report(
      `${version}: the simulated store's ${api} schema is a strict subset (${checked} comparisons)`,
      problems,
    );
    if (api === 'admin')
      report(
        `${version}: topics are spelled as the platform documents them`,
        misspelledTopics(real),
      );
    for (const { place, since, text } of documents.filter((document) => document.api === api)) {
      if (version >= since) report(`${version}: ${place}`, documentProblems(real, text));
    }
  }
}

function misspelledTopics(real) {
  const topics = real.getType('WebhookSubscriptionTopic');
  const documented = (topic) =>
    topics.getValue(topicConstant(topic))?.description?.includes(`\`${topic}\``);
  return SUBSCRIBABLE_TOPICS.filter((topic) => !documented(topic)).map(
    (topic) => `${topic} is not documented`,
  );
}

function documentProblems(real, text) {
  if (text === undefined)
    return [
      'the document is put together at run time and cannot be checked; use variables and fragments',
    ];
  try {
    return validate(real, parse(text)).map((error) => error.message);
  } catch (error) {
    return [error.message];
  }
}

console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
