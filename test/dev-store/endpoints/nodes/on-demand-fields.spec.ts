import { readFileSync, readdirSync } from 'node:fs';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { buildSchema, isEnumType, type GraphQLSchema } from 'graphql';
import type { NodeWriter } from '../../../../lib/dev-store/endpoints/nodes/node-writer.js';
import { ON_DEMAND_FIELDS } from '../../../../lib/dev-store/endpoints/nodes/on-demand-fields.js';
import { onDemandRoot } from '../../../../lib/dev-store/endpoints/nodes/on-demand-root.js';
import { platformSchema } from '../../../../lib/dev-store/graphql/schemas/platform-schema.js';

const ENDPOINTS = new URL('../../../../lib/dev-store/endpoints/', import.meta.url);
const FOLDERS = ['b2b', 'markets', 'localization', 'payments', 'selling-plans'];

describe('fields whose rules are loaded on demand', () => {
  // The names of a root do not depend on what it reads and changes.
  const writer = { reader: { store: {} } } as unknown as NodeWriter;

  let schemas: readonly GraphQLSchema[];
  beforeAll(async () => {
    const texts = ['2026-07', 'unstable'].map((version) => platformSchema('admin', version));
    schemas = (await Promise.all(texts)).map((text) => buildSchema(text, { assumeValid: true }));
  });

  it.each(ON_DEMAND_FIELDS)('are found by their names: $area', ({ area }) => {
    const roots = schemas.flatMap((schema) => [schema.getQueryType(), schema.getMutationType()]);
    const names = Object.keys(onDemandRoot(area, writer));
    expect(names).not.toEqual([]);
    for (const name of names) {
      expect([name, ON_DEMAND_FIELDS.find((one) => one.names.test(name))?.area]).toEqual([
        name,
        area,
      ]);
      expect([name, roots.some((root) => root?.getFields()[name])]).toEqual([name, true]);
    }
  });

  it('say what is in their schemas: each code is that of an enum, or a part of one', () => {
    const values = schemas.flatMap((schema) =>
      Object.values(schema.getTypeMap()).flatMap((type) =>
        isEnumType(type) ? type.getValues().map(({ name }) => name) : [],
      ),
    );
    const parts = new Set(values.flatMap(partsOf));
    const codes = FOLDERS.flatMap((folder) => {
      const files = new URL(`${folder}/`, ENDPOINTS);
      return readdirSync(files).flatMap((file) =>
        [...readFileSync(new URL(file, files), 'utf8').matchAll(/'([A-Z][A-Z0-9_]{3,})'/g)].map(
          ([, code]) => `${folder}/${file}: ${String(code)}`,
        ),
      );
    });
    expect(codes.length).toBeGreaterThan(100);
    expect(codes.filter((code) => !parts.has(String(code.split(': ')[1])))).toEqual([]);
  });
});

/** What a value begins and ends with, such as `PRICE_LIST` and `NOT_FOUND`, and all of it. */
function partsOf(value: string): string[] {
  const words = value.split('_');
  return words.flatMap((_, at) => [words.slice(0, at + 1).join('_'), words.slice(at).join('_')]);
}
