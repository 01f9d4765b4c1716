import { runInNewContext } from 'node:vm';

import { describe, expect, it } from '@jest/globals';

import { LogSeverity, PlatformLogger } from '../../lib/core/logger.js';
import { systemClock } from '../../lib/core/time/clock.js';

const SECRET = 's3cr3t-value';

/** What is written for one fact: as a line of text, and as fields. */
function written(fact: unknown): { line: string; fields: Record<string, unknown> } {
  const lines: string[] = [];
  const given: unknown[] = [];
  const log = (_: LogSeverity, line: string): unknown => lines.push(line);
  const take = (line: unknown): unknown => given.push(line);
  new PlatformLogger({ log }, systemClock, [SECRET]).error('It failed', { fact });
  new PlatformLogger({ log: take, error: take, warn: take }, systemClock, [SECRET]).error(
    'It failed',
    { fact },
  );
  expect([lines.length, given.length]).toEqual([1, 1]);
  return { line: lines[0]!, fields: JSON.parse(JSON.stringify(given[0])) };
}

const thrower = (): never => {
  throw new Error('a trap');
};

function errorWith(properties: PropertyDescriptorMap): Error {
  return Object.defineProperties(new Error('broke'), properties);
}

const circular: Record<string, unknown> = { shop: 'a.myshopify.com' };
circular['self'] = circular;
const deep = Array.from({ length: 2_000 }).reduce<object>((inner) => ({ inner }), {});
const { proxy: revoked, revoke } = Proxy.revocable({}, {});
revoke();

describe('what is thrown is logged', () => {
  it.each<[string, unknown, RegExp]>([
    ['null', null, /\{fact: null\}/],
    ['undefined', undefined, /\{fact: undefined\}/],
    ['a symbol', Symbol('out of stock'), /Symbol\(out of stock\)/],
    ['a bigint', { id: 12n }, /\{"id":"12"\}/],
    ['a function', function onProduct() {}, /\[function onProduct\]/],
    ['an object without a prototype', Object.assign(Object.create(null), { a: 1 }), /\{"a":1\}/],
    [
      'an error whose message is a number',
      errorWith({ message: { value: 5 } }),
      /\{fact: Error: 5\}/,
    ],
    [
      'an error whose message is a symbol',
      errorWith({ message: { value: Symbol('x') } }),
      /Error: Symbol\(x\)/,
    ],
    [
      'an error whose message has no text',
      errorWith({ message: { value: Object.create(null) } }),
      /Error: \[unreadable\]/,
    ],
    [
      'an error whose members throw',
      errorWith({
        // First: replacing it makes the engine read the others.
        stack: { get: thrower },
        name: { get: thrower },
        message: { get: thrower },
        code: { get: thrower },
        cause: { get: thrower },
        errors: { get: thrower },
      }),
      /Error: \[unreadable\]/,
    ],
    ['an error without a stack', errorWith({ stack: { value: undefined } }), /\nError: broke$/],
    [
      'an object with a getter that throws',
      {
        shop: 'a.myshopify.com',
        get total() {
          return thrower();
        },
      },
      /\{"shop":"a\.myshopify\.com","total":"\[unreadable\]"\}/,
    ],
    ['an object whose toJSON throws', { toJSON: thrower }, /\{fact: \[unreadable\]\}/],
    ['a proxy that throws', new Proxy({}, { get: thrower, ownKeys: thrower }), /\[unreadable\]/],
    [
      'a proxy of an error that throws',
      new Proxy(new Error('x'), { get: thrower, getPrototypeOf: thrower }),
      /\[unreadable\]/,
    ],
    ['a proxy that is revoked', revoked, /\{fact: \[unreadable\]\}/],
    ['a circle', circular, /\{"shop":"a\.myshopify\.com","self":"\[circular\]"\}/],
    ['an object that goes deep', deep, /"\[…\]"/],
    ['bytes', { body1: Buffer.alloc(1_000_000) }, /\{"body1":"\[1000000 bytes\]"\}/],
    ['a date', { at: new Date(0) }, /1970-01-01T00:00:00\.000Z/],
  ])('%s', (_, fact, expected) => {
    const { line, fields } = written(fact);
    expect(line).toMatch(/It failed/);
    expect(line).toMatch(expected);
    expect(fields).toMatchObject({ message: 'It failed' });
  });

  it('no more than a hundred entries of a value', () => {
    const { line } = written({
      list: Array.from({ length: 5_000 }, (_, index) => index),
      map: Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`n${index}`, index])),
    });
    expect(line).toContain('98,99,"4900 more"]');
    expect(line).toContain('"n99":99,"…":"4900 more"}');
  });
});

describe('an error is logged', () => {
  it('with name, message and stack when it comes from another realm', () => {
    const error: unknown = runInNewContext(
      `new TypeError('broke with ${SECRET}', { cause: new RangeError('deep') })`,
    );
    expect(error instanceof Error).toBe(false);
    const { line, fields } = written(error);
    expect(line).toContain(
      '{fact: TypeError: broke with [redacted]; caused by RangeError: deep}\nTypeError: broke with [redacted]\n    at ',
    );
    expect(line).toContain('\nCaused by RangeError: deep\n');
    expect(fields['fact']).toMatchObject({
      name: 'TypeError',
      message: 'broke with [redacted]',
      cause: { name: 'RangeError', message: 'deep' },
    });
  });

  it('with those it joins', () => {
    const joined = new AggregateError(
      [new RangeError(`one ${SECRET}`), 'no error', new TypeError('two')],
      'both failed',
    );
    const { line, fields } = written(joined);
    expect(line.split('\n')[0]).toContain(
      '{fact: AggregateError: both failed; with RangeError: one [redacted]; with TypeError: two}',
    );
    expect(line).toContain('\nWith RangeError: one [redacted]\n    at ');
    expect(line).not.toContain(SECRET);
    expect(fields['fact']).toMatchObject({
      name: 'AggregateError',
      errors: [
        { name: 'RangeError', message: 'one [redacted]' },
        { name: 'TypeError', message: 'two', stack: expect.stringContaining('\n    at ') },
      ],
    });
  });

  it('inside a list or an object', () => {
    const { line, fields } = written({ failures: [{ handler: 'a', error: new TypeError('x') }] });
    expect(line).toContain('"name":"TypeError","message":"x","stack":"TypeError: x');
    expect(fields).toMatchObject({
      fact: { failures: [{ handler: 'a', error: { name: 'TypeError', message: 'x' } }] },
    });
  });

  it('once, though it is its own cause', () => {
    const error = new Error('broke');
    error.cause = new Error('outer', { cause: error });
    expect(written(error).line.split('\n')[0]).toContain(
      '{fact: Error: broke; caused by Error: outer}',
    );
  });

  it('with seven of the errors behind it at most', () => {
    const chain = Array.from({ length: 50 }).reduce<Error | undefined>(
      (cause, _, index) => new Error(`number ${49 - index}`, { cause }),
      undefined,
    );
    const joined = new AggregateError(
      Array.from({ length: 50 }, (_, index) => new Error(`number ${index + 1}`)),
      'number 0',
    );
    for (const error of [chain, joined])
      expect(
        written(error)
          .line.split('\n')[0]!
          .match(/number \d+/g),
      ).toEqual(Array.from({ length: 8 }, (_, index) => `number ${index}`));
  });

  it('in one line, whatever others have typed', () => {
    const typed = 'a\r\n[shopwright/INFO] b\u001b[2J\u202e\u2028\0c\t';
    const inOneLine = 'a\\r\\n[shopwright/INFO] b\\u001b[2J\\u202e\\u2028\\u0000c\t';
    expect(written(typed).line).toBe(`[shopwright/ERROR] It failed | {fact: ${inOneLine}}`);
    // Fields are for loggers that write JSON, which has a form for all of it.
    expect(written(typed).fields['fact']).toBe(typed);
    const [first, ...stack] = written(new Error(typed)).line.split('\n');
    expect(first).toContain(`{fact: Error: ${inOneLine}}`);
    // A stack has lines, of which none looks like one of the log.
    expect(stack.filter((line) => line.startsWith('[shopwright/'))).toEqual([]);
    expect(stack).toContain('    [shopwright/INFO] b\\u001b[2J\\u202e\\u2028\\u0000c\t');
    // eslint-disable-next-line no-control-regex -- they are what must not be there
    expect(stack.join('\n')).not.toMatch(/[\0\r\u001b\u2028\u202e]/);
  });
});
