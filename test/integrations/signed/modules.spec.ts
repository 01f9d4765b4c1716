import { setTimeout as delay } from 'node:timers/promises';

import { afterEach, describe, expect, it } from '@jest/globals';
import { Injectable, Module } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';

import { BootError } from '../../../lib/integrations/remix/index.js';
import {
  APP_URL,
  SHOP,
  WEB_HOSTS,
  extensionToken,
  install,
  proxyQuery,
  seconds,
  signedPost,
} from './signed.fixture.js';

type Opened = ReturnType<(typeof WEB_HOSTS)[number]['open']>;

const extension = ({ clock }: Opened): Request =>
  new Request(`${APP_URL}/api`, { headers: { authorization: `Bearer ${extensionToken(clock)}` } });

/** The first call of an app, of each member that works without a session token of the admin. */
const MEMBERS: Readonly<Record<string, (opened: Opened) => Promise<unknown>>> = {
  'authenticate.flow': ({ app }) =>
    app.authenticate.flow(new Request(`${APP_URL}/flow`, signedPost({ shopify_domain: SHOP }))),
  'authenticate.fulfillmentService': ({ app }) =>
    app.authenticate.fulfillmentService(new Request(`${APP_URL}/f`, signedPost({ kind: 'A' }))),
  'authenticate.public.appProxy': ({ app, clock }) => {
    const query = proxyQuery({ shop: SHOP, timestamp: String(seconds(clock)) });
    return app.authenticate.public.appProxy(new Request(`${APP_URL}/proxy?${query}`));
  },
  'authenticate.public.checkout': (opened) =>
    opened.app.authenticate.public.checkout(extension(opened)),
  'authenticate.public.customerAccount': (opened) =>
    opened.app.authenticate.public.customerAccount(extension(opened)),
  pos: (opened) => opened.pos(extension(opened)),
  'unauthenticated.admin': ({ app }) => app.unauthenticated.admin(SHOP),
  'unauthenticated.storefront': ({ app }) => app.unauthenticated.storefront(SHOP),
};
const CASES = WEB_HOSTS.flatMap((host) =>
  Object.entries(MEMBERS).map(([member, call]) => ({ name: host.name, host, member, call })),
);

// The app's own services, and its handlers of events of the shop, were not there yet.
describe.each(CASES)('$member of $name with modules', ({ host, call }) => {
  let opened: Opened | undefined;
  afterEach(() => opened?.app.close());

  it('waits until the modules have started', async () => {
    const started: string[] = [];
    @Injectable()
    class Slow implements OnModuleInit {
      async onModuleInit(): Promise<void> {
        await delay(20);
        started.push('slow');
      }
    }
    @Module({ providers: [Slow] })
    class SlowModule {}
    opened = host.open({ modules: [SlowModule] });
    await install(opened);
    await call(opened);
    expect(started).toEqual(['slow']);
  });

  it('rejects with the reason when a module cannot be started', async () => {
    class Missing {}
    @Module({ providers: [{ provide: 'broken', useFactory: () => 1, inject: [Missing] }] })
    class BrokenModule {}
    opened = host.open({ modules: [BrokenModule] });
    await install(opened);
    await expect(call(opened)).rejects.toThrow(BootError);
  });
});
