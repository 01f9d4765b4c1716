import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import type { Server } from 'node:http';

import { Controller, Injectable, Module, UseFilters, UseGuards } from '@nestjs/common';
import type { ExecutionContext, INestApplication, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ApolloDriver } from '@nestjs/apollo';
import type { ApolloDriverConfig } from '@nestjs/apollo';
import { GraphQLModule, Query, Resolver, Subscription } from '@nestjs/graphql';
import { ClientProxyFactory, MessagePattern, Transport } from '@nestjs/microservices';
import type { ClientProxy } from '@nestjs/microservices';
import { ExpressAdapter } from '@nestjs/platform-express';
import { WsAdapter } from '@nestjs/platform-ws';
import { SubscribeMessage, WebSocketGateway } from '@nestjs/websockets';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { lastValueFrom } from 'rxjs';
import { WebSocket } from 'undici';

import { DevStore, signedSessionToken } from '../../../lib/dev-store/index.js';
import {
  AdminApi,
  AuthenticatedSessionGuard,
  BillingInterval,
  CurrentSession,
  FlowGuard,
  PlatformModule,
  RequiresPlan,
  SessionToken,
  Shop,
  TokenRefusedFilter,
  sessionTokenRequest,
} from '../../../lib/index.js';
import type {
  AdminContext,
  GuardedRequest,
  Session,
  SessionTokenPayload,
} from '../../../lib/index.js';
import { MemorySessionStorage } from '../../../lib/sessions/storages/memory/memory-session.storage.js';
import { API_KEY, API_SECRET, APP_URL, SHOP, appOptions } from '../../support/app.js';
import { offlineSession } from '../../support/offline-session.js';

const PRO = { amount: 20, currencyCode: 'USD', interval: BillingInterval.Every30Days as const };
const token = (overrides: Record<string, unknown> = {}): string =>
  signedSessionToken({ apiKey: API_KEY, secret: API_SECRET, shop: SHOP, overrides });
const EXPIRED = { exp: 1, nbf: 0 };

let devStore: DevStore;
let sessionStorage: MemorySessionStorage;
let close = async (): Promise<void> => {};

beforeEach(async () => {
  devStore = await DevStore.open({
    shops: [SHOP],
    apps: [{ apiKey: API_KEY, apiSecretKey: API_SECRET, appUrl: APP_URL }],
    deliveryRetries: [],
  });
  sessionStorage = new MemorySessionStorage();
  const accessToken = devStore.shop().install(API_KEY, { scopes: ['write_products'] });
  const id = `offline_${SHOP}`;
  await sessionStorage.storeSession(
    offlineSession({ id, shop: SHOP, accessToken, scope: 'write_products' }),
  );
});
afterEach(async () => {
  await close();
  await devStore.close();
  close = async () => {};
});

const platform = () =>
  PlatformModule.forRoot(
    appOptions({ shopOrigin: devStore.shopOrigin, sessionStorage, billing: { Pro: PRO } }),
  );

const titles = async (admin: AdminContext): Promise<string> =>
  JSON.stringify((await admin.graphql('{ shop { name } }')).data);

@Resolver()
class ShopResolver {
  @Query('shop')
  @UseGuards(AuthenticatedSessionGuard)
  shop(
    @CurrentSession() session: Session,
    @Shop() shop: string,
    @SessionToken() { dest }: SessionTokenPayload,
  ): string {
    return [session.shop, shop, dest].join();
  }

  @Query('name')
  @UseGuards(AuthenticatedSessionGuard)
  name(@AdminApi() admin: AdminContext): Promise<string> {
    return titles(admin);
  }

  @Query('paid')
  @RequiresPlan('Pro', { onFailure: 'deny' })
  paid(): string {
    return 'paid';
  }

  @Query('asked')
  @RequiresPlan('Pro')
  asked(): string {
    return 'paid';
  }

  @Subscription('opened')
  @UseGuards(AuthenticatedSessionGuard)
  async *opened(@CurrentSession() session: Session): AsyncGenerator<object> {
    yield { opened: session.shop };
  }

  @Query('unguarded')
  unguarded(@CurrentSession() session: Session): string {
    return session.shop;
  }
}

const typeDefs =
  'type Query { shop: String, name: String, paid: String, asked: String, unguarded: String } type Subscription { opened: String }';
describe('in resolvers', () => {
  async function open() {
    @Module({
      imports: [
        platform(),
        GraphQLModule.forRoot<ApolloDriverConfig>({
          driver: ApolloDriver,
          typeDefs,
          subscriptions: { 'graphql-ws': true },
        }),
      ],
      providers: [ShopResolver],
    })
    class App {}
    const app = await NestFactory.create(App, new ExpressAdapter(), {
      logger: false,
      abortOnError: false,
    });
    await app.listen(0, '127.0.0.1');
    close = () => app.close();
    const url = `${urlOf(app)}/graphql`;
    const ask = async (query: string, headers: Record<string, string> = {}) => {
      const response = await fetch(url, {
        method: 'POST',
        redirect: 'manual',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ query }),
      });
      return (await response.json()) as {
        data: Record<string, unknown> | null;
        errors?: { message: string; extensions: Record<string, unknown> }[];
      };
    };
    /** The first answer to a subscription, on a socket that was opened with these headers. */
    const subscribe = async (query: string, headers: Record<string, string> = {}) => {
      const socket = new WebSocket(url.replace('http', 'ws'), {
        protocols: 'graphql-transport-ws',
        headers,
      });
      const send = (message: object): void => socket.send(JSON.stringify(message));
      try {
        return await new Promise<unknown>((resolve, reject) => {
          socket.addEventListener('error', reject);
          socket.addEventListener('open', () => send({ type: 'connection_init' }));
          socket.addEventListener('message', ({ data }) => {
            const { type, payload } = JSON.parse(String(data)) as Record<string, unknown>;
            if (type === 'connection_ack') send({ id: '1', type: 'subscribe', payload: { query } });
            else if (type === 'next' || type === 'error') resolve(payload);
          });
        });
      } finally {
        socket.close();
      }
    };
    return { ask, subscribe };
  }
  const bearer = (text = token()) => ({ authorization: `Bearer ${text}` });

  it('the guard lets a session token in, and parameters have their values', async () => {
    const { ask } = await open();
    const reply = await ask('{ shop name again: shop }', bearer());
    expect(reply.errors).toBeUndefined();
    const shop = [SHOP, SHOP, `https://${SHOP}`].join();
    expect(reply.data).toEqual({ shop, name: expect.stringContaining('"name"'), again: shop });
  });

  it.each([
    ['no token', {}],
    ['an expired one', bearer(token(EXPIRED))],
    // A page load would be redirected.
    ['no token, from a browser', { 'sec-fetch-dest': 'document' }],
  ])('the guard refuses %s with an error of the field', async (_, headers) => {
    const { ask } = await open();
    const { data, errors } = await ask('{ shop }', headers);
    expect(data).toEqual({ shop: null });
    expect(errors).toHaveLength(1);
    expect(errors![0]!.extensions).toMatchObject({
      code: 'UNAUTHENTICATED',
      statusCode: 401,
      reason: expect.stringMatching(/^session_token/),
    });
  });

  it('a plan is required with an error that names it, or the page to pay on', async () => {
    const { ask } = await open();
    const { errors } = await ask('{ paid asked }', bearer());
    const [paid, asked] = errors!;
    expect(paid!.extensions).toMatchObject({ statusCode: 402, reason: 'plan_required' });
    expect(asked!.extensions).toMatchObject({ reauthorizeUrl: expect.stringMatching(/^http/) });
  });

  it('a rejected access token is an error of its field', async () => {
    const { ask } = await open();
    await devStore.shop().uninstall(API_KEY);
    const { data, errors } = await ask('{ name }', bearer());
    expect(data).toEqual({ name: null });
    expect(errors![0]!.extensions).toMatchObject({ reason: 'session_expired' });
  });

  it('the guard lets a subscription in by the request that has opened its socket', async () => {
    const { subscribe } = await open();
    expect(await subscribe('subscription { opened }', bearer())).toEqual({
      data: { opened: SHOP },
    });
    expect(JSON.stringify(await subscribe('subscription { opened }'))).toContain(
      '"code":"UNAUTHENTICATED"',
    );
  });

  it('a parameter without a guard says which one it needs', async () => {
    const { ask } = await open();
    const { errors } = await ask('{ unguarded }', bearer());
    expect(errors![0]!.message).toContain('@UseGuards(AuthenticatedSessionGuard)');
  });
});

/** Tokens arrive with the messages. */
@Injectable()
class MessageGuard extends AuthenticatedSessionGuard {
  override getRequest(context: ExecutionContext): GuardedRequest {
    const data: { token?: unknown } | undefined =
      context.getType<string>() === 'ws'
        ? context.switchToWs().getData()
        : context.switchToRpc().getData();
    return sessionTokenRequest(data?.token);
  }
}

@WebSocketGateway({ path: '/ws' })
class ShopGateway {
  /** Keeps the request with which a socket was opened, as the default guard expects it. */
  handleConnection(client: { request?: unknown }, request: unknown): void {
    client.request = request;
  }

  @SubscribeMessage('shop')
  @UseGuards(MessageGuard)
  shop(@CurrentSession() session: Session, @Shop() shop: string): object {
    return { event: 'shop', data: [session.shop, shop] };
  }

  @SubscribeMessage('handshake')
  @UseGuards(AuthenticatedSessionGuard)
  handshake(@Shop() shop: string): object {
    return { event: 'handshake', data: shop };
  }

  @SubscribeMessage('paid')
  @RequiresPlan('Pro', { onFailure: 'deny', guard: MessageGuard })
  paid(): object {
    return { event: 'paid', data: true };
  }

  @SubscribeMessage('name')
  @UseGuards(MessageGuard)
  @UseFilters(TokenRefusedFilter)
  async name(@AdminApi() admin: AdminContext): Promise<object> {
    return { event: 'name', data: await titles(admin) };
  }

  @SubscribeMessage('flow')
  @UseGuards(FlowGuard)
  flow(): object {
    return { event: 'flow', data: true };
  }
}

describe('in gateways', () => {
  async function open(headers: Record<string, string> = {}) {
    @Module({ imports: [platform()], providers: [ShopGateway] })
    class App {}
    const app = await NestFactory.create(App, new ExpressAdapter(), {
      logger: false,
      abortOnError: false,
    });
    app.useWebSocketAdapter(new WsAdapter(app));
    await app.listen(0, '127.0.0.1');
    const socket = new WebSocket(`${urlOf(app).replace('http', 'ws')}/ws`, { headers });
    await new Promise((resolve, reject) => {
      socket.addEventListener('open', resolve);
      socket.addEventListener('error', reject);
    });
    close = async () => {
      socket.close();
      await app.close();
    };
    return async (event: string, data?: unknown) => {
      const reply = new Promise<{ event: string; data: unknown }>((resolve) =>
        socket.addEventListener('message', (message) => resolve(JSON.parse(String(message.data))), {
          once: true,
        }),
      );
      socket.send(JSON.stringify({ event, data }));
      return reply;
    };
  }

  it('the guard lets the session token of a message in, wherever getRequest() finds it', async () => {
    const send = await open();
    expect(await send('shop', { token: token() })).toEqual({ event: 'shop', data: [SHOP, SHOP] });
  });

  it('the guard lets the request in with which the socket was opened', async () => {
    const send = await open({ authorization: `Bearer ${token()}` });
    for (const data of [undefined, 'text', { a: 1 }])
      expect(await send('handshake', data)).toEqual({ event: 'handshake', data: SHOP });
  });

  it.each([
    ['no data', undefined],
    ['no token', {}],
    ['an object for a token', { token: { authorization: 'x' } }],
    ['a token that has expired', { token: token(EXPIRED) }],
    ['a token of another secret', { token: `${token().slice(0, -4)}abcd` }],
  ])('the guard answers %s with an exception that the client reads', async (_, data) => {
    const send = await open();
    for (const attempt of [1, 2]) {
      const { event, data: reply } = await send('shop', data);
      expect([attempt, event]).toEqual([attempt, 'exception']);
      expect(reply).toEqual({
        status: 'error',
        statusCode: 401,
        error: expect.stringMatching(/^session_token/),
        message: expect.any(String),
      });
    }
  });

  it('each message is authenticated by itself', async () => {
    const send = await open();
    expect((await send('shop', { token: token() })).event).toBe('shop');
    expect((await send('shop', {})).event).toBe('exception');
  });

  it('a plan is required with an exception', async () => {
    const send = await open();
    expect(await send('paid', { token: token() })).toMatchObject({
      event: 'exception',
      data: { statusCode: 402, error: 'plan_required' },
    });
  });

  it('a guard of requests to routes says that it cannot stand there', async () => {
    const send = await open();
    expect((await send('flow', {})).event).toBe('exception');
  });

  it('a rejected access token is an exception, and the process lives on', async () => {
    const send = await open();
    await devStore.shop().uninstall(API_KEY);
    const { event, data } = await send('name', { token: token() });
    expect(event).toBe('exception');
    expect(data).toMatchObject({ status: 'error', statusCode: expect.any(Number) });
    expect((await send('shop', { token: 5 })).event).toBe('exception');
  });
});

@Controller()
class ShopMessages {
  @MessagePattern('shop')
  @UseGuards(MessageGuard)
  shop(@CurrentSession() session: Session, @Shop() shop: string): string[] {
    return [session.shop, shop];
  }

  @MessagePattern('paid')
  @RequiresPlan('Pro', { onFailure: 'deny', guard: MessageGuard })
  paid(): boolean {
    return true;
  }

  @MessagePattern('name')
  @UseGuards(MessageGuard)
  name(@AdminApi() admin: AdminContext): Promise<string> {
    return titles(admin);
  }

  @MessagePattern('default')
  @UseGuards(AuthenticatedSessionGuard)
  withoutRequest(): boolean {
    return true;
  }
}

describe('in message handlers', () => {
  async function open(): Promise<(pattern: string, data: unknown) => Promise<unknown>> {
    @Module({ imports: [platform()], controllers: [ShopMessages as Type] })
    class App {}
    const options = { host: '127.0.0.1', port: await freePort() };
    const app = await NestFactory.createMicroservice(App, {
      ...{ transport: Transport.TCP, options, logger: false as const, abortOnError: false },
    });
    await app.listen();
    const client: ClientProxy = ClientProxyFactory.create({ transport: Transport.TCP, options });
    close = async () => {
      await client.close();
      await app.close();
    };
    return (pattern, data) =>
      lastValueFrom(client.send<unknown>(pattern, data as object)).catch((error: unknown) => error);
  }

  it('the guard lets the session token of a message in', async () => {
    const send = await open();
    expect(await send('shop', { token: token() })).toEqual([SHOP, SHOP]);
    expect(await send('shop', { token: token(EXPIRED) })).toEqual({
      status: 'error',
      statusCode: 401,
      error: 'session_token_invalid',
      message: expect.any(String),
    });
    expect(await send('paid', { token: token() })).toMatchObject({ statusCode: 402 });
  });

  it('a rejected access token is an error of the message', async () => {
    const send = await open();
    await devStore.shop().uninstall(API_KEY);
    expect(await send('name', { token: token() })).toMatchObject({
      status: 'error',
      statusCode: expect.any(Number),
    });
  });

  it('without a request, a message is not let in', async () => {
    const send = await open();
    expect(await send('default', {})).toMatchObject({ status: 'error' });
  });
});

function urlOf(app: INestApplication): string {
  return `http://127.0.0.1:${((app.getHttpServer() as Server).address() as AddressInfo).port}`;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
