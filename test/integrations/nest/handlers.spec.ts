import {
  Body,
  Catch,
  Controller,
  Get,
  Headers,
  Inject,
  Injectable,
  ParseIntPipe,
  Req,
  Scope,
  UseGuards,
  ValidationPipe,
} from '@nestjs/common';
import type {
  ArgumentsHost,
  CallHandler,
  CanActivate,
  ExceptionFilter,
  ExecutionContext,
  NestInterceptor,
  PipeTransform,
  Provider,
  Type,
} from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE, REQUEST } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { describe, expect, it } from '@jest/globals';
import { IsInt, IsString } from 'class-validator';
import { tap } from 'rxjs';

import { signedWebhook } from '../../../lib/dev-store/index.js';
import {
  DeliveryId,
  InvalidWebhookHandlerError,
  Payload,
  Shop,
  Topic,
  WebhookContext,
  WebhookHandler,
  WebhookRegistry,
  isWebhookContext,
} from '../../../lib/index.js';
import type { PlatformError, WebhookDelivery } from '../../../lib/index.js';
import type { RegisteredHandler } from '../../../lib/webhooks/handlers/webhook.registry.js';
import { API_SECRET, SHOP } from '../../support/app.js';
import { openNest } from '../../support/hosts.js';
import type { HostOptions, RunningHost } from '../../support/hosts.js';

class Dto {
  @IsInt()
  declare id: number;
  @IsString()
  declare title: string;
}

/** What ran, in order. */
let ran: unknown[] = [];
const note = (...what: unknown[]): void => void ran.push(...what);

async function deliver(host: RunningHost, payload: unknown = { id: 7 }): Promise<number> {
  const { headers, body } = signedWebhook({
    secret: API_SECRET,
    shop: SHOP,
    topic: 'products/update',
    payload,
  });
  const { status } = await fetch(`${host.url}/webhooks`, {
    method: 'POST',
    headers,
    body: new Uint8Array(body),
  });
  return status;
}

/** An app is opened for each test, and closed when it is over. */
async function withApp(
  adapter: ExpressAdapter | FastifyAdapter,
  setup: {
    readonly handlers: Type;
    readonly providers?: readonly Provider[];
    readonly options?: HostOptions['options'];
    readonly isController?: boolean;
  },
  use: (host: RunningHost) => Promise<void>,
): Promise<void> {
  ran = [];
  const { handlers, providers = [], options, isController } = setup;
  const part = isController ? { controllers: [handlers] } : { providers: [handlers] };
  const host = await openNest(
    adapter,
    { ...(options && { options }), modules: [{ module: class Part {}, ...part }] },
    { providers: [...providers] },
  );
  try {
    await use(host);
  } finally {
    await host.close();
  }
}

describe.each([
  ['Express', () => new ExpressAdapter()],
  ['Fastify', () => new FastifyAdapter()],
])('a webhook handler of a Nest app on %s', (_, adapter) => {
  describe('with @Payload()', () => {
    it('gets an instance of its class from a ValidationPipe, and never what does not validate', async () => {
      @Injectable()
      class Products {
        @WebhookHandler('PRODUCTS_UPDATE')
        onProduct(@Payload(new ValidationPipe({ transform: true })) product: Dto): void {
          note(product instanceof Dto, product.id);
        }
      }
      await withApp(adapter(), { handlers: Products }, async (host) => {
        expect(await deliver(host, { id: 'q' })).toBe(500);
        expect(ran).toEqual([]);
        expect(await deliver(host, { id: 7, title: 'Hat' })).toBe(200);
        expect(ran).toEqual([true, 7]);
      });
    });

    it('is checked by a ValidationPipe of the whole app, too', async () => {
      @Injectable()
      class Products {
        @WebhookHandler('PRODUCTS_UPDATE')
        onProduct(@Payload() { id }: Dto): void {
          note(id);
        }
      }
      const providers = [{ provide: APP_PIPE, useFactory: () => new ValidationPipe() }];
      await withApp(adapter(), { handlers: Products, providers }, async (host) => {
        expect(await deliver(host, { id: 'q' })).toBe(500);
        expect(await deliver(host, { id: 7, title: 'Hat' })).toBe(200);
        expect(ran).toEqual([7]);
      });
    });

    it('takes a property through its pipes', async () => {
      @Injectable()
      class Products {
        @WebhookHandler('PRODUCTS_UPDATE')
        onProduct(
          @Payload('id', ParseIntPipe) id: number,
          @Payload('title') title: string | undefined,
          @Payload() whole: unknown,
        ): void {
          note(id, title, whole);
        }
      }
      await withApp(adapter(), { handlers: Products }, async (host) => {
        expect(await deliver(host, { id: '7' })).toBe(200);
        expect(ran).toEqual([7, undefined, { id: '7' }]);
        expect(await deliver(host, { id: 'seven' })).toBe(500);
      });
    });
  });

  it('is given the shop, the topic and the id of the delivery by their decorators', async () => {
    @Injectable()
    class Products {
      @WebhookHandler('PRODUCTS_UPDATE', { timeout: 60_000 })
      onProduct(
        @Shop() shop: string,
        @Topic() topic: string,
        @DeliveryId() id: string,
        @WebhookContext() { webhookId, signal }: WebhookDelivery,
      ): void {
        note(shop, topic, id === webhookId && id !== '', signal.aborted);
      }
    }
    await withApp(adapter(), { handlers: Products }, async (host) => {
      expect(await deliver(host)).toBe(200);
      expect(ran).toEqual([SHOP, 'PRODUCTS_UPDATE', true, false]);
    });
  });

  it('is not what a route is: there its decorators say so', async () => {
    @Controller('delivered')
    class Delivered {
      @Get()
      read(@Topic() topic: string): string {
        return topic;
      }
    }
    @Catch()
    class Reporter implements ExceptionFilter {
      catch({ code, message }: PlatformError, host: ArgumentsHost): void {
        note(code, message);
        const response = host
          .switchToHttp()
          .getResponse<{ status(code: number): { send(): void } }>();
        response.status(500).send();
      }
    }
    const providers = [{ provide: APP_FILTER, useClass: Reporter }];
    const setup = { handlers: Delivered, isController: true, providers };
    await withApp(adapter(), setup, async (host) => {
      expect((await fetch(`${host.url}/delivered`)).status).toBe(500);
      expect(ran).toEqual([
        'ERR_ARGUMENT_MISSING',
        expect.stringMatching(/^@Topic\(\) reads the delivery of a webhook/),
      ]);
    });
  });

  describe('with enhancers of the request', () => {
    @Injectable({ scope: Scope.REQUEST })
    class ShopGuard implements CanActivate {
      constructor(@Inject(REQUEST) private readonly request: WebhookDelivery) {}

      canActivate(context: ExecutionContext): boolean {
        note('guard', this.request === context.getArgByIndex(0), isWebhookContext(context));
        return this.request.payload.id !== 'denied';
      }
    }
    @Injectable({ scope: Scope.REQUEST })
    class Interceptor implements NestInterceptor {
      constructor(@Inject(REQUEST) private readonly request: WebhookDelivery) {}

      intercept(_context: ExecutionContext, next: CallHandler): ReturnType<CallHandler['handle']> {
        note('before', this.request.topic);
        return next.handle().pipe(tap(() => note('after')));
      }
    }
    @Injectable({ scope: Scope.REQUEST })
    class Pipe implements PipeTransform {
      constructor(@Inject(REQUEST) private readonly request: WebhookDelivery) {}

      transform(value: unknown): unknown {
        return typeof value === 'object' ? { ...value, from: this.request.shop } : value;
      }
    }
    const providers = [
      { provide: APP_GUARD, useClass: ShopGuard },
      { provide: APP_INTERCEPTOR, useClass: Interceptor },
      { provide: APP_PIPE, useClass: Pipe },
    ].map((provider) => ({ ...provider, scope: Scope.REQUEST }));

    @Injectable()
    class Static {
      @WebhookHandler('PRODUCTS_UPDATE', { enhancers: true })
      onProduct(@Payload() product: unknown): void {
        note(product);
      }
    }
    @Injectable({ scope: Scope.REQUEST })
    class PerDelivery extends Static {}
    @Injectable({ scope: Scope.TRANSIENT })
    class Transient extends Static {}
    @Controller('products')
    class Products extends Static {}

    it.each([
      ['a provider', Static, false],
      ['a provider of the request', PerDelivery, false],
      ['a transient provider', Transient, false],
      ['a controller', Products, true],
    ])('runs all of them around %s', async (_name, handlers, isController) => {
      await withApp(adapter(), { handlers, providers, isController }, async (host) => {
        expect(await deliver(host, { id: 'denied' })).toBe(500);
        expect(ran).toEqual(['guard', true, true]);
        expect(await deliver(host, { id: 7 })).toBe(200);
        expect(ran.slice(3)).toEqual([
          'guard',
          true,
          true,
          'before',
          'PRODUCTS_UPDATE',
          { id: 7, from: SHOP },
          'after',
        ]);
      });
    });

    it('runs those that are transient, each made for the delivery', async () => {
      let made = 0;
      @Injectable({ scope: Scope.TRANSIENT })
      class Counting implements CanActivate {
        readonly number = ++made;

        canActivate(): boolean {
          note('guard', this.number > 0);
          return true;
        }
      }
      const transient = [{ provide: APP_GUARD, useClass: Counting, scope: Scope.TRANSIENT }];
      await withApp(adapter(), { handlers: Static, providers: transient }, async (host) => {
        expect(await deliver(host)).toBe(200);
        expect(ran).toEqual(['guard', true, { id: 7 }]);
      });
    });

    it('runs only the pipes around a handler without enhancers', async () => {
      @Injectable()
      class Plain {
        @WebhookHandler('PRODUCTS_UPDATE')
        onProduct(@Payload() product: unknown): void {
          note(product);
        }
      }
      await withApp(adapter(), { handlers: Plain, providers }, async (host) => {
        expect(await deliver(host)).toBe(200);
        expect(ran).toEqual([{ id: 7, from: SHOP }]);
      });
    });

    it.each([
      ['class', true],
      ['method', false],
    ])('runs a guard on the %s of a controller', async (_name, onClass) => {
      @Injectable()
      class Deny implements CanActivate {
        canActivate(): boolean {
          note('deny');
          return false;
        }
      }
      const [ofClass, ofMethod] = [[Deny], []].map((guards) => UseGuards(...guards));
      @Controller('guarded')
      @(onClass ? ofClass! : ofMethod!)
      class Guarded {
        @WebhookHandler('PRODUCTS_UPDATE', { enhancers: true })
        @(onClass ? ofMethod! : ofClass!)
        onProduct(): void {
          note('handler');
        }
      }
      await withApp(adapter(), { handlers: Guarded, isController: true }, async (host) => {
        expect(await deliver(host)).toBe(500);
        expect(ran).toEqual(['deny']);
      });
    });
  });

  describe('with guards that are written for HTTP', () => {
    @Injectable()
    class Products {
      @WebhookHandler('PRODUCTS_UPDATE', { enhancers: true })
      onProduct(...given: unknown[]): void {
        note(given.length, (given[0] as WebhookDelivery).shop);
      }
    }

    /** Reads and writes what `ThrottlerGuard` of @nestjs/throttler does. */
    class Throttler implements CanActivate {
      canActivate(context: ExecutionContext): boolean {
        const http = context.switchToHttp();
        const request = http.getRequest<{
          headers: Record<string, string | undefined>;
          ips?: string[];
          ip?: string;
        }>();
        const response = http.getResponse<{ header(name: string, value: unknown): void }>();
        if (/bot/.test(request.headers['user-agent'] ?? '')) return true;
        note(request.ips?.[0] ?? request.ip);
        response.header('X-RateLimit-Limit', 10);
        return true;
      }
    }

    it('runs behind one that counts requests and says so in its response', async () => {
      const providers = [{ provide: APP_GUARD, useClass: Throttler }];
      await withApp(adapter(), { handlers: Products, providers }, async (host) => {
        expect(await deliver(host)).toBe(200);
        expect(ran).toEqual([undefined, 1, SHOP]);
      });
    });

    it('shows them a request without headers, and a response that takes what they set', async () => {
      class Reader implements CanActivate {
        canActivate(context: ExecutionContext): boolean {
          const http = context.switchToHttp();
          const request = http.getRequest<{
            headers: Record<string, string>;
            query: Record<string, string>;
          }>();
          const response = http.getResponse<Record<string, (...args: unknown[]) => unknown>>();
          response['status']!(200);
          response['setHeader']!('x-a', '1');
          response['header']!('x-b', '2');
          note(request.headers['authorization'], request.query['token']);
          note(response['getHeader']!('x-a'), Object.keys(request).includes('headers'));
          return true;
        }
      }
      const providers = [{ provide: APP_GUARD, useClass: Reader }];
      await withApp(adapter(), { handlers: Products, providers }, async (host) => {
        expect(await deliver(host)).toBe(200);
        expect(ran).toEqual([undefined, undefined, '1', false, 1, SHOP]);
      });
    });
  });
});

describe('a guard that is written for HTTP', () => {
  type Anything = Record<string, (...args: unknown[]) => unknown>;

  /** Runs it around a webhook handler. */
  async function guarded(
    guard: (request: Record<string, unknown>, response: Anything) => void,
  ): Promise<number[]> {
    class Guard implements CanActivate {
      canActivate(context: ExecutionContext): boolean {
        const http = context.switchToHttp();
        guard(http.getRequest(), http.getResponse());
        return true;
      }
    }
    @Injectable()
    class Products {
      @WebhookHandler('PRODUCTS_UPDATE', { enhancers: true })
      onProduct(): void {}
    }
    const providers = [{ provide: APP_GUARD, useClass: Guard }];
    const statuses: number[] = [];
    await withApp(new ExpressAdapter(), { handlers: Products, providers }, async (host) => {
      for (const payload of [{ id: 1 }, { id: 2 }]) statuses.push(await deliver(host, payload));
    });
    return statuses;
  }

  it('may write into the request, of which each delivery has its own', async () => {
    const seen: unknown[] = [];
    const statuses = await guarded((request) => {
      for (const name of ['headers', 'params', 'query', 'cookies', 'socket']) {
        const values = request[name] as Record<string, unknown>;
        seen.push({ ...values });
        values['x-tenant'] = 'a';
        expect(request[name]).toBe(values);
      }
      request['user'] = { id: 1 };
      request['query'] = { a: '1' };
      expect(request['query']).toEqual({ a: '1' });
      expect(Object.keys(request)).not.toContain('headers');
    });
    expect(statuses).toEqual([200, 200]);
    expect(seen).toEqual(Array(10).fill({}));
  });

  it('may ask the request for what is not there', async () => {
    const statuses = await guarded((given) => {
      const request = given as unknown as Anything & Record<'method' | 'url', string>;
      expect([request['get']!('authorization'), request['header']!('x')]).toEqual([
        undefined,
        undefined,
      ]);
      expect([request.method, request.url.startsWith('/public')]).toEqual(['POST', false]);
      expect(request['on']!('close', () => {})).toBe(request);
      expect((given['socket'] as { remoteAddress?: string }).remoteAddress).toBe(undefined);
    });
    expect(statuses).toEqual([200, 200]);
  });

  it('may call whatever a response of Node, Express or Fastify has', async () => {
    const statuses = await guarded((_, response) => {
      expect(response['headersSent']).toBe(false);
      response['set']!({ 'X-A': '1', 'x-b': '2' });
      response['headers']!({ 'x-c': '3' });
      response['append']!('x-a', '4');
      response['append']!('x-d', '5');
      expect(response['getHeaders']!()).toEqual({
        'x-a': ['1', '4'],
        'x-b': '2',
        'x-c': '3',
        'x-d': '5',
      });
      response['removeHeader']!('X-D');
      expect(response['getHeaderNames']!()).toEqual(['x-a', 'x-b', 'x-c']);
      for (const name of [
        ...['type', 'vary', 'links', 'location', 'cookie', 'setCookie', 'clearCookie'],
        ...['on', 'once', 'off', 'addListener', 'removeListener', 'prependListener'],
        ...['status', 'code', 'writeHead', 'flushHeaders', 'attachment'],
      ])
        expect(response[name]!(201, () => {})).toBe(response);
      expect([response['write']!('x'), response['statusCode']]).toEqual([true, 201]);
      for (const name of ['send', 'json', 'sendStatus', 'redirect', 'render', 'end'])
        expect(response[name]!({ statusCode: 403 })).toBe(response);
      expect([response['headersSent'], response['writableEnded'], response['sent']]).toEqual([
        true,
        true,
        true,
      ]);
      (response['raw'] as unknown as Anything)['end']!();
    });
    expect(statuses).toEqual([200, 200]);
  });
});

describe('a decorator of HTTP routes on an argument of a webhook handler', () => {
  class OfBody {
    @WebhookHandler('PRODUCTS_UPDATE')
    onProduct(@Body() _: unknown): void {}
  }
  class OfRequest {
    @WebhookHandler('PRODUCTS_UPDATE')
    onProduct(@WebhookContext() _context: unknown, @Req() _: unknown): void {}
  }
  @Injectable({ scope: Scope.REQUEST })
  class OfHeaders {
    @WebhookHandler('PRODUCTS_UPDATE')
    onProduct(@Headers('x-shop') _: unknown): void {}
  }
  @WebhookHandler('PRODUCTS_UPDATE')
  class OfClass {
    handle(@Body('id') _: unknown): void {}
  }

  it.each([
    ['@Body()', OfBody, 'OfBody.onProduct'],
    ['@Req()', OfRequest, 'OfRequest.onProduct'],
    ['@Headers()', OfHeaders, 'OfHeaders.onProduct'],
    ["@Body('id')", OfClass, 'OfClass.handle'],
  ])('%s is refused at boot', async (_, handlers, name) => {
    const opening = openNest(new ExpressAdapter(), {
      modules: [{ module: class Part {}, providers: [handlers] }],
    });
    await expect(opening).rejects.toBeInstanceOf(InvalidWebhookHandlerError);
    await expect(opening).rejects.toThrow(new RegExp(`^${name} .*Use @Payload\\(\\)`));
  });
});

describe('a timeout of a handler', () => {
  it.each([0, -1, Number.NaN, 2 ** 31, '5s'])(
    'is refused at boot when it is %p',
    async (timeout) => {
      @Injectable()
      class Products {
        @WebhookHandler('PRODUCTS_UPDATE', { timeout: timeout as number })
        onProduct(): void {}
      }
      const opening = openNest(new ExpressAdapter(), {
        modules: [{ module: class Part {}, providers: [Products] }],
      });
      await expect(opening).rejects.toThrow(
        'Products.onProduct.timeout must be a positive number of milliseconds',
      );
    },
  );

  it('is part of no subscription', async () => {
    @Injectable()
    class Products {
      @WebhookHandler('PRODUCTS_UPDATE', { timeout: 5, enhancers: false, filter: 'id:1' })
      onProduct(): void {}
    }
    @Injectable()
    class Reader {
      constructor(readonly registry: WebhookRegistry) {}

      onApplicationBootstrap(): void {
        note(this.registry.handlersFor('PRODUCTS_UPDATE')[0]);
      }
    }
    await withApp(new ExpressAdapter(), { handlers: Products, providers: [Reader] }, async () => {
      expect(ran).toMatchObject([
        { timeout: 5, subscription: { deliveryMethod: 'http', filter: 'id:1' } },
      ]);
      expect(Object.keys((ran[0] as RegisteredHandler).subscription)).not.toContain('timeout');
    });
  });
});
