import { Catch, Injectable, UnauthorizedException, VersioningType } from '@nestjs/common';
import type {
  ArgumentsHost,
  CallHandler,
  CanActivate,
  ExceptionFilter,
  ExecutionContext,
  NestInterceptor,
} from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { describe, expect, it } from '@jest/globals';
import type { Observable } from 'rxjs';
import { map } from 'rxjs';

import { signedWebhook } from '../../lib/dev-store/index.js';
import { API_SECRET, SHOP } from '../support/app.js';
import { openNest } from '../support/hosts.js';

const seen: string[] = [];

@Injectable()
class JwtGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    seen.push(`guard:${context.getType<string>()}`);
    throw new UnauthorizedException('no token of ours');
  }
}

@Injectable()
class Envelope implements NestInterceptor {
  intercept(_: ExecutionContext, next: CallHandler): Observable<unknown> {
    seen.push('interceptor');
    return next.handle().pipe(map((data: unknown) => ({ data })));
  }
}

@Catch()
class CatchAll implements ExceptionFilter {
  catch(error: unknown, _host: ArgumentsHost): unknown {
    seen.push('filter');
    return { handled: String(error) };
  }
}

const ENHANCED = {
  providers: [
    { provide: APP_GUARD, useClass: JwtGuard },
    { provide: APP_INTERCEPTOR, useClass: Envelope },
    { provide: APP_FILTER, useClass: CatchAll },
  ],
};

describe.each([
  ['Express', () => new ExpressAdapter()],
  ['Fastify', () => new FastifyAdapter()],
])('an app on %s with global guards, interceptors, filters and URI versioning', (_, adapter) => {
  const open = (onDelivery?: () => void) =>
    openNest(
      adapter(),
      { ...(onDelivery && { onDelivery }) },
      {
        ...ENHANCED,
        before: (app) =>
          void app.enableVersioning({ type: VersioningType.URI, defaultVersion: '1' }),
      },
    );

  it('accepts deliveries on the configured path', async () => {
    seen.length = 0;
    const host = await open();
    try {
      const { headers, body } = signedWebhook({
        secret: API_SECRET,
        shop: SHOP,
        topic: 'products/create',
        payload: { id: 7 },
      });
      const response = await fetch(`${host.url}/webhooks`, {
        method: 'POST',
        headers,
        body: new Uint8Array(body),
      });
      expect(response.status).toBe(200);
      expect(host.handled.map(({ payload }) => payload)).toEqual([{ id: 7 }]);
      expect(seen).toEqual([]);
    } finally {
      await host.close();
    }
  });

  it('answers 500 when a handler throws, however the filters would have it', async () => {
    const host = await open(() => {
      throw new Error('the handler failed with secret details');
    });
    try {
      const { headers, body } = signedWebhook({
        secret: API_SECRET,
        shop: SHOP,
        topic: 'products/create',
        payload: {},
      });
      const response = await fetch(`${host.url}/webhooks`, {
        method: 'POST',
        headers,
        body: new Uint8Array(body),
      });
      expect(response.status).toBe(500);
      expect(await response.text()).not.toContain('secret details');
    } finally {
      await host.close();
    }
  });

  it('starts OAuth on the configured path', async () => {
    const host = await open();
    try {
      const response = await fetch(`${host.url}/auth?shop=${SHOP}`, { redirect: 'manual' });
      expect(response.status).toBe(302);
      expect(response.headers.get('location')).toMatch(
        new RegExp(`^https://${SHOP}/admin/oauth/authorize\\?`),
      );
    } finally {
      await host.close();
    }
  });
});
