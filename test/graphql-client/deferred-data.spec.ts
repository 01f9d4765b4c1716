import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { itemsMergedAt, mergedAt } from '../../lib/graphql-client/deferred-data.js';

describe('mergedAt', () => {
  it('puts a piece at its place and leaves the rest', () => {
    const data = { product: { id: 1, variants: [{ id: 2 }, { id: 3 }] } };
    expect(mergedAt(data, ['product', 'variants', 1], { price: '9.00' })).toEqual({
      product: { id: 1, variants: [{ id: 2 }, { id: 3, price: '9.00' }] },
    });
    expect(data).toEqual({ product: { id: 1, variants: [{ id: 2 }, { id: 3 }] } });
  });

  it('merges records by field and lists by position', () => {
    expect(
      mergedAt({ a: { b: 1, list: [{ x: 1 }, { x: 2 }] } }, [], { a: { c: 2, list: [{ y: 1 }] } }),
    ).toEqual({
      a: { b: 1, c: 2, list: [{ x: 1, y: 1 }, { x: 2 }] },
    });
  });

  it('does not let null replace what is there', () => {
    expect(mergedAt({ shop: { name: 'Test' } }, [], { shop: null })).toEqual({
      shop: { name: 'Test' },
    });
    expect(mergedAt({ shop: { name: 'Test' } }, ['shop'], null)).toEqual({
      shop: { name: 'Test' },
    });
    expect(mergedAt({}, [], { shop: null })).toEqual({ shop: null });
  });

  it('makes the way to a place that is not there yet', () => {
    expect(mergedAt(undefined, ['a', 0, 'b'], { c: 1 })).toEqual({ a: [{ b: { c: 1 } }] });
  });

  it('changes no prototype', () => {
    mergedAt({}, ['__proto__'], { polluted: true });
    mergedAt({}, [], JSON.parse('{"__proto__":{"polluted":true}}'));
    mergedAt({}, ['constructor', 'prototype'], { polluted: true });
    expect({}).not.toHaveProperty('polluted');
  });

  it('gives back what was taken apart into pieces by field', () => {
    const record = fc.dictionary(
      fc.string(),
      fc.jsonValue().filter((value) => value !== null),
    );
    fc.assert(
      fc.property(record, (whole) => {
        const pieces = Object.entries(whole).map(([name, value]) => ({ [name]: value }));
        const again = pieces.reduce<unknown>((data, piece) => mergedAt(data, [], piece), {});
        expect(JSON.stringify(again)).toBe(JSON.stringify({ ...whole }));
      }),
    );
  });
});

describe('itemsMergedAt', () => {
  it('adds entries to a list from a position on', () => {
    expect(itemsMergedAt({ list: [{ id: 1 }] }, ['list', 1], [{ id: 2 }, { id: 3 }])).toEqual({
      list: [{ id: 1 }, { id: 2 }, { id: 3 }],
    });
  });
});
