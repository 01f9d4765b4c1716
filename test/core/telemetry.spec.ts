import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import { Controller, Get, Injectable, Module, Post, UseGuards } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { PlatformLogger } from '../../lib/core/logger.js';
import { Telemetry } from '../../lib/core/telemetry/telemetry.js';
import {
  AdminApi,
  AuthenticatedSessionGuard,
  PlatformModule,
  TokenManager,
  WebhookHandler,
} from '../../lib/index.js';
import type { AdminContext } from '../../lib/index.js';
import { PlatformTestingModule } from '../../lib/testing/index.js';
import { apiCaller } from '../support/api-caller.js';
import { ManualClock } from '../support/manual.clock.js';
import { RecordedTelemetry } from '../support/recorded-telemetry.js';
import { ScriptedFetch } from '../support/scripted-fetch.js';

const SECRET = 'a-secret-that-nobody-may-see';
const QUOTED = 'what-messages-and-queries-quote';

@Controller()
@UseGuards(AuthenticatedSessionGuard)
class Pages {
  @Get('products')
  async products(@AdminApi() admin: AdminContext): Promise<unknown> {
    return (await admin.graphql('query Names { products(first: 1) { nodes { title } } }')).data;
  }

  @Post('products')
  rest(@AdminApi() admin: AdminContext): Promise<unknown> {
    return admin.rest.get({ path: 'products', query: { title: QUOTED } });
  }
}

@Injectable()
class Handlers {
  @WebhookHandler('PRODUCTS_CREATE')
  async onProduct(@AdminApi() admin: AdminContext): Promise<void> {
    await admin.graphql('query Shop { shop { name } }');
  }

  @WebhookHandler('PRODUCTS_DELETE')
  async onDelete(): Promise<never> {
    throw new RangeError(QUOTED);
  }
}

@Module({
  imports: [
    PlatformModule.forRoot({
      apiVersion: '2026-07',
      apiSecretKey: SECRET,
      scopes: ['write_products'],
      logger: { log: () => {} },
    }),
  ],
  controllers: [Pages],
  providers: [Handlers],
})
class AppModule {}

const recorded = new RecordedTelemetry();
let testing: PlatformTestingModule | undefined;
async function open(): Promise<PlatformTestingModule> {
  testing = await PlatformTestingModule.create({ imports: [AppModule] });
  await testing.get(Telemetry).loaded;
  testing.shop().install(testing.config.apiKey, { scopes: ['write_products'] });
  return testing;
}

const authorization = (): { headers: { authorization: string } } => ({
  headers: { authorization: `Bearer ${testing!.sessionToken()}` },
});

function startedTelemetry(): { telemetry: Telemetry; loaded: Promise<void> | undefined } {
  const clock = new ManualClock();
  const telemetry = new Telemetry(clock, new PlatformLogger({ log: () => {} }, clock));
  telemetry.start();
  return { telemetry, loaded: telemetry.loaded };
}

afterEach(async () => {
  await testing?.close();
  testing = undefined;
  recorded.reset();
});

describe('an app without an SDK', () => {
  it('measures nothing, and does not load OpenTelemetry', async () => {
    // What the tests have loaded is there: as if nobody had.
    const registered = Symbol.for('opentelemetry.js.api.1');
    const all = globalThis as { [key: symbol]: unknown };
    const before = all[registered];
    delete all[registered];
    try {
      const { instruments, loaded } = (await open()).get(Telemetry);
      expect([instruments, loaded]).toEqual([undefined, undefined]);
    } finally {
      if (before) all[registered] = before;
    }
  });
});

describe('an app with an SDK', () => {
  beforeEach(() => recorded.register());

  it('has a span for each request, with those of tokens and calls', async () => {
    await open();
    expect((await testing!.fetch('/products', authorization())).status).toBe(200);
    expect(recorded.tree()).toEqual(
      expect.arrayContaining([
        'authenticate',
        'authenticate > token token-exchange',
        'query Names',
      ]),
    );
    const { host } = new URL(testing!.shop().origin);
    const [hostname, port] = host.split(':');
    expect(recorded.spanOf('query Names')).toMatchObject({
      kind: SpanKind.CLIENT,
      attributes: {
        'http.request.method': 'POST',
        'http.response.status_code': 200,
        'server.address': hostname,
        'server.port': Number(port),
        'url.full': expect.stringMatching(/\/admin\/api\/2026-07\/graphql\.json$/),
        'shopwright.shop': testing!.shop().domain,
        'shopwright.cost': expect.any(Number),
      },
      status: { code: SpanStatusCode.UNSET },
    });
    expect(recorded.spanOf('token token-exchange').attributes).toMatchObject({
      'shopwright.grant': 'token-exchange',
      'url.full': expect.stringMatching(/\/admin\/oauth\/access_token$/),
    });
    expect(recorded.spanOf('authenticate').attributes).toMatchObject({
      'shopwright.decision': 'granted',
      'shopwright.shop': testing!.shop().domain,
    });
  });

  it('has a span for a request that is refused, with the reason', async () => {
    await open();
    const headers = { authorization: `Bearer ${SECRET}` };
    await testing!.fetch('/products', { headers });
    const { attributes } = recorded.spanOf('authenticate');
    expect(attributes).toMatchObject({ 'shopwright.decision': 'denied' });
    expect(attributes['shopwright.reason']).toEqual(expect.any(String));
  });

  it('has a span for a delivery, one for each handler in it, and one for each call of those', async () => {
    await open();
    await testing!.install();
    expect((await testing!.deliver('PRODUCTS_CREATE', { id: 1 })).status).toBe(200);
    expect(recorded.tree()).toEqual([
      'receive webhook',
      'receive webhook > handle PRODUCTS_CREATE',
      'receive webhook > handle PRODUCTS_CREATE > query Shop',
    ]);
    expect(recorded.spanOf('receive webhook')).toMatchObject({
      kind: SpanKind.CONSUMER,
      attributes: {
        'shopwright.decision': 'accepted',
        'shopwright.webhook.topic': 'PRODUCTS_CREATE',
        'shopwright.shop': testing!.shop().domain,
      },
    });
    expect(recorded.spanOf('handle PRODUCTS_CREATE').attributes).toMatchObject({
      'shopwright.webhook.handler': 'Handlers.onProduct',
    });
  });

  it('tells of what fails by its name alone', async () => {
    await open();
    await testing!.install();
    expect((await testing!.deliver('PRODUCTS_DELETE', { id: 1 })).status).toBe(500);
    const handler = recorded.spanOf('handle PRODUCTS_DELETE');
    expect([handler.status, handler.attributes['error.type'], handler.events]).toEqual([
      { code: SpanStatusCode.ERROR },
      'RangeError',
      [],
    ]);
    expect(recorded.spanOf('receive webhook').status.code).toBe(SpanStatusCode.ERROR);
  });

  it('names no topic of a delivery that is not signed', async () => {
    await open();
    const response = await testing!.fetch('/webhooks', {
      method: 'POST',
      headers: { 'x-shopify-topic': 'made/up', 'x-shopify-hmac-sha256': 'bWFkZSB1cA==' },
      body: '{}',
    });
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(JSON.stringify(recorded.spanOf('receive webhook').attributes)).not.toMatch(/made/i);
  });

  it('counts retries and what calls have cost, with few labels', async () => {
    const { loaded, telemetry } = startedTelemetry();
    await loaded;
    const script = new ScriptedFetch(new Response('', { status: 503 }), new Response('{}'));
    const clock = new ManualClock();
    const caller = apiCaller(script.fetch, clock, { retries: 2, telemetry });
    await caller.call({
      ...{ shop: 'a.myshopify.com', operation: 'query Names', kind: 'graphql', repeatable: true },
      request: { url: 'https://a.myshopify.com/graphql?secret=1', method: 'POST', headers: {} },
      cost: () => 7,
      read: (response) => response.text(),
    });
    expect(recorded.spanOf('query Names').attributes).toMatchObject({
      'http.request.resend_count': 1,
      'http.response.status_code': 200,
      'shopwright.cost': 7,
      'url.full': 'https://a.myshopify.com/graphql',
    });
    const labels = { 'shopwright.api': 'graphql', 'http.request.method': 'POST' };
    expect(await recorded.measured()).toEqual({
      'shopwright.api.cost': [[labels, 7]],
      'shopwright.api.retries': [[labels, 1]],
      'shopwright.api.duration': [
        [{ ...labels, 'http.response.status_code': 200 }, expect.anything()],
      ],
    });
  });

  it('tells of a call that fails by the code of its error', async () => {
    const { loaded, telemetry } = startedTelemetry();
    await loaded;
    const caller = apiCaller(new ScriptedFetch(new TypeError(QUOTED)).fetch, undefined, {
      telemetry,
    });
    const call = caller.call({
      ...{ shop: 'a.myshopify.com', operation: 'GET shop', kind: 'rest', repeatable: true },
      request: { url: 'https://a.myshopify.com/shop.json', method: 'GET', headers: {} },
      cost: () => 1,
      read: (response) => response.text(),
    });
    await expect(call).rejects.toThrow();
    const { status, attributes } = recorded.spanOf('GET shop');
    expect([status.code, attributes['error.type']]).toEqual([
      SpanStatusCode.ERROR,
      'ERR_HTTP_REQUEST',
    ]);
  });

  it('shows no token, secret, query or body', async () => {
    await open();
    await testing!.fetch('/products', authorization());
    await testing!.fetch('/products', { method: 'POST', ...authorization() });
    await testing!.deliver('PRODUCTS_CREATE', { id: 1, text: QUOTED });
    await testing!.deliver('PRODUCTS_DELETE', { id: 1 });
    const measured = await recorded.measured();
    const { accessToken = '' } = await testing!.get(TokenManager).session(testing!.shop().domain);
    expect(accessToken).not.toBe('');
    const written = JSON.stringify([
      recorded.spans
        .getFinishedSpans()
        .map(({ name, attributes, events, status }) => [
          ...[name, attributes],
          ...[events, status],
        ]),
      measured,
    ]);
    expect(written).toContain('/admin/api/2026-07/products.json');
    for (const hidden of [SECRET, QUOTED, accessToken, 'eyJ', '?'])
      expect(written).not.toContain(hidden);
  });
});
