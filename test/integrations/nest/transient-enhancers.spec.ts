import {
  Controller,
  Injectable,
  Scope,
  UseGuards,
  UseInterceptors,
  UsePipes,
} from '@nestjs/common';
import type {
  CallHandler,
  CanActivate,
  ExecutionContext,
  NestInterceptor,
  PipeTransform,
  Type,
} from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { describe, expect, it } from '@jest/globals';

import { signedWebhook } from '../../../lib/dev-store/index.js';
import { Payload, WebhookHandler } from '../../../lib/index.js';
import { API_SECRET, SHOP } from '../../support/app.js';
import { openNest } from '../../support/hosts.js';

/** What ran, in order: `undefined` for an object whose constructor was not called. */
let ran: unknown[] = [];
const guards = new Set<Guard>();

@Injectable()
class Greeting {
  readonly text = 'hello';
}
@Injectable({ scope: Scope.TRANSIENT })
class Guard implements CanActivate {
  readonly greeting: string;

  constructor({ text }: Greeting) {
    this.greeting = text;
  }

  canActivate(_: ExecutionContext): boolean {
    guards.add(this);
    ran.push('guard', this.greeting);
    return true;
  }
}
@Injectable({ scope: Scope.TRANSIENT })
class Interceptor implements NestInterceptor {
  readonly isMade = true;

  intercept(_: ExecutionContext, next: CallHandler): ReturnType<CallHandler['handle']> {
    ran.push('interceptor', this.isMade);
    return next.handle();
  }
}
@Injectable({ scope: Scope.TRANSIENT })
class Pipe implements PipeTransform {
  readonly isMade = true;

  transform(value: unknown): unknown {
    ran.push('pipe', this.isMade);
    return value;
  }
}
@Injectable({ scope: Scope.REQUEST })
class OfTheRequest implements CanActivate {
  canActivate(): boolean {
    ran.push('global');
    return true;
  }
}
const GLOBAL = [{ provide: APP_GUARD, useClass: OfTheRequest, scope: Scope.REQUEST }];

@Injectable()
@UseGuards(Guard)
class OnTheClass {
  @WebhookHandler('PRODUCTS_UPDATE', { enhancers: true })
  @UseInterceptors(Interceptor)
  @UsePipes(Pipe)
  onProduct(@Payload() _: unknown): void {
    ran.push('handler');
  }
}
@Controller('guarded')
@UseInterceptors(Interceptor)
class OnTheMethod {
  @WebhookHandler('PRODUCTS_UPDATE', { enhancers: true })
  @UseGuards(Guard)
  onProduct(@Payload(Pipe) _: unknown): void {
    ran.push('handler');
  }
}
@Injectable({ scope: Scope.REQUEST })
class PerDelivery extends OnTheClass {}

describe.each([
  ['and nothing else', []],
  ['and a global guard of the request', GLOBAL],
])('a webhook handler with transient enhancers %s', (_, providers) => {
  it.each<[string, Type, boolean]>([
    ['a provider', OnTheClass, false],
    ['a provider of the request', PerDelivery, false],
    ['a controller', OnTheMethod, true],
  ])('of %s runs them as they were made', async (_name, handlers, isController) => {
    ran = [];
    guards.clear();
    const part = isController ? { controllers: [handlers] } : { providers: [handlers] };
    class Part {}
    const host = await openNest(
      new ExpressAdapter(),
      { modules: [{ module: Part, ...part, providers: [...(part.providers ?? []), Greeting] }] },
      { providers },
    );
    try {
      for (const _delivery of [1, 2]) {
        const { headers, body } = signedWebhook({
          secret: API_SECRET,
          shop: SHOP,
          topic: 'products/update',
          payload: { id: 7 },
        });
        const { status } = await fetch(`${host.url}/webhooks`, {
          method: 'POST',
          headers,
          body: new Uint8Array(body),
        });
        expect(status).toBe(200);
      }
    } finally {
      await host.close();
    }
    const once = [
      ...(providers.length > 0 ? ['global'] : []),
      ...['guard', 'hello', 'interceptor', true, 'pipe', true, 'handler'],
    ];
    expect(ran).toEqual([...once, ...once]);
    // Once for a provider that lives with the app, as for a route, unless something is scoped.
    expect(guards.size).toBe(providers.length > 0 || handlers === PerDelivery ? 2 : 1);
  });
});
