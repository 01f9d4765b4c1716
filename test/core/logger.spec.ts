import { ConsoleLogger, Logger } from '@nestjs/common';
import type { ConsoleLoggerOptions } from '@nestjs/common';
import { describe, expect, it, jest } from '@jest/globals';
import { PinoLogger, Logger as PinoService } from 'nestjs-pino';

import { systemClock } from '../../lib/core/time/clock.js';
import { LogSeverity, PlatformLogger } from '../../lib/core/logger.js';
import type { LogSink, LoggerServiceLike } from '../../lib/core/logger.js';

function loggerTo(
  lines: string[],
  sink: LogSink = {},
  secrets: readonly string[] = [],
): PlatformLogger {
  return new PlatformLogger(
    { ...sink, log: (_severity: LogSeverity, line: string) => lines.push(line) },
    systemClock,
    secrets,
  );
}

let writePino: (line: string) => unknown;

/** The logger of nestjs-pino, of which a process has one. */
function pinoTo(write: (line: string) => unknown): LoggerServiceLike {
  writePino = write;
  const params = { pinoHttp: { stream: { write: (line: string) => writePino(line) } } };
  return new PinoService(new PinoLogger(params), params);
}

describe('the logger', () => {
  it('writes severity, message and facts in one line', () => {
    const lines: string[] = [];
    loggerTo(lines).warn('Something happened', { shop: 'a.myshopify.com', status: 404 });
    expect(lines).toEqual([
      '[shopwright/WARNING] Something happened | {shop: a.myshopify.com, status: 404}',
    ]);
  });

  it('leaves out what is less severe than its level, which is info by default', () => {
    const lines: string[] = [];
    for (const level of [undefined, LogSeverity.Error, LogSeverity.Debug]) {
      const logger = loggerTo(lines, { level });
      logger.error('e');
      logger.warn('w');
      logger.info('i');
      logger.debug('d');
    }
    expect(lines.map((line) => line.at(-1)).join('')).toBe('ewi' + 'e' + 'ewid');
  });

  it('stamps the time when asked to', () => {
    const lines: string[] = [];
    loggerTo(lines, { timestamps: true }).info('x');
    expect(lines[0]).toMatch(/^\[\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ\] \[shopwright\/INFO\] x$/);
  });

  it('speaks to a LoggerService by its own methods', () => {
    const service = { log: jest.fn(), error: jest.fn(), warn: jest.fn(), debug: jest.fn() };
    const logger = new PlatformLogger(service, systemClock);
    logger.error('e');
    logger.warn('w');
    logger.info('i');
    logger.debug('d');
    expect(
      [service.error, service.warn, service.log, service.debug].map(
        ({ mock }) => mock.calls.length,
      ),
    ).toEqual([1, 1, 1, 1]);
  });

  describe('makes no debug line that a logger service would drop', () => {
    /** How many debug lines it is given, of one. */
    function linesTo(service: LoggerServiceLike): number {
      const logger = new PlatformLogger(service, systemClock);
      const debug = service.debug && jest.spyOn(service as Required<LoggerServiceLike>, 'debug');
      logger.debug('It went', { shop: 'a.myshopify.com' });
      const lines = debug?.mock.calls.length ?? 0;
      expect(logger.writes(LogSeverity.Debug)).toBe(lines > 0);
      expect(logger.writes(LogSeverity.Info)).toBe(true);
      debug?.mockRestore();
      return lines;
    }

    it("by Nest's own level, also when it changes", () => {
      const print = jest.spyOn(console, 'log').mockImplementation(() => {});
      const service = new ConsoleLogger('app', { logLevels: ['log'], forceConsole: true });
      expect(linesTo(service)).toBe(0);
      service.setLogLevels(['debug']);
      expect(linesTo(service)).toBe(1);
      print.mockRestore();
    });

    it("by the level of Nest's Logger, which its class knows", () => {
      try {
        Logger.overrideLogger(['error']);
        expect(linesTo(new Logger('app'))).toBe(0);
      } finally {
        Logger.overrideLogger(['log', 'error', 'warn', 'debug', 'verbose', 'fatal']);
      }
    });

    it('without a method for it', () => {
      expect(linesTo({ log() {}, error() {}, warn() {} })).toBe(0);
    });

    it('but makes it for one that does not know', () => {
      const service = { log() {}, error() {}, warn() {}, debug() {} };
      expect(linesTo(service)).toBe(1);
      const isLevelEnabled = (): boolean => {
        throw new Error('unknown level');
      };
      expect(linesTo({ ...service, isLevelEnabled })).toBe(1);
    });
  });

  it.each<[string, () => unknown]>([
    [
      'throws',
      () => {
        throw new Error('full');
      },
    ],
    ['rejects', () => Promise.reject(new Error('full'))],
  ])('goes on when its sink %s', async (_, log) => {
    const logger = new PlatformLogger({ log }, systemClock);
    expect(() => logger.error('x')).not.toThrow();
    await new Promise(setImmediate);
  });

  it.each<[string, string, object]>([
    ['a secret of the app', 'key is s3cr3t-value', {}],
    ['a token by its looks', 'got shpat_0123456789abcdef', {}],
    ['a session token', 'got eyJhbGciOiJIUzI1NiJ9.eyJhIjoxfQ.c2VjcmV0LXZhbHVl', {}],
    [
      'parameters of an address',
      'GET https://x/?code=abcdef123&shop=a.b&hmac=fffff&id_token=ggggg&state=hhhhh',
      {},
    ],
    ['a header', 'Authorization: Bearer abcdef.ghi', {}],
    [
      'facts by their name',
      'x',
      { accessToken: 'abcdef', nested: { client_secret: 'fffff' }, cookie: 'ggggg' },
    ],
    [
      'an error and its cause',
      'x',
      { error: new Error('shpat_0123456789abcdef', { cause: new Error('Bearer abcdef') }) },
    ],
  ])('never writes %s', (_, message, context) => {
    const lines: string[] = [];
    loggerTo(lines, { level: LogSeverity.Debug }, ['s3cr3t-value']).debug(message, { ...context });
    expect(lines[0]).toContain('[redacted]');
    for (const secret of [
      's3cr3t-value',
      '0123456789abcdef',
      'eyJhIjoxfQ',
      'abcdef',
      'fffff',
      'ggggg',
      'hhhhh',
    ])
      expect(lines[0]).not.toContain(secret);
  });

  it('writes an error by code and message, its cause after it, and a circle as one', () => {
    const lines: string[] = [];
    const circular: Record<string, unknown> = {};
    circular['self'] = circular;
    const error = Object.assign(new TypeError('broke', { cause: new RangeError('deep') }), {
      code: 'ERR_X',
    });
    loggerTo(lines).error('x', { error, circular });
    expect(lines[0]!.split('\n')[0]).toBe(
      '[shopwright/ERROR] x | {error: TypeError (ERR_X): broke; caused by RangeError: deep, circular: {"self":"[circular]"}}',
    );
  });

  it('writes the stack of an error and of its causes below the line, but none below a warning', () => {
    const lines: string[] = [];
    const error = new TypeError('broke', { cause: new RangeError('Bearer abcdef') });
    loggerTo(lines).error('x', { error });
    loggerTo(lines).warn('x', { error });
    expect(lines[0]).toMatch(
      /^\[shopwright\/ERROR\] x \| .*\nTypeError: broke\n +at .*logger\.spec[^]*\nCaused by RangeError: Bearer \[redacted\]\n +at /,
    );
    expect(lines[1]).not.toContain('\n');
  });
});

describe('what a logger service is given', () => {
  const SECRET = 's3cr3t-value';
  const error = Object.assign(
    new TypeError(`broke with ${SECRET}`, { cause: new RangeError('deep') }),
    { code: 'ERR_X' },
  );
  const context = {
    shop: 'a.myshopify.com',
    attempts: 2,
    accessToken: 'abcdef',
    nested: { client_secret: 'fffff', token: 1, at: `${SECRET}!`, list: [true, null] },
    error,
    thrown: undefined,
  };

  /** Logs an error to it, and returns what it wrote. */
  function linesOf(make: (write: (line: string) => void) => LoggerServiceLike): string[] {
    const lines: string[] = [];
    const logger = new PlatformLogger(
      make((line) => lines.push(line)),
      systemClock,
      [SECRET],
    );
    logger.error('It failed', context);
    return lines;
  }

  const FIELDS = {
    shop: 'a.myshopify.com',
    attempts: 2,
    accessToken: '[redacted]',
    nested: {
      client_secret: '[redacted]',
      token: '[redacted]',
      at: '[redacted]!',
      list: [true, null],
    },
    error: {
      name: 'TypeError',
      code: 'ERR_X',
      message: 'broke with [redacted]',
      stack: expect.stringMatching(/^TypeError: broke with \[redacted\]\n +at .*logger\.spec/),
      cause: { name: 'RangeError', message: 'deep', stack: expect.stringContaining('\n    at ') },
    },
  };

  it('has the facts as fields in the JSON of nestjs-pino, and the message where pino has it', () => {
    const [line, ...more] = linesOf((write) => pinoTo(write));
    expect(more).toEqual([]);
    expect(JSON.parse(line!)).toStrictEqual({
      ...FIELDS,
      msg: 'It failed',
      level: 50,
      time: expect.any(Number),
      pid: process.pid,
      hostname: expect.any(String),
    });
  });

  /** What Nest's own logger writes for it. */
  function written(options: ConsoleLoggerOptions): string[] {
    return linesOf((write) => {
      const nest = new ConsoleLogger('shopwright', { ...options, forceConsole: true });
      return {
        log: (message) => nest.log(message),
        warn: (message) => nest.warn(message),
        error: (message) => {
          const print = jest.spyOn(console, 'error').mockImplementation(write as () => void);
          nest.error(message);
          print.mockRestore();
        },
      };
    });
  }

  it("has them as fields in the JSON of Nest's own logger", () => {
    const [line, ...more] = written({ json: true });
    expect(more).toEqual([]);
    expect(JSON.parse(line!)).toMatchObject({
      level: 'error',
      context: 'shopwright',
      message: { message: 'It failed', ...FIELDS },
    });
    expect(line).not.toContain(SECRET);
  });

  it("is one line in the text of Nest's own logger, with the stack below", () => {
    const [line, ...more] = written({ colors: false });
    expect(more).toEqual([]);
    expect(line).toMatch(
      /ERROR \[shopwright\] It failed \| \{shop: a\.myshopify\.com, attempts: 2, .*\}\nTypeError: broke with \[redacted\]\n +at /,
    );
  });

  describe('keeps its own names when a fact has one of them', () => {
    const NAMES = 'msg message level time pid hostname context stack toJSON toString __proto__';
    const facts = Object.fromEntries([
      ...NAMES.split(' ').map((name) => [name, `fact ${name}`]),
      ['level_', 'fact level_'],
    ]);
    const renamed = Object.fromEntries([
      ...NAMES.split(' ').map((name) => [
        name === 'level' ? 'level__' : `${name}_`,
        `fact ${name}`,
      ]),
      ['level_', 'fact level_'],
    ]);

    it('in the JSON of nestjs-pino', () => {
      const lines: string[] = [];
      const service = pinoTo((line) => lines.push(line));
      new PlatformLogger(service, systemClock).warn('It went', facts);
      expect(lines).toHaveLength(1);
      // A name that stands there twice has the value of the last.
      expect(lines[0]!.match(/"(?:level|time|pid|hostname|msg)":/g)).toHaveLength(5);
      expect(JSON.parse(lines[0]!)).toStrictEqual({
        ...renamed,
        msg: 'It went',
        level: 40,
        time: expect.any(Number),
        pid: process.pid,
        hostname: expect.any(String),
      });
    });

    it('as an object and as a text', () => {
      const given: unknown[] = [];
      const log = (line: unknown): unknown => given.push(line);
      new PlatformLogger({ log, error: log, warn: log }, systemClock).info('It went', facts);
      const [line] = given as [{ message: string }];
      expect(line.message).toBe('It went');
      expect(JSON.parse(JSON.stringify(line))).toStrictEqual({ message: 'It went', ...renamed });
      expect(`${line}`).toMatch(/^It went \| \{.*message: fact message/);
    });
  });

  it('is the line as a text for a service that wants one', () => {
    const lines: string[] = [];
    const write = (message: unknown): void => void lines.push(`${message as string}`);
    const service = { log: write, warn: write, error: write };
    const logger = new PlatformLogger(service, systemClock);
    logger.info('It went', { shop: 'a.myshopify.com' });
    logger.debug('not shown by a service without debug');
    expect(lines).toEqual(['It went | {shop: a.myshopify.com}']);
  });
});
