// Writes lib/dev-store/graphql/schemas/platform-schemas.table.ts: the platform's GraphQL schemas of
// every version, without descriptions, as one compressed text. They are sorted alike, so that a
// version costs no more than its difference from the one before it. Run it when a version is added;
// `npm run test:contract` says when the file is out of date.
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';
import { lexicographicSortSchema, printSchema, stripIgnoredCharacters } from 'graphql';
import {
  fetchRealSchemas,
  readRealSchema,
  SCHEMA_APIS,
  SCHEMA_VERSIONS,
} from '../test/contract/real-schemas.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const target = join(root, 'lib/dev-store/graphql/schemas');
const folder = fetchRealSchemas(join(root, '.cache'));
const names = SCHEMA_APIS.flatMap((api) => SCHEMA_VERSIONS.map((version) => `${api}/${version}`));
const lines = names.map((name) => {
  const schema = readRealSchema(folder, ...name.split('/'), { descriptions: false });
  return stripIgnoredCharacters(printSchema(lexicographicSortSchema(schema)));
});
const text = Buffer.from([names.join(' '), ...lines].join('\n'));
const compressed = brotliCompressSync(text, {
  params: {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
    [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
  },
});
writeFileSync(
  join(target, 'platform-schemas.table.ts'),
  `/**
 * The platform's GraphQL schemas, compressed with Brotli, in base64: a line with their names, such
 * as \`admin/2026-07\`, then a line for each. Written by scripts/schemas.mjs.
 */
export const PLATFORM_SCHEMAS: string =
  '${compressed.toString('base64')}';
`,
);
copyFileSync(join(folder, 'package/LICENSE'), join(target, 'LICENSE'));
console.log(`${names.length} schemas, ${text.length} bytes, compressed ${compressed.length}`);
