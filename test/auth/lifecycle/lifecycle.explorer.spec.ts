import { Inject, Injectable, Scope } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { REQUEST } from '@nestjs/core';
import { describe, expect, it } from '@jest/globals';

import type {
  InstallContext,
  ScopesChangedContext,
  ShopContext,
} from '../../../lib/auth/lifecycle/lifecycle-handlers.js';
import {
  OnInstalled,
  OnReauthorizationNeeded,
  OnReinstalled,
  OnScopesChanged,
  OnUninstalled,
} from '../../../lib/auth/lifecycle/lifecycle.decorator.js';
import {
  HookFailedError,
  InvalidLifecycleHandlerError,
} from '../../../lib/auth/lifecycle/lifecycle.errors.js';
import { Lifecycle } from '../../../lib/auth/lifecycle/lifecycle.js';
import { AuthModule } from '../../../lib/auth/auth.module.js';
import { SHOP } from '../../support/app.js';
import { Dependency, boot, moduleOver, untyped } from '../../support/containers.js';
import type { UserModule } from '../../support/containers.js';
import { AppProcess } from './lifecycle.fixture.js';

/** The auth module of one app in a container, over the objects of a fixture. */
class App extends AppProcess {
  readonly feature: DynamicModule;

  constructor(readonly name = 'default') {
    super();
    this.feature = moduleOver(this.app, AuthModule, name);
  }
}

/** Boots the app, installs it in a shop, and settles that. */
async function install(app: App, userModule: UserModule): Promise<void> {
  await boot(app, userModule);
  await app.lifecycle.deliverPendingEvents(await app.grant('token-1'));
}

/** What ran, in order. Cleared before each use. */
let ran: unknown[] = [];
const note = (...what: unknown[]): void => void ran.push(...what);

@Injectable()
class Shops {
  constructor(private readonly dependency: Dependency) {}

  @OnInstalled()
  onInstalled({ shop, session }: InstallContext): void {
    note(`${this.constructor.name} ${shop} ${session.accessToken} ${this.dependency.name}`);
  }

  other(): void {
    note('undecorated');
  }
}

describe('LifecycleExplorer', () => {
  it('finds a method of a provider and gives it the context', async () => {
    ran = [];
    await install(new App(), { providers: [Dependency, Shops] });
    expect(ran).toEqual([`Shops ${SHOP} token-1 dependency`]);
  });

  it('finds the methods of every event, and several events on one method', async () => {
    ran = [];
    @Injectable()
    class All {
      @OnInstalled()
      @OnReinstalled()
      installed({ admin }: InstallContext): void {
        note('installed', admin.session.shop);
      }
      @OnScopesChanged()
      changed({ previousScopes }: ScopesChangedContext): void {
        note('changed', previousScopes);
      }
      @OnUninstalled()
      uninstalled({ shop }: ShopContext): void {
        note('uninstalled', shop);
      }
      @OnReauthorizationNeeded()
      needed({ shop }: ShopContext): void {
        note('needed', shop);
      }
    }
    const app = new App();
    const lifecycle = (await boot(app, { providers: [All] })).get(Lifecycle);
    await lifecycle.deliverPendingEvents(await app.grant('token-1'));
    await app.handlers.run('needs_reauthorization', { shop: SHOP });
    await app.uninstalled();
    await lifecycle.deliverPendingEvents(await app.grant('token-2', { scope: 'read_orders' }));
    expect(ran).toEqual([
      ...['installed', SHOP],
      ...['needed', SHOP],
      ...['uninstalled', SHOP],
      ...['installed', SHOP],
      ...['changed', ['write_products']],
    ]);
  });

  it('makes a request-scoped provider for the event, which it sees as the request', async () => {
    ran = [];
    @Injectable({ scope: Scope.REQUEST })
    class PerEvent {
      constructor(@Inject(REQUEST) private readonly request: InstallContext) {}

      @OnInstalled()
      onInstalled(context: InstallContext): void {
        note(this.request === context);
      }
    }
    @Injectable()
    class OnPerEvent {
      constructor(private readonly inner: PerEvent) {}

      @OnInstalled()
      onInstalled(context: InstallContext): void {
        this.inner.onInstalled(context);
      }
    }
    await install(new App(), { providers: [PerEvent, OnPerEvent] });
    expect(ran).toEqual([true, true]);
  });

  it('gives each app its own handlers only', async () => {
    ran = [];
    @Injectable()
    class Both {
      @OnInstalled()
      unnamed(): void {
        note('unnamed');
      }
      @OnInstalled({ app: 'b' })
      named(): void {
        note('named');
      }
    }
    const [a, b] = [new App(), new App('b')];
    await boot(a, { imports: [b.feature], providers: [Both] });
    const context = { shop: SHOP } as InstallContext;
    await a.handlers.run('installed', context);
    await b.handlers.run('installed', context);
    expect(ran).toEqual(['unnamed', 'named']);
  });

  it('fails at boot, naming the apps there are, on a method of one that is not', async () => {
    // It never ran, and nothing said so.
    @Injectable()
    class Wholesale {
      @OnInstalled({ app: 'wholesal' })
      onInstalled(): void {}
    }
    const [a, b] = [new App(), new App('wholesale')];
    const booting = boot(a, { imports: [b.feature], providers: [Wholesale] });
    await expect(booting).rejects.toBeInstanceOf(InvalidLifecycleHandlerError);
    await expect(booting).rejects.toThrow(
      /^Wholesale\.onInstalled handles events of installations of the app "wholesal", .* "default", "wholesale"\./,
    );
  });

  it("runs them after the app's hook, and names the one that fails", async () => {
    ran = [];
    @Injectable()
    class Failing {
      @OnInstalled()
      async onInstalled(): Promise<void> {
        throw new Error('no');
      }
    }
    const app = new App();
    app.handlers.add('installed', { name: 'hooks.onInstall', run: () => note('hook') });
    const failure = await install(app, { providers: [Failing] }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(HookFailedError);
    expect(failure).toMatchObject({ handler: 'Failing.onInstalled' });
    expect(ran).toEqual(['hook']);
  });

  it('fails at boot, naming the class, when the types of its constructor arguments are gone', async () => {
    const booting = boot(new App(), { providers: [Dependency, untyped(OnInstalled())] });
    await expect(booting).rejects.toBeInstanceOf(InvalidLifecycleHandlerError);
    await expect(booting).rejects.toThrow(
      /^Untyped handles events of installations .* @Inject\(\)/,
    );
  });
});

describe('a decorated member that Nest would never call', () => {
  const SYMBOL = Symbol('onInstalled');
  class Static {
    @OnInstalled()
    static onInstalled(): void {}
  }
  class BySymbol {
    @OnUninstalled()
    [SYMBOL](): void {}
  }

  it.each([
    ['a static method', Static, 'Static.onInstalled is static'],
    ['a method with a symbol as its name', BySymbol, 'BySymbol[Symbol(onInstalled)] has a symbol'],
  ])('%s is refused at boot, with what to do', async (_, handlers, message) => {
    const booting = boot(new App(), { providers: [handlers] });
    await expect(booting).rejects.toBeInstanceOf(InvalidLifecycleHandlerError);
    await expect(booting).rejects.toThrow(message);
  });
});
