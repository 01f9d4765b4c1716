import { Logger, Module } from '@nestjs/common';
import type { DynamicModule, LoggerService } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { afterEach, describe, expect, it } from '@jest/globals';

import { LogSeverity, PlatformModule } from '../../../lib/index.js';
import { appOptions } from '../../support/app.js';
import { handlerModule } from '../../support/hosts.js';

const { logger: _, ...OPTIONS } = appOptions({
  webhooks: {
    ORDERS_PAID: { deliveryMethod: 'http', callbackUrl: '/hooks/paid', callback: () => {} },
    ORDERS_UPDATED: { deliveryMethod: 'pubsub', pubSubProject: 'shop', pubSubTopic: 'orders' },
  },
});

const STARTED = 'The app has started';

interface Fields {
  readonly message: string;
  readonly [name: string]: unknown;
}

afterEach(() => Logger.overrideLogger(false));

/** What the toolkit says that has started, as a logger of JSON gets it. */
async function linesOf(imports: DynamicModule[], prefix?: string): Promise<Fields[]> {
  const lines = await allLinesOf(imports, prefix);
  return lines.map(([, fields]) => fields).filter(({ message }) => message === STARTED);
}

/** The lines of level `log` that the toolkit writes at boot, with their contexts. */
async function allLinesOf(imports: DynamicModule[], prefix?: string): Promise<[string, Fields][]> {
  const lines: [string, Fields][] = [];
  const ignore = (): void => {};
  const logger: LoggerService = {
    log: (line: unknown, context: unknown) => {
      const fields = JSON.parse(JSON.stringify(line)) as Fields;
      if (String(context).startsWith('shopwright')) lines.push([String(context), fields]);
    },
    error: ignore,
    warn: ignore,
  };
  @Module({ imports })
  class App {}
  const app = await NestFactory.create(App, new ExpressAdapter(), { logger, abortOnError: false });
  if (prefix !== undefined) app.setGlobalPrefix(prefix);
  await app.init();
  await app.close();
  return lines;
}

describe('the line that an app writes when it has started', () => {
  it('lists routes, handlers and subscriptions as fields', async () => {
    const app = PlatformModule.forRoot(OPTIONS);
    expect(await linesOf([app, handlerModule([], undefined)], 'api')).toEqual([
      {
        message: STARTED,
        routes: [
          'GET /api/auth',
          'GET /api/auth/callback',
          'GET /api/exitiframe',
          'GET /api/auth/session-token',
          'POST /api/webhooks',
          'POST /api/hooks/paid',
        ],
        handlers: ['ORDERS_PAID callback', 'PRODUCTS_CREATE Handlers.onProduct'],
        subscriptions: [
          'ORDERS_PAID https://app.example.com/api/hooks/paid',
          'ORDERS_UPDATED pubsub://shop:orders',
          'PRODUCTS_CREATE https://app.example.com/api/webhooks',
          'APP_UNINSTALLED https://app.example.com/api/webhooks',
          'APP_SCOPES_UPDATE https://app.example.com/api/webhooks',
        ],
      },
    ]);
  });

  // The two said the same, and nobody could tell which of them it was about.
  it('names a named app in its context, as every other line does', async () => {
    const b = { ...OPTIONS, name: 'b', apiKey: 'b', webhooks: {}, routes: false };
    const lines = await allLinesOf([PlatformModule.forRoot(OPTIONS), PlatformModule.forRoot(b)]);
    const contexts = lines.map(([context]) => context);
    expect(new Set(contexts)).toEqual(new Set(['shopwright', 'shopwright:b']));
    for (const [context, { message, app }] of lines)
      if (message === STARTED) expect(context).toBe(app === 'b' ? 'shopwright:b' : 'shopwright');
  });

  it('names the app where there are several, and no route where there is none', async () => {
    const b = { ...OPTIONS, name: 'b', apiKey: 'b', webhooks: {}, routes: false };
    const [, line] = await linesOf([PlatformModule.forRoot(OPTIONS), PlatformModule.forRoot(b)]);
    expect(line).toEqual({
      message: STARTED,
      app: 'b',
      routes: [],
      handlers: [],
      subscriptions: [],
    });
  });

  it('shows no credentials of an address', async () => {
    const callbackUrl = 'https://user:pa55w0rd@relay.example/hook?key=s3cret';
    const webhooks = { ORDERS_PAID: { deliveryMethod: 'http' as const, callbackUrl } };
    const [line] = await linesOf([PlatformModule.forRoot({ ...OPTIONS, webhooks })]);
    expect(line?.['subscriptions']).toContain(
      'ORDERS_PAID https://[redacted]@relay.example/hook?key=[redacted]',
    );
    expect(JSON.stringify(line)).not.toMatch(/pa55w0rd|s3cret/);
  });

  it('is of level log, so that a logger of warnings does not write it', async () => {
    const lines: [LogSeverity, string][] = [];
    for (const level of [LogSeverity.Warning, LogSeverity.Info]) {
      const logger = { level, log: (...line: [LogSeverity, string]) => void lines.push(line) };
      await linesOf([PlatformModule.forRoot({ ...OPTIONS, logger })]);
    }
    const started = lines.filter(([, line]) => line.includes(STARTED));
    expect(started.map(([severity]) => severity)).toEqual([LogSeverity.Info]);
  });
});
