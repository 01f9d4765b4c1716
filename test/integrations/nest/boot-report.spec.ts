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

/** The lines of level `log` that the toolkit writes at boot, as a logger of JSON gets them. */
async function linesOf(imports: DynamicModule[], prefix?: string): Promise<Fields[]> {
  const lines: Fields[] = [];
  const ignore = (): void => {};
  const logger: LoggerService = {
    log: (line: unknown, context: unknown) => {
      const fields = JSON.parse(JSON.stringify(line)) as Fields;
      if (context === 'shopwright' && fields.message === STARTED) lines.push(fields);
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
