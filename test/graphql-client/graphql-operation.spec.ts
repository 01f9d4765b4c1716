import { describe, expect, it } from '@jest/globals';
import { parse } from 'graphql';

import { operationOf } from '../../lib/graphql-client/graphql-operation.js';

describe('operationOf', () => {
  it.each([
    { data: '{ shop { name } }' },
    { query: '{ shop { name } }' },
    { definitions: [] },
    { kind: 'Document', definitions: [{}] },
    ['{ shop { name } }'],
    1,
  ])('refuses what is neither a text nor a parsed document: %j', async (given) => {
    await expect(Promise.resolve(operationOf(given as unknown as string))).rejects.toMatchObject({
      code: 'ERR_REQUEST_INVALID',
    });
  });

  it.each([
    [
      'query Products { products { id } }',
      { name: 'query Products', mutates: false, defers: false },
    ],
    [
      'mutation  Rename($id: ID!) { rename(id: $id) { ok } }',
      { name: 'mutation Rename', mutates: true, defers: false },
    ],
    ['{ shop { name } }', { name: 'an unnamed query', mutates: false, defers: false }],
    [
      '# a mutation Wrong\nquery Right { shop { name } }',
      { name: 'query Right', mutates: false, defers: false },
    ],
    [
      'query Q { find(text: "mutation M @defer") { id } }',
      { name: 'query Q', mutates: false, defers: false },
    ],
    [
      'query Q { find(text: """say \\""" mutation\n@defer""") { id } }',
      { name: 'query Q', mutates: false, defers: false },
    ],
    ['query Q { shop { ...F @defer } }', { name: 'query Q', mutates: false, defers: true }],
    [
      'query Q { list @stream(initialCount: 1) { id } }',
      { name: 'query Q', mutates: false, defers: true },
    ],
    ['query Q { a @deferred { id } }', { name: 'query Q', mutates: false, defers: false }],
    [
      'fragment F on Shop { name } query Q { shop { ...F } }',
      { name: 'query Q', mutates: false, defers: false },
    ],
  ])('reads %s', async (text, facts) => {
    expect(await operationOf(text)).toEqual({ text, ...facts });
  });

  it('reads a parsed document and a text object as it reads a text', async () => {
    const text = 'mutation Rename($id: ID!) {\n  rename(id: $id) {\n    ok\n  }\n}';
    const document = parse(text);
    expect(await operationOf(document)).toMatchObject({
      text,
      name: 'mutation Rename',
      mutates: true,
    });
    expect(operationOf(document)).toMatchObject({ text });
    expect(operationOf(new String(text))).toMatchObject({ text });
  });

  it('refuses nothing at all', () => {
    for (const nothing of ['', ' \n', undefined as unknown as string]) {
      expect(() => operationOf(nothing)).toThrow(
        expect.objectContaining({ code: 'ERR_ARGUMENT_MISSING' }),
      );
    }
  });
});
