import { afterEach, describe, expect, it } from '@jest/globals';
import { Module } from '@nestjs/common';

import {
  BootError,
  InvalidOptionsError,
  MemorySessionStorage,
  platformApp,
  shopifyApp,
} from '../../../lib/integrations/remix/index.js';
import type { RemixApp, RemixAppOptions } from '../../../lib/integrations/remix/index.js';
import { APP_URL, appOptions } from '../../support/app.js';

const options: RemixAppOptions = {
  ...appOptions(),
  scopes: [],
  sessionStorage: new MemorySessionStorage(),
};

describe('platformApp of Remix', () => {
  let app: RemixApp | undefined;
  afterEach(() => app?.close());

  it('goes by both names', () => {
    expect(shopifyApp).toBe(platformApp);
  });

  it.each<[string, object]>([
    ['appUrl', { appUrl: 'app.example.com' }],
    ['authPathPrefix', { authPathPrefix: 'no path' }],
    ['webhooks.path', { webhooks: { path: 'hooks' } }],
    ['sessionStorage', { sessionStorage: { loadSession: () => {} } }],
  ])('names %s when it is wrong', (name, change) => {
    expect.assertions(1);
    try {
      platformApp({ ...options, ...change } as RemixAppOptions);
    } catch (error) {
      expect((error as InvalidOptionsError).problems.map(({ option }) => option)).toEqual(
        expect.arrayContaining([name]),
      );
    }
  });

  it('puts the helper pages below the prefix', () => {
    app = platformApp({ ...options, authPathPrefix: '/connect/' });
    const { auth, authCallback, exitIframe, sessionToken } = app.api.config.paths;
    expect([auth, authCallback, exitIframe, sessionToken]).toEqual([
      '/connect',
      '/connect/callback',
      '/connect/exit-iframe',
      '/connect/session-token',
    ]);
  });

  it('answers at once when a module cannot be built, and fails on first use', async () => {
    class Missing {}
    @Module({ providers: [{ provide: 'broken', useFactory: () => 1, inject: [Missing] }] })
    class BrokenModule {}
    app = platformApp({ ...options, modules: [BrokenModule] });
    await expect(app.authenticate.admin(new Request(`${APP_URL}/app`))).rejects.toThrow(BootError);
    await expect(app.ready()).rejects.toThrow(BootError);
  });
});
