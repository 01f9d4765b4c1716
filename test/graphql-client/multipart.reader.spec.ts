import { describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';

import { boundaryOf, readParts } from '../../lib/graphql-client/multipart.reader.js';
import { collect } from '../support/collect.js';

/** The text as bytes, cut at the given places (in bytes, so that characters are cut too). */
async function* cut(text: string, places: readonly number[] = []): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  const ends = [...new Set(places.map((place) => place % (bytes.length + 1)))].sort(
    (one, other) => one - other,
  );
  let start = 0;
  for (const end of [...ends, bytes.length]) {
    yield bytes.subarray(start, end);
    start = end;
  }
}

const parts = (text: string, boundary = '-', places: readonly number[] = []): Promise<string[]> =>
  collect(readParts(cut(text, places), boundary));

/** A body as RFC 2046 describes it. */
function body(contents: readonly string[], boundary: string, eol = '\r\n'): string {
  const sections = contents.map(
    (content) => `--${boundary}${eol}Content-Type: application/json${eol}${eol}${content}${eol}`,
  );
  return `${sections.join('')}--${boundary}--${eol}`;
}

describe('boundaryOf', () => {
  it.each([
    ['multipart/mixed; boundary=abc', 'abc'],
    ['multipart/mixed; boundary="a b;c=d"; deferSpec=20220824', 'a b;c=d'],
    ['multipart/mixed; deferSpec=20220824; BOUNDARY=graphql', 'graphql'],
    ['multipart/mixed;boundary="-"', '-'],
    ['multipart/mixed', '-'],
    ['multipart/mixed; boundary=""', '-'],
  ])('of %s is %s', (contentType, boundary) => {
    expect(boundaryOf(contentType)).toBe(boundary);
  });
});

describe('readParts', () => {
  it('gives the contents without headers', async () => {
    expect(await parts(body(['{"a":1}', '{"b":2}'], '-'))).toEqual(['{"a":1}', '{"b":2}']);
    expect(await parts(body(['{"a":1}'], 'x', '\n'), 'x')).toEqual(['{"a":1}']);
  });

  it('gives the same parts however the bytes are cut', async () => {
    const content = fc.json().filter((text) => text.trim() === text && text !== '');
    const boundary = fc.stringMatching(/^[A-Za-z0-9'()+_,./:=?-]{1,20}$/);
    await fc.assert(
      fc.asyncProperty(
        fc.array(content),
        boundary,
        fc.array(fc.nat(5000)),
        fc.constantFrom('\r\n', '\n'),
        async (contents, name, places, eol) => {
          // A delimiter is told by the beginning of its line: no line of a JSON text begins like
          // one.
          expect(await parts(body(contents, name, eol), name, places)).toEqual(contents);
        },
      ),
    );
  });

  it('keeps a character together that two chunks share', async () => {
    const text = body(['{"name":"Käse 🧀"}'], '-');
    const everywhere = Array.from({ length: new TextEncoder().encode(text).length }, (_, at) => at);
    expect(await parts(text, '-', everywhere)).toEqual(['{"name":"Käse 🧀"}']);
  });

  it('gives a part as soon as the delimiter behind it has arrived', async () => {
    const arrived: string[] = [];
    async function* slowly(): AsyncGenerator<Uint8Array> {
      yield* cut('--x\r\n\r\n{"a":1}\r\n--x');
      arrived.push('second chunk');
      yield* cut('\r\n\r\n{"b":2}\r\n--x--');
    }
    for await (const part of readParts(slowly(), 'x')) arrived.push(part);
    expect(arrived).toEqual(['{"a":1}', 'second chunk', '{"b":2}']);
  });

  it('leaves out what stands around the parts, empty parts and a part that was cut off', async () => {
    expect(
      await parts(
        'preamble\r\n--x\r\n\r\n{"a":1}\r\n--x--\r\nepilogue\r\n--x\r\n\r\n{"b":2}\r\n--x',
        'x',
      ),
    ).toEqual(['{"a":1}']);
    expect(await parts('--x\r\n\r\n\r\n--x\r\n\r\n{"a":1}\r\n--x\r\n\r\n{"b":', 'x')).toEqual([
      '{"a":1}',
    ]);
    expect(await parts('', 'x')).toEqual([]);
  });

  it('takes the end of the body at its word, however its bytes are cut', async () => {
    const text = body(['{"a":1}'], 'x') + body(['{"b":2}'], 'x');
    for (let place = 0; place <= text.length; place++)
      expect(await parts(text, 'x', [place])).toEqual(['{"a":1}']);
  });

  it('searches no text again that it has searched', async () => {
    const content = JSON.stringify('a'.repeat(100_000));
    const places = Array.from({ length: 1000 }, (_, at) => at * 100);
    const search = jest.spyOn(String.prototype, 'indexOf');
    try {
      expect(await parts(body([content], 'x'), 'x', places)).toEqual([content]);
      const searched = search.mock.contexts.reduce<number>(
        (sum, text) => sum + String(text).length,
        0,
      );
      expect(searched).toBeLessThan(2 * content.length);
    } finally {
      search.mockRestore();
    }
  });

  it('takes a delimiter only at the beginning of a line', async () => {
    expect(await parts(body(['{"a":"--x is no delimiter"}'], 'x'), 'x')).toEqual([
      '{"a":"--x is no delimiter"}',
    ]);
  });

  it('closes the source when the reader leaves', async () => {
    let closed = false;
    async function* source(): AsyncGenerator<Uint8Array> {
      try {
        yield* cut(body(['1', '2'], '-'));
      } finally {
        closed = true;
      }
    }
    for await (const part of readParts(source(), '-')) if (part === '1') break;
    expect(closed).toBe(true);
  });
});
