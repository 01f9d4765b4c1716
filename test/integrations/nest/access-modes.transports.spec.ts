import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { Injectable, Module, UseGuards } from '@nestjs/common';
import type { DynamicModule, ExecutionContext, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ApolloDriver } from '@nestjs/apollo';
import type { ApolloDriverConfig } from '@nestjs/apollo';
import { GraphQLModule, Query, Resolver } from '@nestjs/graphql';
import { ExpressAdapter } from '@nestjs/platform-express';
import { WsAdapter } from '@nestjs/platform-ws';
import { SubscribeMessage, WebSocketGateway } from '@nestjs/websockets';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { WebSocket } from 'undici';

import { DevStore, signedSessionToken } from '../../../lib/dev-store/index.js';
import {
  AuthenticatedSessionGuard,
  CurrentSession,
  OnUnauthenticated,
  PlatformModule,
  UseOfflineSession,
  UseOnlineSession,
  sessionTokenRequest,
} from '../../../lib/index.js';
import type { GuardedRequest, Session } from '../../../lib/index.js';
import { API_KEY, API_SECRET, APP_URL, SHOP, appOptions } from '../../support/app.js';

const USER = 42;
const token = (): string =>
  signedSessionToken({ apiKey: API_KEY, secret: API_SECRET, shop: SHOP, userId: USER });
const userOf = ({ onlineAccessInfo }: Session): string =>
  String(onlineAccessInfo?.associated_user.id ?? 'none');

/** What the strategy was asked about, by the name of the handler. */
const asked: string[] = [];
const letIn = (_: unknown, context: ExecutionContext): boolean =>
  asked.push(context.getHandler().name) > 0;

@Resolver()
class Users {
  @Query('plain')
  @UseGuards(AuthenticatedSessionGuard)
  plain(@CurrentSession() session: Session): string {
    return userOf(session);
  }

  @Query('online')
  @UseOnlineSession()
  online(@CurrentSession() session: Session): string {
    return userOf(session);
  }

  @Query('offline')
  @UseOfflineSession()
  offline(@CurrentSession() session: Session): string {
    return userOf(session);
  }

  @Query('open')
  @OnUnauthenticated(letIn)
  open(): string {
    return 'open';
  }

  @Query('other')
  @OnUnauthenticated(letIn)
  other(): string {
    return 'other';
  }
}

/** Tokens arrive with the messages. */
@Injectable()
class MessageGuard extends AuthenticatedSessionGuard {
  override getRequest(context: ExecutionContext): GuardedRequest {
    return sessionTokenRequest(context.switchToWs().getData<{ token?: unknown }>()?.token);
  }
}

@WebSocketGateway({ path: '/ws' })
@UseOfflineSession({ guard: MessageGuard })
class UsersGateway {
  @SubscribeMessage('online')
  @UseOnlineSession({ guard: MessageGuard })
  online(@CurrentSession() session: Session): object {
    return { event: 'online', data: userOf(session) };
  }

  @SubscribeMessage('offline')
  offline(@CurrentSession() session: Session): object {
    return { event: 'offline', data: userOf(session) };
  }

  @SubscribeMessage('open')
  @OnUnauthenticated(letIn, { guard: MessageGuard })
  open(): object {
    return { event: 'open', data: true };
  }
}

/** The token of the connection, as far as messages of texts are concerned. */
let handshake = '';

@Injectable()
class ConnectionGuard extends AuthenticatedSessionGuard {
  override getRequest(): GuardedRequest {
    return sessionTokenRequest(handshake);
  }
}

@WebSocketGateway({ path: '/texts' })
class TextsGateway {
  @SubscribeMessage('session')
  @OnUnauthenticated(letIn, { guard: ConnectionGuard })
  session(@CurrentSession() session: Session): object {
    return { event: 'session', data: session.shop };
  }
}

let devStore: DevStore;
let close = async (): Promise<void> => {};

beforeEach(async () => {
  asked.length = 0;
  devStore = await DevStore.open({
    shops: [SHOP],
    apps: [{ apiKey: API_KEY, apiSecretKey: API_SECRET, appUrl: APP_URL }],
    deliveryRetries: [],
  });
  devStore.shop().install(API_KEY, { scopes: ['write_products'] });
});
afterEach(async () => {
  await close();
  await devStore.close();
  close = async () => {};
});

async function open(
  useOnlineTokens: boolean,
  providers: Type[],
  imports: DynamicModule[] = [],
): Promise<string> {
  const { shopOrigin } = devStore;
  @Module({
    imports: [PlatformModule.forRoot(appOptions({ shopOrigin, useOnlineTokens })), ...imports],
    providers,
  })
  class App {}
  const app = await NestFactory.create(App, new ExpressAdapter(), {
    logger: false,
    abortOnError: false,
  });
  app.useWebSocketAdapter(new WsAdapter(app));
  await app.listen(0, '127.0.0.1');
  close = () => app.close();
  return `127.0.0.1:${((app.getHttpServer() as Server).address() as AddressInfo).port}`;
}

const typeDefs =
  'type Query { plain: String, online: String, offline: String, open: String, other: String }';

describe.each([false, true])('with useOnlineTokens: %s', (useOnlineTokens) => {
  const resolvers = (): Promise<string> =>
    open(
      useOnlineTokens,
      [Users],
      [GraphQLModule.forRoot<ApolloDriverConfig>({ driver: ApolloDriver, typeDefs })],
    );
  async function ask(at: string, query: string, headers: Record<string, string> = {}) {
    const response = await fetch(`http://${at}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ query }),
    });
    return (await response.json()) as { data: Record<string, unknown>; errors?: object[] };
  }

  it('fields of one operation each have the session they ask for', async () => {
    const at = await resolvers();
    const names = ['online', 'offline', 'plain'];
    const fields = names.flatMap((name) =>
      Array.from({ length: 20 }, (_, i) => `${name}${i}: ${name}`),
    );
    for (const order of [
      fields,
      fields.toReversed(),
      fields.toSorted((a, b) => Number(a.replace(/\D/g, '')) - Number(b.replace(/\D/g, ''))),
    ]) {
      const { data, errors } = await ask(at, `{ ${order.join(' ')} }`, {
        authorization: `Bearer ${token()}`,
      });
      expect(errors).toBeUndefined();
      const got = names.map((name) => [
        ...new Set(
          Object.keys(data)
            .filter((key) => key.startsWith(name))
            .map((key) => data[key]),
        ),
      ]);
      expect(got).toEqual([['42'], ['none'], [useOnlineTokens ? '42' : 'none']]);
    }
  });

  it('a strategy is asked about each field by itself', async () => {
    const at = await resolvers();
    const { data, errors } = await ask(at, '{ open again: open other plain }');
    expect(data).toEqual({ open: 'open', again: 'open', other: 'other', plain: null });
    expect(errors).toHaveLength(1);
    expect(asked.toSorted()).toEqual(['open', 'open', 'other']);
  });

  it('a text message that is let through has no session of an earlier one', async () => {
    const at = await open(useOnlineTokens, [TextsGateway]);
    const socket = new WebSocket(`ws://${at}/texts`);
    try {
      await once(socket as unknown as EventTarget, 'open');
      const send = async (): Promise<unknown> => {
        const reply = once(socket as unknown as EventTarget, 'message');
        socket.send(JSON.stringify({ event: 'session', data: 'text' }));
        const [message] = (await reply) as [MessageEvent<string>];
        return (JSON.parse(message.data) as { event: unknown }).event;
      };
      handshake = token();
      expect(await send()).toBe('session');
      handshake = 'expired';
      expect(await send()).toBe('exception');
      expect(asked).toEqual(['session']);
    } finally {
      socket.close();
    }
  });

  it('messages of a gateway have the session they ask for', async () => {
    const at = await open(useOnlineTokens, [UsersGateway]);
    const socket = new WebSocket(`ws://${at}/ws`);
    try {
      await once(socket as unknown as EventTarget, 'open');
      const send = async (event: string, data: object): Promise<unknown> => {
        const reply = once(socket as unknown as EventTarget, 'message');
        socket.send(JSON.stringify({ event, data }));
        const [message] = (await reply) as [MessageEvent<string>];
        return (JSON.parse(message.data) as { data: unknown }).data;
      };
      expect(await send('online', { token: token() })).toBe('42');
      expect(await send('offline', { token: token() })).toBe('none');
      expect(await send('open', {})).toBe(true);
      expect(asked).toEqual(['open']);
    } finally {
      socket.close();
    }
  });
});
