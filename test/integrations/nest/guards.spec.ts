import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import {
  Catch,
  ConsoleLogger,
  Controller,
  ForbiddenException,
  Get,
  HttpException,
  Module,
  UseGuards,
} from '@nestjs/common';
import type { ArgumentsHost, DynamicModule, ExceptionFilter, Type } from '@nestjs/common';
import { APP_FILTER, HttpAdapterHost, NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { DevStore, signedSessionToken } from '../../../lib/dev-store/index.js';
import {
  AuthenticatedSessionGuard,
  BillingInterval,
  CurrentSession,
  PlatformModule,
  RequiresPlan,
} from '../../../lib/index.js';
import type { PlanRequiredError, Session as CurrentOne } from '../../../lib/index.js';
import { Session, offlineSessionId } from '../../../lib/sessions/session.js';
import { MemorySessionStorage } from '../../../lib/sessions/storages/memory/memory-session.storage.js';
import { API_KEY, API_SECRET, APP_URL, SHOP, appOptions } from '../../support/app.js';

const ADAPTERS = [
  ['Express', () => new ExpressAdapter()],
  ['Fastify', () => new FastifyAdapter()],
] as const;

const PRO = { amount: 20, currencyCode: 'USD', interval: BillingInterval.Every30Days as const };

/** Notes what is asked of it. */
class CountedStorage extends MemorySessionStorage {
  loads = 0;

  override loadSession(id: string): Promise<Session | undefined> {
    this.loads++;
    return super.loadSession(id);
  }
}

/** What Nest has logged as errors. */
const logged: string[] = [];
const errors = new (class extends ConsoleLogger {
  override error(error: unknown): void {
    logged.push(error instanceof Error ? error.message : String(error));
  }
})({ logLevels: ['error'] });

/** The plans that were found missing, in order. */
const missed: string[] = [];
const note = (error: PlanRequiredError): boolean => missed.push(error.plans.join()) > 0;
const refuse = (error: PlanRequiredError): never => {
  missed.push(error.plans.join());
  throw new ForbiddenException('of the app');
};

@Controller()
class Plain {
  @Get('once')
  @UseGuards(AuthenticatedSessionGuard)
  once(@CurrentSession() session: CurrentOne): { shop: string } {
    return { shop: session.shop };
  }

  @Get('two-apps')
  @UseGuards(AuthenticatedSessionGuard, AuthenticatedSessionGuard.of('b'))
  twoApps(@CurrentSession() session: CurrentOne): { shop: string } {
    return { shop: session.shop };
  }

  @Get('paid')
  @RequiresPlan('Pro', { onFailure: 'deny' })
  paid(): object {
    return {};
  }
}

@Controller('layers')
@UseGuards(AuthenticatedSessionGuard)
@RequiresPlan('Pro', { onFailure: note })
class Layers {
  @Get('same')
  @UseGuards(AuthenticatedSessionGuard)
  same(@CurrentSession() session: CurrentOne): { shop: string } {
    return { shop: session.shop };
  }

  @Get('other')
  @RequiresPlan('Gold', { onFailure: note })
  other(@CurrentSession() session: CurrentOne): { shop: string } {
    return { shop: session.shop };
  }
}

@Controller('both')
@RequiresPlan('Pro', { onFailure: note })
class BothApps {
  @Get('handler')
  @RequiresPlan('Pro of b', { app: 'b', onFailure: note })
  handler(): object {
    return {};
  }

  @Get('refused')
  @RequiresPlan('Pro of b', { app: 'b', onFailure: refuse })
  refused(): object {
    return {};
  }
}

@Controller('confused')
class OtherGuard {
  @Get('guard')
  @RequiresPlan('Pro of b', { app: 'b', guard: AuthenticatedSessionGuard, onFailure: note })
  guard(): object {
    return {};
  }

  @Get('order')
  @RequiresPlan('Pro of b', { app: 'b', guard: AuthenticatedSessionGuard, onFailure: note })
  @UseGuards(AuthenticatedSessionGuard.of('b'), AuthenticatedSessionGuard)
  order(): object {
    return {};
  }
}

describe.each(ADAPTERS)('guards of a Nest app on %s', (_, adapter) => {
  let devStore: DevStore;
  let storage: CountedStorage;
  let storageOfB: CountedStorage;
  let close: () => Promise<void>;
  let url: string;

  beforeAll(async () => {
    devStore = await DevStore.open({
      apps: [{ apiKey: API_KEY, apiSecretKey: API_SECRET, appUrl: APP_URL }],
      shops: [SHOP],
      deliveryRetries: [],
    });
  });
  afterAll(() => devStore.close());

  beforeEach(async () => {
    missed.length = 0;
    logged.length = 0;
    const accessToken = devStore.shop().install(API_KEY, { scopes: ['write_products'] });
    storage = await storageWith(accessToken);
    storageOfB = await storageWith(accessToken);
  });
  afterEach(() => close());

  async function storageWith(accessToken: string): Promise<CountedStorage> {
    const storage = new CountedStorage();
    const session = {
      id: offlineSessionId(SHOP),
      shop: SHOP,
      state: '',
      isOnline: false,
      scope: 'write_products',
      accessToken,
    };
    await storage.storeSession(new Session(session));
    return storage;
  }

  /**
   * Two apps with the same key, so that one session token is good for both; their sessions and
   * plans are their own.
   */
  async function open(
    controllers: Type[],
    providers: DynamicModule['providers'] = [],
  ): Promise<void> {
    const { shopOrigin } = devStore;
    @Module({
      imports: [
        PlatformModule.forRoot(
          appOptions({ shopOrigin, billing: { Pro: PRO, Gold: PRO }, sessionStorage: storage }),
        ),
        PlatformModule.forRoot({
          ...appOptions({ shopOrigin, billing: { 'Pro of b': PRO }, sessionStorage: storageOfB }),
          name: 'b',
          paths: { auth: '/b/auth', webhooks: '/b/webhooks', exitIframe: '/b/exitiframe' },
        }),
      ],
      controllers,
      providers,
    })
    class App {}
    const app = await NestFactory.create(App, adapter(), {
      logger: errors,
      abortOnError: false,
    });
    await app.listen(0, '127.0.0.1');
    url = `http://127.0.0.1:${((app.getHttpServer() as Server).address() as AddressInfo).port}`;
    close = () => app.close();
  }

  const token = (): string =>
    signedSessionToken({ apiKey: API_KEY, secret: API_SECRET, shop: SHOP });
  const get = (
    path: string,
    headers: Record<string, string> = { authorization: `Bearer ${token()}` },
  ) => fetch(url + path, { headers, redirect: 'manual' });

  it('load the session once, however many layers ask for it', async () => {
    await open([Plain, Layers]);
    expect((await get('/once')).status).toBe(200);
    const loadsOfOne = storage.loads;
    storage.loads = 0;
    const response = await get('/layers/same');
    expect([response.status, await response.json()]).toEqual([200, { shop: SHOP }]);
    expect([loadsOfOne, storage.loads]).toEqual([1, 1]);
  });

  it('do not take the session of one app for that of another', async () => {
    await open([Plain]);
    expect((await get('/two-apps')).status).toBe(200);
    expect([storage.loads, storageOfB.loads]).toEqual([1, 1]);
  });

  it('ask once for what a controller requires, and for what a handler requires in its place', async () => {
    await open([Layers]);
    expect((await get('/layers/same')).status).toBe(200);
    expect(missed).toEqual(['Pro']);
    missed.length = 0;
    expect((await get('/layers/other')).status).toBe(200);
    expect(missed).toEqual(['Gold']);
  });

  it('require the plans of each app, wherever they are named', async () => {
    await open([BothApps]);
    expect((await get('/both/handler')).status).toBe(200);
    expect(missed).toEqual(['Pro', 'Pro of b']);
    expect([storage.loads, storageOfB.loads]).toEqual([1, 1]);
    missed.length = 0;
    const response = await get('/both/refused');
    expect([response.status, await response.json()]).toEqual([
      403,
      expect.objectContaining({ message: 'of the app' }),
    ]);
    expect(missed).toEqual(['Pro', 'Pro of b']);
  });

  it('take for the plan of an app no session but its own', async () => {
    await open([OtherGuard]);
    expect((await get('/confused/guard')).status).toBe(500);
    expect([missed, logged]).toEqual([
      [],
      [expect.stringContaining("put @UseGuards(AuthenticatedSessionGuard.of('b')) on")],
    ]);
    expect((await get('/confused/order')).status).toBe(200);
    expect(missed).toEqual(['Pro of b']);
  });

  it('refuse a fetch with JSON, which no cache keeps', async () => {
    await open([Plain]);
    const response = await get('/once', { accept: 'application/json', 'sec-fetch-dest': 'empty' });
    expect(response.status).toBe(401);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    expect(await response.json()).toEqual({
      statusCode: 401,
      error: expect.any(String),
      message: expect.any(String),
    });
  });

  it('refuse a browser with a page, which no cache keeps', async () => {
    await open([Plain]);
    const page = new URLSearchParams({ shop: SHOP, id_token: token() });
    const response = await get(`/paid?${page}`, {
      accept: 'text/html',
      'sec-fetch-dest': 'document',
    });
    expect(response.status).toBe(402);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(await response.text()).toMatch(/^<!doctype html>.*Pro/s);
  });

  it('leave it to the filters of the app to dress a refusal, of whatever type theirs is', async () => {
    @Catch(HttpException)
    class Dressed implements ExceptionFilter<HttpException> {
      constructor(private readonly host: HttpAdapterHost) {}

      catch(exception: HttpException, context: ArgumentsHost): void {
        this.host.httpAdapter.reply(
          context.switchToHttp().getResponse(),
          { refused: exception.getStatus() },
          exception.getStatus(),
        );
      }
    }
    await open(
      [Plain],
      [
        {
          provide: APP_FILTER,
          useFactory: (host: HttpAdapterHost) => new Dressed(host),
          inject: [HttpAdapterHost],
        },
      ],
    );
    const page = new URLSearchParams({ shop: SHOP, id_token: token() });
    const response = await get(`/paid?${page}`, {
      accept: 'text/html',
      'sec-fetch-dest': 'document',
    });
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    expect(await response.json()).toEqual({ refused: 402 });
  });
});

describe('a required plan', () => {
  it('is refused where it is declared when no shop could pay for it', () => {
    expect(() => RequiresPlan([])).toThrow('No plan is named');
    expect(() => RequiresPlan(['Pro', 'Gold'], { plan: 'Basic' })).toThrow(
      'Plan Basic is not among those that are required: Pro, Gold.',
    );
    expect(() => RequiresPlan('Pro', { onFailure: 'denied' as 'deny' })).toThrow(
      "must be 'request', 'deny' or a function",
    );
  });
});
