import { describe, expect, it } from '@jest/globals';

import { parseJson } from '../../lib/core/json.js';

describe('the body of a request', () => {
  it('is parsed without the byte-order mark in front of it, and with those in its texts', () => {
    expect(parseJson('\uFEFF{"title":"\uFEFFBoots"}')).toEqual({ title: '\uFEFFBoots' });
    expect(parseJson(' [1]')).toEqual([1]);
  });

  it.each(['', '\uFEFF', '\uFEFF\uFEFF{}', '{'])('is refused when it is no JSON: %j', (body) => {
    expect(() => parseJson(body)).toThrow(SyntaxError);
  });
});
