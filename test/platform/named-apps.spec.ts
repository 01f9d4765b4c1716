import { Inject, Injectable, Module } from '@nestjs/common';
import type { DynamicModule, OnModuleInit, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { describe, expect, it } from '@jest/globals';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { signedSessionToken, signedWebhook } from '../../lib/dev-store/index.js';
import {
  AuthService,
  AuthenticatedSessionGuard,
  InvalidLifecycleHandlerError,
  InvalidWebhookHandlerError,
  MemorySessionStorage,
  OnInstalled,
  PlatformConfig,
  PlatformModule,
  WebhookContext,
  WebhookHandler,
  getPlatformToken,
} from '../../lib/index.js';
import type { PlatformError, PlatformPlugin, WebhookDelivery } from '../../lib/index.js';
import { platformApp as expressApp } from '../../lib/integrations/express/index.js';
import { appOptions, SHOP } from '../support/app.js';

/** A platform that grants no scope, so that merchants are sent to the consent page. */
const fetchesNothing = async (): Promise<Response> =>
  Response.json({ access_token: 'shpat_0123456789', scope: '' });
const A = { apiKey: 'key-of-a', apiSecretKey: 'secret-of-a', fetch: fetchesNothing };
const B = { apiKey: 'key-of-b', apiSecretKey: 'secret-of-b', fetch: fetchesNothing };

const seen: string[] = [];

@Injectable()
class Handlers {
  @WebhookHandler('PRODUCTS_CREATE')
  inA(@WebhookContext() _: WebhookDelivery): void {
    seen.push('a');
  }

  @WebhookHandler('PRODUCTS_CREATE', { app: 'b' })
  inB(@WebhookContext() _: WebhookDelivery): void {
    seen.push('b');
  }
}

@Injectable()
class NeedsBoth {
  constructor(
    readonly a: PlatformConfig,
    readonly authA: AuthService,
    @Inject(getPlatformToken(PlatformConfig, 'b')) readonly b: PlatformConfig,
    @Inject(getPlatformToken(AuthService, 'b')) readonly authB: AuthService,
  ) {}
}

const TWO_APPS = [
  PlatformModule.forRoot({ ...appOptions(A) }),
  PlatformModule.forRootAsync({
    name: 'b',
    paths: { auth: '/b/auth', webhooks: '/b/webhooks', exitIframe: '/b/exitiframe' },
    useFactory: () => appOptions(B),
  }),
];

async function open(): Promise<{
  url: string;
  app: Awaited<ReturnType<typeof NestFactory.create>>;
}> {
  @Module({ imports: TWO_APPS, providers: [Handlers, NeedsBoth] })
  class App {}
  const app = await NestFactory.create(App, new ExpressAdapter(), {
    logger: false,
    abortOnError: false,
  });
  await app.listen(0, '127.0.0.1');
  return {
    app,
    url: `http://127.0.0.1:${((app.getHttpServer() as Server).address() as AddressInfo).port}`,
  };
}

describe('two apps in one process', () => {
  it('refuse each other’s webhooks and run their own handlers only', async () => {
    const { app, url } = await open();
    const deliver = async (path: string, secret: string): Promise<number> => {
      const { headers, body } = signedWebhook({
        secret,
        shop: SHOP,
        topic: 'products/create',
        payload: { id: 1 },
      });
      return (await fetch(url + path, { method: 'POST', headers, body: new Uint8Array(body) }))
        .status;
    };
    try {
      expect(await deliver('/webhooks', A.apiSecretKey)).toBe(200);
      expect(await deliver('/b/webhooks', B.apiSecretKey)).toBe(200);
      expect(seen).toEqual(['a', 'b']);
      expect(await deliver('/webhooks', B.apiSecretKey)).toBe(401);
      expect(await deliver('/b/webhooks', A.apiSecretKey)).toBe(401);
      expect(seen).toEqual(['a', 'b']);
    } finally {
      await app.close();
    }
  });

  it('refuse each other’s session tokens and send merchants to their own consent page', async () => {
    const { app, url } = await open();
    try {
      const { a, b, authA, authB } = app.get(NeedsBoth);
      expect([a.apiKey, b.apiKey]).toEqual([A.apiKey, B.apiKey]);
      const request = (token: string) => ({
        method: 'GET',
        url: new URL('https://app.example.com/page'),
        path: '/page',
        header: (name: string) =>
          name.toLowerCase() === 'authorization' ? `Bearer ${token}` : undefined,
        rawBody: () => Promise.resolve(Buffer.alloc(0)),
      });
      const decide = async (auth: AuthService, { apiKey, apiSecretKey }: typeof A) =>
        auth.authenticateAdmin(
          request(signedSessionToken({ apiKey, secret: apiSecretKey, shop: SHOP })),
        );
      expect(await decide(authA, A)).toMatchObject({
        kind: 'denied',
        status: 403,
        reason: 'scopes_changed',
      });
      expect(await decide(authA, B)).toMatchObject({ kind: 'denied', status: 401 });
      expect(await decide(authB, B)).toMatchObject({ kind: 'denied', status: 403 });
      expect(await decide(authB, A)).toMatchObject({ kind: 'denied', status: 401 });

      const location = async (path: string) =>
        (await fetch(`${url}${path}?shop=${SHOP}`, { redirect: 'manual' })).headers.get(
          'location',
        ) ?? '';
      expect(await location('/auth')).toContain('client_id=key-of-a');
      expect(await location('/b/auth')).toContain('client_id=key-of-b');
      expect(decodeURIComponent(await location('/b/auth'))).toContain(
        'redirect_uri=https://app.example.com/b/auth/callback',
      );
    } finally {
      await app.close();
    }
  });

  it('each have a guard of their own', () => {
    expect(AuthenticatedSessionGuard.of('b')).not.toBe(AuthenticatedSessionGuard.of('c'));
  });

  it('fail at boot when a name is taken twice', async () => {
    @Module({
      imports: [PlatformModule.forRoot(appOptions(A)), PlatformModule.forRoot(appOptions(B))],
    })
    class Twice {}
    await expect(
      NestFactory.createApplicationContext(Twice, { logger: false, abortOnError: false }),
    ).rejects.toThrow(/"default" is registered 2 times/);
  });
});

describe('a handler of an app that is not registered', () => {
  @Injectable()
  class Misspelt {
    @WebhookHandler('PRODUCTS_CREATE', { app: 'bb' })
    onProduct(): void {}
  }
  @Injectable()
  class MisspeltEvent {
    @OnInstalled({ app: 'bb' })
    onInstalled(): void {}
  }
  const modules = (provider: Type): DynamicModule[] => [
    { module: class Handlers {}, providers: [provider] },
    ...TWO_APPS,
  ];
  const bootWith = (imports: DynamicModule[]): Promise<unknown> =>
    NestFactory.createApplicationContext({ module: class App {}, imports } as DynamicModule, {
      logger: false,
      abortOnError: false,
    });

  // Nothing ran, and nothing said so.
  it.each<[string, Type, typeof PlatformError]>([
    ['Misspelt.onProduct', Misspelt, InvalidWebhookHandlerError],
    ['MisspeltEvent.onInstalled', MisspeltEvent, InvalidLifecycleHandlerError],
  ])('fails at boot, in whatever order the apps stand: %s', async (name, provider, error) => {
    for (const imports of [modules(provider), modules(provider).reverse()]) {
      const failure = await bootWith(imports).catch((thrown: unknown) => thrown);
      expect(failure).toBeInstanceOf(error);
      expect((failure as Error).message).toMatch(
        new RegExp(`^${name} .* of the app "bb", which .*("default", "b"|"b", "default")\\.`),
      );
    }
  });

  it('fails the boot of a facade, which has one app', async () => {
    const app = expressApp({
      api: {
        ...A,
        scopes: [],
        hostName: 'app.example.com',
        apiVersion: appOptions().apiVersion,
        logger: appOptions().logger!,
      },
      modules: [{ module: class Handlers {}, providers: [Misspelt] }],
    });
    await expect(app.ready()).rejects.toMatchObject({
      code: 'ERR_BOOT_FAILED',
      cause: expect.any(InvalidWebhookHandlerError),
    });
    await expect(app.ready()).rejects.toThrow('Those that are: "default".');
    await app.close();
  });
});

describe('options that come too late', () => {
  it('are a boot error that says where they belong', async () => {
    @Module({
      imports: [
        PlatformModule.forRootAsync({
          useFactory: () => ({ ...appOptions(), paths: { auth: '/late' } }),
        }),
      ],
    })
    class Late {}
    await expect(
      NestFactory.createApplicationContext(Late, { logger: false, abortOnError: false }),
    ).rejects.toThrow(/paths: comes too late from useFactory/);
  });
});

describe('a plug-in of a named app', () => {
  // Injected the services of the unnamed app: requests ran with another app's secrets.
  it('is given the services of its own app by class', async () => {
    const found: string[] = [];
    @Injectable()
    class Jobs {
      constructor(config: PlatformConfig) {
        found.push(config.apiKey);
      }
    }
    class JobsModule {}
    const plugin: PlatformPlugin = {
      for: (app) => ({ module: JobsModule, imports: [...app.imports], providers: [Jobs] }),
    };
    const paths = { auth: '/b/auth', webhooks: '/b/webhooks', exitIframe: '/b/exit' };
    @Module({
      imports: [
        PlatformModule.forRoot({ ...appOptions(A) }),
        PlatformModule.forRoot({ ...appOptions(B), name: 'b', paths, plugins: [plugin] }),
      ],
    })
    class Both {}
    const context = await NestFactory.createApplicationContext(Both, {
      logger: false,
      abortOnError: false,
    });
    expect(found).toEqual(['key-of-b']);
    await context.close();
  });
});

describe('the token of a service of a named app', () => {
  it('is that of the class, whatever other classes are called', () => {
    const [one, other] = [class Same {}, class Same {}];
    expect(getPlatformToken(one, 'b')).toBe(getPlatformToken(one, 'b'));
    expect(getPlatformToken(one, 'b')).not.toBe(getPlatformToken(other, 'b'));
    expect(getPlatformToken(one, 'b')).not.toBe(getPlatformToken(one, 'c'));
  });
});

describe('a storage that is that of another app', () => {
  it('is refused before any module of the user starts', async () => {
    const started: string[] = [];
    @Injectable()
    class Migrations implements OnModuleInit {
      onModuleInit(): void {
        started.push('migrations');
      }
    }
    @Module({ providers: [Migrations] })
    class Deep {}
    const sessionStorage = new MemorySessionStorage();
    const paths = { auth: '/b/auth', webhooks: '/b/webhooks', exitIframe: '/b/exit' };
    @Module({
      imports: [
        Deep,
        PlatformModule.forRoot({ ...appOptions({ ...A, sessionStorage }) }),
        PlatformModule.forRoot({ ...appOptions({ ...B, sessionStorage }), name: 'b', paths }),
      ],
    })
    class Shared {}
    const boot = (root: object): Promise<unknown> =>
      NestFactory.createApplicationContext(root, { logger: false, abortOnError: false });
    await expect(boot(Shared)).rejects.toThrow(/sessionStorage: is that of another app/);
    expect(started).toEqual([]);
    // The app that had started holds it no longer.
    @Module({ imports: [PlatformModule.forRoot({ ...appOptions({ ...B, sessionStorage }) })] })
    class Alone {}
    const context = (await boot(Alone)) as { close(): Promise<void> };
    await context.close();
  });
});
