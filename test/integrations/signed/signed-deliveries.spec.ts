import { randomUUID } from 'node:crypto';

import { Injectable, Module, ParseIntPipe } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import {
  DeliveryId,
  FlowAction,
  FlowActionRun,
  FulfillmentNotification,
  FulfillmentService,
  Payload,
  PlatformModule,
  Shop,
  WebhookHandler,
} from '../../../lib/index.js';
import type { FlowActionRequest, FulfillmentRequest } from '../../../lib/index.js';
import {
  signedFlowAction,
  signedFulfillmentNotification,
  signedWebhook,
} from '../../../lib/dev-store/index.js';
import type { SignedFlowActionOptions } from '../../../lib/dev-store/index.js';
import { MemorySessionStorage } from '../../../lib/sessions/index.js';
import { platformApp as expressApp } from '../../../lib/integrations/express/index.js';
import { platformApp as remixApp } from '../../../lib/integrations/remix/index.js';
import type { PlatformOptions } from '../../../lib/platform/kernel/platform.options.js';
import { API_SECRET, APP_URL, SHOP, appOptions } from '../../support/app.js';
import { HOSTS } from '../../support/hosts.js';
import type { RunningHost } from '../../support/hosts.js';

/** What ran, in order. Cleared before each test. */
const ran: unknown[] = [];
let failures = 0;

@Injectable()
class Actions {
  @FlowAction('tag-order')
  tag(@Payload('properties') properties: unknown, @Shop() shop: string, @DeliveryId() id: string) {
    ran.push({ properties, shop, id });
    if (failures-- > 0) throw new Error('The other side is down.');
  }

  @FlowAction('place-bid', { timeout: 5_000 })
  bid(@FlowActionRun('payload') { properties }: FlowActionRequest['payload']): void {
    ran.push(properties['amount']);
  }
}

@Injectable()
@FulfillmentService()
class Fulfillment {
  handle(@FulfillmentNotification('payload') { kind }: FulfillmentRequest['payload']): void {
    ran.push(kind);
    if (failures-- > 0) throw new Error('The other side is down.');
  }
}

@Module({})
class HandlersModule {}
const module: DynamicModule = { module: HandlersModule, providers: [Actions, Fulfillment] };

const options = {
  webhooks: {
    flowActions: {
      'of-the-options': ({ payload, webhookId }: FlowActionRequest<{ size: number }>) =>
        void ran.push([payload.properties.size, webhookId]),
    },
    flowPath: '/hooks/flow',
    fulfillmentServicePath: '/hooks/service/fulfillment_order_notification',
  },
};
const RUN = { properties: { tag: 'vip' }, handle: 'tag-order' };

describe.each(HOSTS)('signed requests to $name', ({ open }) => {
  let host: RunningHost;
  beforeAll(async () => {
    host = await open({ options, modules: [module] });
  });
  afterAll(() => host.close());
  beforeEach(() => {
    ran.splice(0);
    failures = 0;
  });

  const send = (
    path: string,
    { headers, body }: { headers: Readonly<Record<string, string>>; body: Buffer },
  ): Promise<Response> =>
    fetch(host.url + path, { method: 'POST', headers, body: new Uint8Array(body) });
  const run = (
    change: Partial<SignedFlowActionOptions> = {},
    path = '/hooks/flow',
  ): Promise<Response> =>
    send(path, signedFlowAction({ secret: API_SECRET, shop: SHOP, ...RUN, ...change }));
  const notify = (kind: string): Promise<Response> =>
    send(
      '/hooks/service/fulfillment_order_notification',
      signedFulfillmentNotification({ secret: API_SECRET, shop: SHOP, kind }),
    );

  it('run the handler of the action, with what its decorators ask for', async () => {
    const actionRunId = randomUUID();
    expect((await run({ actionRunId })).status).toBe(200);
    expect(ran).toEqual([{ properties: { tag: 'vip' }, shop: SHOP, id: actionRunId }]);
    expect(
      (await run({ handle: 'place-bid', properties: { amount: 3 } }, '/hooks/flow/')).status,
    ).toBe(200);
    expect(ran[1]).toBe(3);
  });

  it('run the handler of the options', async () => {
    const actionRunId = randomUUID();
    const change = { handle: 'of-the-options', properties: { size: 4 }, actionRunId };
    expect((await run(change)).status).toBe(200);
    expect(ran).toEqual([[4, actionRunId]]);
  });

  it('run it once, however often Flow sends the run', async () => {
    const actionRunId = randomUUID();
    const answers = await Promise.all(Array.from({ length: 5 }, () => run({ actionRunId })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(ran).toHaveLength(1);
  });

  it('ask Flow for another attempt when the handler fails', async () => {
    const actionRunId = randomUUID();
    failures = 1;
    expect((await run({ actionRunId })).status).toBe(500);
    expect((await run({ actionRunId })).status).toBe(200);
    expect((await run({ actionRunId })).status).toBe(200);
    expect(ran).toHaveLength(2);
  });

  it('know an action by the id that it has without a handle', async () => {
    const overrides = { handle: undefined };
    expect((await run({ overrides })).status).toBe(200);
    expect(ran).toHaveLength(1);
  });

  it('run what fulfills orders for each notification, however alike they are', async () => {
    for (let time = 1; time <= 2; time++)
      expect((await notify('FULFILLMENT_REQUEST')).status).toBe(200);
    failures = 1;
    expect((await notify('CANCELLATION_REQUEST')).status).toBe(500);
    expect(ran).toEqual(['FULFILLMENT_REQUEST', 'FULFILLMENT_REQUEST', 'CANCELLATION_REQUEST']);
  });

  it.each<[string, Partial<SignedFlowActionOptions>, number, string]>([
    ['no handler has the action', { handle: 'unknown' }, 404, 'action_unknown'],
    ['somebody else has signed it', { secret: 'another' }, 400, 'invalid_hmac'],
    ['it names no shop', { shop: 'example.com' }, 400, 'invalid_shop'],
    ['it has no run', { overrides: { action_run_id: undefined } }, 400, 'invalid_payload'],
    ['its run is no text', { overrides: { action_run_id: 7 } }, 400, 'invalid_payload'],
    ['its run is endless', { actionRunId: 'r'.repeat(300) }, 400, 'invalid_payload'],
    ['its handle is no text', { overrides: { handle: ['tag-order'] } }, 400, 'invalid_payload'],
    ['it is a list', { body: '[]' }, 400, 'invalid_payload'],
    ['it is no JSON', { body: '{"shopify_domain":' }, 400, 'invalid_payload'],
    ['it is empty', { body: '' }, 400, 'missing_body'],
  ])('are refused when %s', async (_, change, status, reason) => {
    const answer = await run(change);
    expect([answer.status, await answer.json()]).toMatchObject([status, { error: reason }]);
    expect(ran).toEqual([]);
  });

  it('are refused without a signature, and by another method', async () => {
    const unsigned = await fetch(`${host.url}/hooks/flow`, { method: 'POST', body: '{}' });
    const got = await fetch(`${host.url}/hooks/flow`);
    expect([unsigned.status, got.status, got.headers.get('allow')]).toEqual([400, 405, 'POST']);
  });

  // The signature covers no header: what names a topic must not run what is named by a body.
  it.each(['flow:tag-order', 'FLOW:TAG-ORDER', 'fulfillment_service:notification'])(
    'do not come as a webhook of the topic %s',
    async (topic) => {
      const webhook = signedWebhook({ secret: API_SECRET, shop: SHOP, topic });
      expect((await send('/webhooks', webhook)).status).toBe(404);
      expect(ran).toEqual([]);
    },
  );
});

// A webhook at the path that Flow has by default was refused as a broken action.
it.each(HOSTS.filter(({ name }) => name.includes('Express') || name.includes('Fastify')))(
  'a webhook at the path of a source without a handler is one: $name',
  async ({ open }) => {
    const topics: string[] = [];
    const callback = async (topic: string): Promise<void> => void topics.push(topic);
    const handlers = {
      PRODUCTS_CREATE: { deliveryMethod: 'http', callbackUrl: '/flow', callback },
    };
    const host = await open({ options: { webhooks: handlers } } as Parameters<typeof open>[0]);
    try {
      const { headers, body } = signedWebhook({
        ...{ secret: API_SECRET, shop: SHOP, topic: 'products/create' },
      });
      const sent = { method: 'POST', headers, body: new Uint8Array(body) };
      expect((await fetch(`${host.url}/flow`, sent)).status).toBe(200);
      expect(topics).toEqual(['PRODUCTS_CREATE']);
    } finally {
      await host.close();
    }
  },
);

// What is told apart by its path alone arrived at whoever came first.
describe('a path of signed requests', () => {
  const product = { deliveryMethod: 'http', callback: async () => {} } as const;
  const flowActions = { late: () => {} };
  const SERVICE = '/fulfillment_order_notification';

  class OnProduct {
    @WebhookHandler('PRODUCTS_CREATE', { callbackUrl: `${APP_URL}/flow` })
    run(): void {}
  }
  class OnAction {
    @FlowAction('late')
    run(): void {}
  }
  class OnRequest {
    @FulfillmentService()
    run(): void {}
  }

  const OWN = (path: string): string => `the toolkit's path "${path}"`;
  it.each<[string, string, Partial<PlatformOptions>, (new () => object)[]]>([
    ['flowPath: "/flow"', 'callbackUrl', {}, [OnAction, OnProduct]],
    ['flowPath: "/flow"', 'callbackUrl', {}, [OnProduct, OnAction]],
    ['flowPath: "/flow"', 'callbackUrl', { webhooks: { flowActions } }, [OnProduct]],
    ['flowPath: "/flow"', OWN('webhooks'), { webhooks: { path: '/flow' } }, [OnAction]],
    ['flowPath: "/flow"', OWN('auth'), { paths: { auth: '/flow' } }, [OnAction]],
    [
      'flowPath: "/webhooks"',
      OWN('webhooks'),
      { webhooks: { flowPath: '/webhooks/' } },
      [OnAction],
    ],
    [
      `fulfillmentServicePath: "${SERVICE}"`,
      'webhooks.flowPath',
      { webhooks: { flowPath: SERVICE } },
      [OnAction, OnRequest],
    ],
  ])('is no other one: %s is also %s', async (option, other, overrides, providers) => {
    const message = `webhooks.${option} is also ${other}: each needs a path of its own`;
    @Module({ imports: [PlatformModule.forRoot(appOptions(overrides))], providers })
    class AppModule {}
    const nest = NestFactory.create(AppModule, { logger: false, abortOnError: false });
    await expect(nest.then((app) => app.init().finally(() => app.close()))).rejects.toThrow(
      message,
    );
    @Module({ providers })
    class HandlersModule {}
    const app = remixApp({
      ...appOptions(overrides),
      authPathPrefix: overrides.paths?.auth ?? '/auth',
      sessionStorage: new MemorySessionStorage(),
      modules: [HandlersModule],
    });
    await expect(app.ready()).rejects.toThrow(message);
    await app.close();
  });

  it.each<[string, string, NonNullable<PlatformOptions['webhooks']>]>([
    [
      'flowPath: "/flow"',
      'callbackUrl',
      { flowActions, PRODUCTS_CREATE: { ...product, callbackUrl: '/flow' } },
    ],
    ['flowPath: "/webhooks"', OWN('webhooks'), { flowActions, flowPath: '/webhooks' }],
    [
      `fulfillmentServicePath: "${SERVICE}"`,
      'webhooks.flowPath',
      { flowActions, fulfillmentService: () => {}, flowPath: SERVICE },
    ],
  ])('is no other one in the options: %s is also %s', (option, other, webhooks) => {
    const sessionStorage = new MemorySessionStorage();
    expect(() => remixApp({ ...appOptions({ webhooks }), sessionStorage })).toThrow(
      `webhooks.${option} is also ${other}: each needs a path of its own`,
    );
  });

  it('is no other one of handlers that are added later: none of them is added', async () => {
    const { apiKey, apiSecretKey, apiVersion } = appOptions();
    const shopify = expressApp({
      api: { apiKey, apiSecretKey, apiVersion, hostName: new URL(APP_URL).host },
      webhooks: { path: '/webhooks', flowActions },
      sessionStorage: new MemorySessionStorage(),
    });
    const { webhooks } = shopify.api;
    const at = (callbackUrl: string) => ({
      PRODUCTS_CREATE: { ...product, callbackUrl: '/products' },
      PRODUCTS_UPDATE: { ...product, callbackUrl },
    });
    for (const add of [
      () => webhooks.addHandlers(at('/flow')),
      () => webhooks.addHandlers(at(`${APP_URL}/flow/`)),
      () => shopify.processWebhooks({ webhookHandlers: at('/flow') }),
    ]) {
      expect(add).toThrow(
        'webhooks.flowPath: "/flow" is also callbackUrl: each needs a path of its own',
      );
      expect(webhooks.getTopicsAdded()).toEqual([]);
    }
    shopify.processWebhooks({ webhookHandlers: at('/updates') });
    expect(webhooks.getTopicsAdded()).toEqual(['PRODUCTS_CREATE', 'PRODUCTS_UPDATE']);
    await shopify.close();
  });

  it('may be named by many handlers, and without a handler by whoever likes', async () => {
    class Both {
      @FlowAction('one')
      one(): void {}
      @FlowAction('two')
      two(): void {}
    }
    const webhooks = { path: SERVICE, PRODUCTS_CREATE: { ...product, callbackUrl: '/webhooks' } };
    @Module({ imports: [PlatformModule.forRoot(appOptions({ webhooks }))], providers: [Both] })
    class AppModule {}
    const app = await NestFactory.create(AppModule, { logger: false, abortOnError: false });
    await expect(app.init()).resolves.toBe(app);
    await app.close();
  });
});

describe('the handler of a signed request', () => {
  async function boot(provider: new () => object): Promise<void> {
    @Module({ imports: [PlatformModule.forRoot(appOptions())], providers: [provider] })
    class AppModule {}
    const app = await NestFactory.create(AppModule, { logger: false, abortOnError: false });
    await app.init().finally(() => app.close());
  }

  it('is refused without the handle of an action', () => {
    // The compiler refuses it already.
    const nameless = FlowAction as unknown as () => MethodDecorator;
    expect(() => {
      class Nameless {
        @nameless()
        tag(): void {}
      }
      return Nameless;
    }).toThrow("give it the handle of one, such as @FlowAction('tag-order')");
  });

  it('is refused when it could not run', async () => {
    @Injectable()
    @FulfillmentService()
    class Handless {}
    await expect(boot(Handless)).rejects.toThrow('Handless is decorated as a handler but has no');
    @Injectable()
    class Late {
      @FlowAction('late', { timeout: -1 })
      run(): void {}
    }
    await expect(boot(Late)).rejects.toThrow('Late.run.timeout must be');
  });

  it('gets what its pipes make of the payload', async () => {
    const seen: number[] = [];
    @Injectable()
    class Sized {
      @FlowAction('sized')
      run(@Payload('size', ParseIntPipe) size: number): void {
        seen.push(size);
      }
    }
    @Module({})
    class SizedModule {}
    const host = await HOSTS[0]!.open({
      modules: [{ module: SizedModule, providers: [Sized] }],
    });
    const overrides = { size: '12' };
    const request = { secret: API_SECRET, shop: SHOP, handle: 'sized', overrides };
    const { headers, body } = signedFlowAction(request);
    await fetch(`${host.url}/flow`, { method: 'POST', headers, body: new Uint8Array(body) });
    await host.close();
    expect(seen).toEqual([12]);
  });
});
