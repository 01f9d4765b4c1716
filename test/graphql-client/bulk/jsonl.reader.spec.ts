import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { BulkTransferError } from '../../../lib/graphql-client/bulk/bulk.errors.js';
import { nested } from '../../../lib/graphql-client/bulk/bulk-nesting.js';
import { readJsonl } from '../../../lib/graphql-client/bulk/jsonl.reader.js';

async function* chunksOf(bytes: Uint8Array, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  let start = 0;
  for (let turn = 0; start < bytes.length; turn++) {
    const end = start + (sizes[turn % sizes.length] ?? bytes.length);
    yield bytes.subarray(start, end);
    start = end;
  }
}

async function rowsOf(text: string, sizes: readonly number[] = [7]): Promise<unknown[]> {
  const rows: unknown[] = [];
  for await (const batch of readJsonl(chunksOf(new TextEncoder().encode(text), sizes)))
    rows.push(...batch.rows);
  return rows;
}

async function nestedOf(text: string): Promise<unknown[]> {
  const rows: unknown[] = [];
  for await (const batch of nested(readJsonl(chunksOf(new TextEncoder().encode(text), [11]))))
    rows.push(...batch.rows);
  return rows;
}

describe('JSON lines', () => {
  it('come out as they went in, wherever the pieces end', async () => {
    const rows = fc.array(fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue()), {
      maxLength: 20,
    });
    const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 });
    await fc.assert(
      fc.asyncProperty(rows, sizes, fc.boolean(), async (written, cuts, endsWithBreak) => {
        const text =
          written.map((row) => JSON.stringify(row)).join('\n') + (endsWithBreak ? '\n' : '');
        expect(await rowsOf(text, cuts)).toEqual(
          written.map((row) => JSON.parse(JSON.stringify(row))),
        );
      }),
    );
  });

  it('keep characters whole that are longer than a piece', async () => {
    expect(await rowsOf('{"a":"日本🎉"}\n{"b":"é"}\n', [1])).toEqual([{ a: '日本🎉' }, { b: 'é' }]);
  });

  it('may end with carriage returns and an empty line', async () => {
    expect(await rowsOf('{"a":1}\r\n\r\n{"b":2}\r\n')).toEqual([{ a: 1 }, { b: 2 }]);
  });

  it.each([
    ['is no JSON', '{"a":1}\n{"a":\n{"a":3}\n', 2],
    ['is no object', '{"a":1}\n{"a":2}\n[3]\n', 3],
    ['breaks off', '{"a":1}\n{"a":2', 2],
  ])('name the line that %s', async (_, text, line) => {
    const error = await rowsOf(text).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(BulkTransferError);
    expect(error).toMatchObject({ code: 'ERR_BULK_TRANSFER', line });
  });

  it('do not quote the line that is wrong: it is somebody’s data', async () => {
    const error = (await rowsOf('{"email":"ada@example.com"\n').catch(
      (thrown: unknown) => thrown,
    )) as Error;
    expect(`${error.message} ${String(error.cause)} ${error.stack}`).not.toContain('ada@');
  });
});

describe('nested rows', () => {
  it('stand below their parents, at any depth', async () => {
    const file = [
      { id: 'p1', title: 'One' },
      { id: 'v1', __parentId: 'p1' },
      { key: 'm1', __parentId: 'v1' },
      { id: 'v2', __parentId: 'p1' },
      { id: 'p2', title: 'Two' },
    ];
    expect(await nestedOf(file.map((row) => JSON.stringify(row)).join('\n'))).toEqual([
      {
        id: 'p1',
        title: 'One',
        __children: [
          {
            id: 'v1',
            __parentId: 'p1',
            __children: [{ key: 'm1', __parentId: 'v1', __children: [] }],
          },
          { id: 'v2', __parentId: 'p1', __children: [] },
        ],
      },
      { id: 'p2', title: 'Two', __children: [] },
    ]);
  });

  it('are refused from a file that is not grouped', async () => {
    const file = '{"id":"p1"}\n{"id":"p2"}\n{"id":"v1","__parentId":"p1"}\n';
    await expect(nestedOf(file)).rejects.toMatchObject({ code: 'ERR_BULK_TRANSFER', line: 3 });
  });
});
