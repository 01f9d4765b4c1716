import type { Attributes } from '@opentelemetry/api';
import { All, Controller, HttpCode, Module, UseGuards } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { Telemetry } from '../../lib/core/telemetry/telemetry.js';
import {
  AdminApi,
  AppProxyGuard,
  BodyHmacGuard,
  CheckoutGuard,
  CustomerAccountGuard,
  FlowGuard,
  FulfillmentServiceGuard,
  PlatformModule,
  PosGuard,
  QueryHmacGuard,
  Session,
  TokenManager,
} from '../../lib/index.js';
import type { AdminContext } from '../../lib/index.js';
import { signedFlowAction } from '../../lib/dev-store/index.js';
import { PlatformTestingModule } from '../../lib/testing/index.js';
import { RecordedTelemetry } from '../support/recorded-telemetry.js';

const SECRET = 'a-secret-that-nobody-may-see';

@Controller()
class Surfaces {
  @All('proxy')
  @UseGuards(AppProxyGuard)
  async proxy(@AdminApi() admin: AdminContext): Promise<unknown> {
    return (await admin.graphql('query Shop { shop { name } }')).data;
  }

  @All('checkout')
  @UseGuards(CheckoutGuard)
  checkout(): object {
    return {};
  }

  @All('account')
  @UseGuards(CustomerAccountGuard)
  account(): object {
    return {};
  }

  @All('pos')
  @UseGuards(PosGuard)
  pos(): object {
    return {};
  }

  @All('flow')
  @HttpCode(200)
  @UseGuards(FlowGuard)
  flow(): object {
    return {};
  }

  @All('service/fulfillment_order_notification')
  @HttpCode(200)
  @UseGuards(FulfillmentServiceGuard)
  fulfillment(): object {
    return {};
  }

  @All('launch')
  @UseGuards(QueryHmacGuard)
  launch(): object {
    return {};
  }

  @All('body')
  @HttpCode(200)
  @UseGuards(BodyHmacGuard)
  body(): object {
    return {};
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
  controllers: [Surfaces],
})
class AppModule {}

const recorded = new RecordedTelemetry();
let testing: PlatformTestingModule;

beforeEach(async () => {
  recorded.register();
  testing = await PlatformTestingModule.create({
    imports: [AppModule],
    registration: { appProxy: { url: '/proxy', subpath: 'test' } },
  });
  await testing.get(Telemetry).loaded;
});

afterEach(async () => {
  await testing.close();
  recorded.reset();
});

const attributesOf = (name: string): Attributes => recorded.spanOf(name).attributes;

/** The labels of the measured decisions. */
async function measured(): Promise<unknown[]> {
  const { 'shopwright.auth.duration': points = [] } = await recorded.measured();
  return points.map(([labels]) => labels);
}

/** What nobody may read in a span or a measurement. */
async function expectNothingSecret(hidden: readonly string[]): Promise<void> {
  const labels = await measured();
  const written = JSON.stringify([
    labels,
    recorded.spans.getFinishedSpans().map(({ name, attributes, events, status }) => ({
      ...{ name, attributes },
      ...{ events, status },
    })),
  ]);
  for (const one of [SECRET, 'eyJ', 'hmac=', 'signature=', ...hidden]) {
    expect(one).not.toBe('');
    expect(written).not.toContain(one);
  }
}

const searchOf = (url: string): string => new URL(url).search;

type Surface = readonly [
  span: string,
  surface: string,
  send: () => Promise<Response>,
  /** The same request, with something wrong. */
  refused: () => Promise<Response>,
];

const extension = (
  span: string,
  surface: string,
  path: string,
  kind: 'checkout' | 'customer-account' | 'pos',
): Surface => {
  const send = (token: string): Promise<Response> =>
    testing.fetch(path, { headers: { authorization: `Bearer ${token}` } });
  const token = (): string => testing.shop().extensionToken(testing.config.apiKey, kind);
  return [span, surface, () => send(token()), () => send(`${token()}x`)];
};

const posted = (path: string): Promise<Response> => {
  const shop = testing.shop().domain;
  const { headers, body } = signedFlowAction({ secret: SECRET, shop, body: '{"a":1}' });
  return testing.fetch(path, { method: 'POST', headers, body: new Uint8Array(body) });
};

const SURFACES: readonly Surface[] = [
  [
    'authenticate app proxy',
    'app_proxy',
    () =>
      testing.fetch(
        `/proxy${searchOf(testing.shop().appProxyUrl(testing.config.apiKey, '/page'))}`,
      ),
    () => testing.fetch(`/proxy?shop=${testing.shop().domain}&signature=00`),
  ],
  extension('authenticate checkout', 'checkout', '/checkout', 'checkout'),
  extension('authenticate customer account', 'customer_account', '/account', 'customer-account'),
  extension('authenticate pos', 'pos', '/pos', 'pos'),
  [
    'authenticate flow',
    'flow',
    () => testing.shop().runFlowAction(testing.config.apiKey, '/flow'),
    () => posted('/flow'),
  ],
  [
    'authenticate fulfillment service',
    'fulfillment_service',
    () =>
      testing
        .shop()
        .notifyFulfillmentService(testing.config.apiKey, '/service', 'FULFILLMENT_REQUEST'),
    () => testing.fetch('/service/fulfillment_order_notification', { method: 'POST', body: '{}' }),
  ],
  [
    'authenticate signed query',
    'signed_query',
    () => testing.fetch(`/launch${searchOf(testing.shop().launchUrl(testing.config.apiKey))}`),
    () => testing.fetch(`/launch?shop=${testing.shop().domain}&hmac=00`),
  ],
  [
    'authenticate signed body',
    'signed_body',
    () => posted('/body'),
    () => testing.fetch('/body', { method: 'POST', body: '{"a":1}' }),
  ],
];

describe('the spans of requests that do not come from the admin', () => {
  it.each(SURFACES)('%s: its decision, surface and shop', async (span, surface, send) => {
    await testing.install();
    expect((await send()).status).toBe(200);
    expect(recorded.tree()[0]).toBe(span);
    const attributes = attributesOf(span);
    expect(attributes).toMatchObject({
      'shopwright.surface': surface,
      'shopwright.decision': surface === 'signed_body' ? 'read' : 'granted',
    });
    // No header is signed with a body, so that nobody vouches for the shop in one.
    if (surface !== 'signed_body')
      expect(attributes['shopwright.shop']).toBe(testing.shop().domain);
    expect(await measured()).toEqual([
      {
        'shopwright.surface': surface,
        'shopwright.decision': attributes['shopwright.decision'],
      },
    ]);
    await expectNothingSecret([]);
  });

  it.each(SURFACES)('%s: the reason of a refusal', async (span, surface, _, refused) => {
    await testing.install();
    expect((await refused()).status).toBeGreaterThanOrEqual(400);
    const attributes = attributesOf(span);
    expect(attributes).toEqual({
      'shopwright.surface': surface,
      'shopwright.decision': 'denied',
      'shopwright.reason': expect.stringMatching(/^[a-z_]+$/),
    });
    await expectNothingSecret([testing.shop().domain]);
  });

  it('has the renewal of a token inside, and calls of the handler beside it', async () => {
    await testing.install();
    const session = (await testing.get(TokenManager).migrate(testing.shop().domain))!;
    await testing.sessionStorage.storeSession(
      new Session({ ...session, expires: testing.clock.now() }),
    );
    recorded.spans.reset();
    expect((await SURFACES[0]![2]()).status).toBe(200);
    expect(recorded.tree()).toEqual([
      'authenticate app proxy',
      'authenticate app proxy > token refresh_token',
      'query Shop',
    ]);
    await expectNothingSecret([session.refreshToken!, session.accessToken!]);
  });
});

describe('the spans of OAuth', () => {
  it('are one for the start, and one for the callback, with the request for the token', async () => {
    const begun = await testing.fetch(`/auth?shop=${testing.shop().domain}`);
    const consent = new URL(begun.headers.get('location')!);
    const cookie = begun.headers.getSetCookie().map((one) => one.split(';', 1)[0]!);
    testing.shop().install(testing.config.apiKey, { scopes: ['write_products'] });
    const consented = await fetch(consent, { redirect: 'manual' });
    const callback = new URL(consented.headers.get('location')!);
    const completed = await testing.fetch(callback.pathname + callback.search, {
      headers: { cookie: cookie.join('; ') },
    });
    expect(completed.status).toBe(302);
    expect(recorded.tree()).toEqual(
      expect.arrayContaining([
        'begin oauth',
        'complete oauth',
        'complete oauth > token authorization_code',
      ]),
    );
    expect(attributesOf('begin oauth')).toEqual({
      'shopwright.surface': 'oauth_begin',
      'shopwright.decision': 'redirect',
      'shopwright.reason': 'begin_oauth',
    });
    expect(attributesOf('complete oauth')).toEqual({
      'shopwright.surface': 'oauth_callback',
      'shopwright.decision': 'granted',
      'shopwright.shop': testing.shop().domain,
    });
    const hidden = ['code', 'hmac', 'state'].map((name) => callback.searchParams.get(name) ?? '');
    await expectNothingSecret([...hidden, ...cookie.map((one) => one.split('=')[1]!)]);
  });

  it('say why a callback was refused', async () => {
    await testing.fetch(`/auth/callback?shop=${testing.shop().domain}&code=1&hmac=00`);
    expect(attributesOf('complete oauth')).toEqual({
      'shopwright.surface': 'oauth_callback',
      'shopwright.decision': 'denied',
      'shopwright.reason': 'hmac_invalid',
    });
  });
});
