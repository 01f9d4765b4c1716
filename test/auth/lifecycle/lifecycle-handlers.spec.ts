import { describe, expect, it } from '@jest/globals';

import { problemsInAuth } from '../../../lib/auth/auth.options.js';
import type { AuthHooks } from '../../../lib/auth/auth.options.js';
import { HookFailedError } from '../../../lib/auth/lifecycle/lifecycle.errors.js';
import { LifecycleHandlers } from '../../../lib/auth/lifecycle/lifecycle-handlers.js';
import type { InstallContext } from '../../../lib/auth/lifecycle/lifecycle-handlers.js';
import { SHOP } from '../../support/app.js';

const CONTEXT = { shop: SHOP } as InstallContext;

describe('LifecycleHandlers', () => {
  it('runs each hook on its event', async () => {
    const ran: string[] = [];
    const hooks: AuthHooks = {
      onInstall: () => ran.push('onInstall'),
      onReinstall: () => ran.push('onReinstall'),
      onScopesChanged: ({ previousScopes }) => ran.push(`onScopesChanged ${previousScopes.join()}`),
      onUninstall: ({ shop }) => ran.push(`onUninstall ${shop}`),
      onReauthorizationNeeded: ({ shop }) => ran.push(`onReauthorizationNeeded ${shop}`),
      afterAuth: () => ran.push('afterAuth'),
    };
    const handlers = new LifecycleHandlers(hooks);
    await handlers.run('installed', CONTEXT);
    await handlers.run('reinstalled', CONTEXT);
    await handlers.run('scopes_changed', { ...CONTEXT, previousScopes: ['read_orders'] });
    await handlers.run('uninstalled', { shop: SHOP });
    await handlers.run('needs_reauthorization', { shop: SHOP });
    await handlers.run('authenticated', CONTEXT);
    expect(ran).toEqual([
      'onInstall',
      'onReinstall',
      'onScopesChanged read_orders',
      `onUninstall ${SHOP}`,
      `onReauthorizationNeeded ${SHOP}`,
      'afterAuth',
    ]);
  });

  it('ends with the first that fails, skips those that are done, and tells equal names apart', async () => {
    const ran: number[] = [];
    let isBroken = true;
    const handlers = new LifecycleHandlers();
    handlers.add('installed', { name: 'Shops.new', run: () => ran.push(1) });
    handlers.add('installed', {
      name: 'Shops.new',
      run: () => (isBroken ? Promise.reject(new Error('no')) : ran.push(2)),
    });
    handlers.add('installed', { name: 'Shops.new', run: () => ran.push(3) });
    const done = new Set<string>();
    const failure = await handlers.run('installed', CONTEXT, done).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(HookFailedError);
    expect(failure).toMatchObject({
      message: `Shops.new (2) failed to deal with the event "installed" of ${SHOP}.`,
    });
    expect([...done]).toEqual(['Shops.new']);
    isBroken = false;
    await handlers.run('installed', CONTEXT, done);
    expect([ran, [...done]]).toEqual([
      [1, 2, 3],
      ['Shops.new', 'Shops.new (2)', 'Shops.new (3)'],
    ]);
  });

  it('takes a response that a handler throws for an answer: the others run, and the first is handed on', async () => {
    const ran: string[] = [];
    const [first, second] = [new Response('first'), new Response('second')];
    const handlers = new LifecycleHandlers({ onInstall: () => Promise.reject(first) });
    handlers.add('installed', { name: 'Shops.new', run: () => Promise.reject(second) });
    handlers.add('installed', { name: 'Shops.greet', run: () => ran.push('greet') });
    const done = new Set<string>();
    expect(await handlers.run('installed', CONTEXT, done)).toBe(first);
    expect([ran, [...done]]).toEqual([['greet'], ['hooks.onInstall', 'Shops.new', 'Shops.greet']]);
  });
});

describe('the hooks among the options', () => {
  it('may be left out, and have to be functions', () => {
    expect(problemsInAuth({})).toEqual([]);
    expect(problemsInAuth({ hooks: { onInstall: () => {}, onUninstall: undefined } })).toEqual([]);
    const hooks = {
      afterAuth: true,
      onInstall: () => {},
      onUninstall: 'later',
    } as unknown as AuthHooks;
    expect(problemsInAuth({ hooks })).toEqual([
      { option: 'hooks.afterAuth', message: 'must be a function' },
      { option: 'hooks.onUninstall', message: 'must be a function' },
    ]);
    expect(problemsInAuth({ hooks: null as unknown as AuthHooks })).toEqual([
      { option: 'hooks', message: 'must be an object of functions' },
    ]);
  });
});
