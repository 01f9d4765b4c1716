import { describe, expect, it } from '@jest/globals';

import { ADMIN_API_PATH, SHOP_DOMAINS } from '../../lib/core/vendor.js';
import { WIRE } from '../../lib/dev-store/base/vendor.js';
import { superLinearAt, takesLonger } from '../support/growth.js';
import { expressionsIn } from './expression-source.js';
import { grown, hostileStrings } from './hostile-strings.js';
import type { HostileString } from './hostile-strings.js';
import { libFiles, readSource } from './source-tree.js';

/** What the expressions that are put together at run time are made of. */
const GIVEN = { SHOP_DOMAINS, ADMIN_API_PATH, WIRE, flag: 'isOnline' };
/** Characters at which quadratic time shows, and linear time does not. */
const SCREENED = 4_000;
/** Ten times what a linear expression takes for that many, in milliseconds. */
const SUSPICIOUS = 0.2;
const LONGEST = 64_000;

/** Without one of these an expression looks at a few characters from each place, and no more. */
const REPEATED = /[*+]|\{\d+,\d*\}/;

/** The string that an expression takes more than linear time to look through, if one is found. */
function weakness(expression: RegExp): HostileString | undefined {
  if (!REPEATED.test(expression.source)) return undefined;
  const look = (text: string): unknown =>
    expression.global ? text.replace(expression, '') : expression.exec(text);
  return hostileStrings(expression).find((hostile) => {
    // Exponential time shows in what is short, and would take for ever in what is long.
    const isExplosive = [16, 20, 24].some((size) =>
      takesLonger(() => look(grown(hostile, size)), SUSPICIOUS),
    );
    if (!isExplosive && !takesLonger(() => look(grown(hostile, SCREENED)), SUSPICIOUS))
      return false;
    return superLinearAt((size) => look(grown(hostile, size)), LONGEST) !== undefined;
  });
}

describe('every regular expression in lib', () => {
  const expressions = libFiles()
    .filter((path) => !path.includes('/generated/'))
    .flatMap((path) => expressionsIn(path, readSource(path), GIVEN));

  it('is found', () => {
    expect(expressions.length).toBeGreaterThan(150);
  });

  it.each(expressions.map(({ where, expression }) => [where, expression] as const))(
    'is linear: %s',
    (_where, expression) => {
      expect(weakness(expression)).toBeUndefined();
    },
  );
});

describe('the check itself', () => {
  it.each([
    /\/+$/,
    /=+$/,
    /(a+)+$/,
    /<[^>]*>/g,
    /^bearer (\s*\w+\s*)*$/i,
    /^\s+|\s+$/g,
    /\beyJ[A-Za-z0-9_-]{5,}\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*/g,
    /^(?:\w+\s?)+:/,
    /"(?:\\.|[^"])*"/,
    /^pubsub:\/\/(.+)+:$/,
  ])('sees that %s is not', (expression) => {
    expect(weakness(expression)).toBeDefined();
  });

  it('collects what is written as a literal and what is put together', () => {
    const text = 'const a = /x+/g;\nconst b = new RegExp(`^${HOST}$`, "i");\n// /not me/';
    expect(
      expressionsIn('sample.ts', text, { HOST: 'h' }).map(({ expression }) => expression),
    ).toEqual([/x+/g, /^h$/i]);
    expect(() => expressionsIn('sample.ts', text)).toThrow(ReferenceError);
  });
});
