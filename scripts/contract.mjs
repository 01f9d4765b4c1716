// Compares what we say about the platform's GraphQL interface with its real schemas: the schemas of
// the simulated store must be the same, and every document our code sends must be valid in each.
// Fetches the real schemas once, into .cache/.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSchema, parse, validate } from 'graphql';
import {
  API_VERSIONS,
  fetchRealSchemas,
  readRealSchema,
  SCHEMA_APIS,
  SCHEMA_VERSIONS,
} from '../test/contract/real-schemas.mjs';
import { compareWithReal } from '../test/contract/schema-facts.mjs';
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
  const real = `
    directive @hold(for: Int) on FIELD
    interface I { a: Int }
    type Query implements I { a(x: Int! y: Int = 1): Int e: E u: U }
    enum E { A B @deprecated(reason: "old") }
    input In @oneOf { a: Int b: Int }
    type T { i(in: In): Int @deprecated(reason: "old") }
    union U = T | Query`;
  const changes = [
    ['y: Int = 1', 'y: Int = 2'],
    ['y: Int = 1', 'y: Int'],
    ['x: Int!', 'x: Int'],
    ['e: E', 'e: E!'],
    ['e: E', ''],
    ['x: Int!', 'x: Int! z: Int'],
    ['implements I', ''],
    ['on FIELD', 'on QUERY'],
    ['(for: Int)', ''],
    ['enum E { A', 'enum E { A C'],
    ['@deprecated(reason: "old") }\n    input', '}\n    input'],
    ['@deprecated(reason: "old") }\n    union', '@deprecated(reason: "new") }\n    union'],
    [' @oneOf', ''],
    ['T | Query', 'T'],
  ];
  const differs = (text) =>
    compareWithReal(buildSchema(text), buildSchema(real)).problems.length > 0;
  const unnoticed = changes.filter(([from, to]) => !differs(real.replace(from, to)));
  report('the comparison tells a schema from any other', [
    ...(differs(real) ? ['a schema differs from itself'] : []),
    ...unnoticed.map((change) => `not noticed: ${change.join(' → ')}`),
  ]);
}

const { platformSchema } = await importFromSource(root, cache, [
  'graphql/schemas/platform-schema',
  'graphql/schemas/platform-schemas.table',
]);
const { SUBSCRIBABLE_TOPICS, topicConstant } = await importFromSource(root, cache, [
  'base/webhook-topics',
]);
const folder = fetchRealSchemas(cache);
const documents = findDocuments(root, ['lib', 'examples']);

checkTheComparison();
for (const version of SCHEMA_VERSIONS) {
  for (const api of SCHEMA_APIS) {
    const real = readRealSchema(folder, api, version);
    const ours = buildSchema(await platformSchema(api, version));
    const { checked, problems } = compareWithReal(ours, real);
    report(`${version}: the ${api} schema is the platform's (${checked} comparisons)`, problems);
    if (!API_VERSIONS.includes(version)) continue;
    if (api === 'admin')
      report(
        `${version}: topics are spelled as the platform documents them`,
        misspelledTopics(real, version === API_VERSIONS.at(-1)),
      );
    for (const { place, since, text } of documents.filter((document) => document.api === api)) {
      if (version >= since) report(`${version}: ${place}`, documentProblems(real, text));
    }
  }
}

/** @param isNewest the newest version has all topics; those before may lack some */
function misspelledTopics(real, isNewest) {
  const topics = real.getType('WebhookSubscriptionTopic');
  const known = SUBSCRIBABLE_TOPICS.filter(
    (topic) => isNewest || topics.getValue(topicConstant(topic)),
  );
  const documented = (topic) =>
    topics.getValue(topicConstant(topic))?.description?.includes(`\`${topic}\``);
  return known.filter((topic) => !documented(topic)).map((topic) => `${topic} is not documented`);
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
