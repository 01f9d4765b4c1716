import { Controller, Get, Inject, Injectable, Module, UseGuards } from '@nestjs/common';
import type { DynamicModule, ModuleMetadata, Type } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { Pacer } from '../../../lib/core/pacing/pacer.js';
import {
  AuthService,
  AuthenticatedSessionGuard,
  BillingInterval,
  HOSTS,
  InjectPlatform,
  InvalidOptionsError,
  PlatformApi,
  PlatformConfig,
  PlatformModule,
  RequiresPlan,
  SessionStorage,
  getPlatformOptionsToken,
  getPlatformToken,
} from '../../../lib/index.js';
import type { PlatformOptions, PlatformOptionsFactory } from '../../../lib/index.js';
import { createResolver } from '../../../lib/platform/kernel/platform.providers.js';
import { MemorySessionStorage } from '../../../lib/sessions/storages/memory/memory-session.storage.js';
import { appOptions } from '../../support/app.js';

let close = async (): Promise<void> => {};
afterEach(() => close());

async function boot(imports: NonNullable<ModuleMetadata['imports']>, providers: Provided = []) {
  @Module({ imports, providers })
  class App {}
  const testing = await Test.createTestingModule({ imports: [App] }).compile();
  close = () => testing.close();
  return testing;
}
type Provided = NonNullable<ModuleMetadata['providers']>;

/** The problems of a boot that fails, by the names of options. */
async function problemsOf(declare: () => DynamicModule): Promise<Record<string, string>> {
  const failure = await (async () => boot([declare()]))().catch((error: unknown) => error);
  if (!(failure instanceof InvalidOptionsError)) throw failure;
  return Object.fromEntries(failure.problems.map(({ option, message }) => [option, message]));
}

@Injectable()
class Secrets {
  readonly key = 'key-of-the-secrets';
}
@Module({ providers: [Secrets], exports: [Secrets] })
class SecretsModule {}

@Injectable()
class NeedsAuth {
  constructor(readonly auth: AuthService) {}
}

@Injectable()
class OptionsService implements PlatformOptionsFactory {
  constructor(private readonly secrets: Secrets) {}

  async createPlatformOptions(): Promise<PlatformOptions> {
    return appOptions({ apiKey: this.secrets.key });
  }
}
@Module({ imports: [SecretsModule], providers: [OptionsService], exports: [OptionsService] })
class OptionsModule {}

describe('the options of an app', () => {
  it.each([
    ['useClass', { imports: [SecretsModule], useClass: OptionsService }],
    ['useExisting', { imports: [OptionsModule], useExisting: OptionsService }],
    [
      'useFactory',
      {
        imports: [SecretsModule],
        inject: [Secrets],
        useFactory: ({ key }: Secrets) => appOptions({ apiKey: key }),
      },
    ],
  ])('come from %s, with what must be known at once beside it', async (_, source) => {
    const extras = { name: 'b', routes: false, paths: { auth: '/b' }, isGlobal: true, plugins: [] };
    const app = await boot([PlatformModule.forRootAsync({ ...source, ...extras })]);
    const config = app.get<PlatformConfig>(getPlatformToken(PlatformConfig, 'b'), {
      strict: false,
    });
    expect([config.apiKey, config.paths.auth]).toEqual(['key-of-the-secrets', '/b']);
  });

  const LATE = { routes: false, paths: {}, name: 'c', isGlobal: true, plugins: [] };
  @Injectable()
  class LateOptions implements PlatformOptionsFactory {
    createPlatformOptions(): PlatformOptions {
      return { ...appOptions(), ...LATE };
    }
  }
  @Module({ providers: [LateOptions], exports: [LateOptions] })
  class LateModule {}

  it.each([
    ['useFactory', { useFactory: () => ({ ...appOptions(), ...LATE }) }],
    ['useClass', { useClass: LateOptions }],
    ['useExisting', { imports: [LateModule], useExisting: LateOptions }],
  ])('are refused by name when they come too late from %s', async (_, source) => {
    const problems = await problemsOf(() => PlatformModule.forRootAsync(source));
    expect(Object.keys(problems).sort()).toEqual(Object.keys(LATE).sort());
    expect(problems['routes']).toContain('beside');
  });

  it('may be left open there with undefined', async () => {
    const useFactory = () => ({ ...appOptions(), paths: undefined });
    await expect(boot([PlatformModule.forRootAsync({ useFactory })])).resolves.toBeDefined();
  });

  it('can be overridden in a test, for each app by itself', async () => {
    const testing = await Test.createTestingModule({
      imports: [
        PlatformModule.forRoot(appOptions()),
        PlatformModule.forRoot({ ...appOptions(), name: 'b', routes: false, isGlobal: true }),
      ],
    })
      .overrideProvider(getPlatformOptionsToken('b'))
      .useValue(appOptions({ apiKey: 'overridden' }))
      .compile();
    close = () => testing.close();
    const keys = ['default', 'b'].map(
      (app) => testing.get<PlatformConfig>(getPlatformToken(PlatformConfig, app)).apiKey,
    );
    expect(keys).toEqual(['test-api-key', 'overridden']);
  });
});

describe('options that nothing knows', () => {
  it('are named by the log, paths and hooks included', async () => {
    // A misspelt path or hook did nothing, and nothing said so.
    const lines: string[] = [];
    const misspelt = {
      ...appOptions({ logger: { log: (_level, line) => void lines.push(line) } }),
      apikey: 'key',
      paths: { auth: '/b', webhook: '/hooks' },
      hooks: { afterAuth: () => {}, onInstal: () => {}, database: {} },
    };
    const app = await boot([PlatformModule.forRoot(misspelt)]);
    await app.init();
    expect(lines.filter((line) => line.includes('Unknown options'))).toEqual([
      expect.stringContaining('are ignored: apikey, paths.webhook, hooks.onInstal.'),
    ]);
  });
});

describe('options that are left open', () => {
  const NAMES = ['HOST', 'SCOPES'].concat(
    ['API_KEY', 'API_SECRET', 'APP_URL'].flatMap((name) => [`PLATFORM_${name}`, `SHOPIFY_${name}`]),
  );
  const before = NAMES.map((name) => [name, process.env[name]] as const);
  beforeEach(() => {
    for (const name of NAMES) delete process.env[name];
  });
  afterEach(() => {
    for (const [name, value] of before)
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
  });

  it.each([
    ['forRoot()', () => PlatformModule.forRoot({ apiVersion: '2026-07' })],
    [
      'forRootAsync()',
      () => PlatformModule.forRootAsync({ useFactory: () => ({ apiVersion: '2026-07' }) }),
    ],
  ])('come from the environment for %s', async (_, declare) => {
    Object.assign(process.env, {
      ...{ SHOPIFY_API_KEY: 'key-of-the-machine', SHOPIFY_API_SECRET: 'secret-of-the-machine' },
      ...{ HOST: 'https://machine.example.com', SCOPES: 'read_orders,write_products' },
    });
    const config = (await boot([declare()])).get(PlatformConfig);
    expect([config.apiKey, config.appUrl, config.scopes?.toArray().sort()]).toEqual([
      'key-of-the-machine',
      'https://machine.example.com',
      ['read_orders', 'write_products'],
    ]);
  });

  it('are all named by forRoot()', async () => {
    const forRoot = PlatformModule.forRoot.bind(PlatformModule) as () => DynamicModule;
    expect(Object.keys(await problemsOf(forRoot)).sort()).toEqual(
      ['apiKey', 'apiSecretKey', 'apiVersion', 'appUrl'].sort(),
    );
  });

  it('are named by forRootAsync(), of which each way needs a factory', async () => {
    const forRootAsync = PlatformModule.forRootAsync.bind(PlatformModule) as (
      options?: object,
    ) => DynamicModule;
    for (const options of [undefined, {}, { inject: [] }])
      expect(Object.keys(await problemsOf(() => forRootAsync(options)))).toEqual(['useFactory']);
    const nothing = await problemsOf(() => forRootAsync({ useFactory: () => undefined }));
    expect(nothing).toEqual({ options: 'the factory returned none' });
  });

  it.each([
    ['webhooks.bodyLimit', { webhooks: { bodyLimit: 0 } }],
    ['webhooks.path', { webhooks: { path: 'no-slash' } }],
    ['webhooks.shutdownTimeout', { webhooks: { shutdownTimeout: -1 } }],
    ['paths.auth', { paths: { auth: 'no-slash' } }],
    ['appUrl', { appUrl: 'no address' }],
  ])('and wrong ones have the names that the app gave them: %s', async (name, options) => {
    const problems = await problemsOf(() => PlatformModule.forRoot(appOptions(options)));
    expect(Object.keys(problems)).toEqual([name]);
  });

  it('a wrong path beside a factory has its name there', async () => {
    const problems = await problemsOf(() =>
      PlatformModule.forRootAsync({
        paths: { webhooks: 'no-slash' },
        useFactory: () => appOptions(),
      }),
    );
    expect(Object.keys(problems)).toEqual(['paths.webhooks']);
  });
});

/** A storage that counts how often it was closed. */
class CountedStorage extends MemorySessionStorage {
  closed = 0;

  override async close(): Promise<void> {
    this.closed++;
  }
}

describe('a session storage', () => {
  /** What the app of that option keeps its sessions in, once it is closed again. */
  async function usedBy(
    option: NonNullable<PlatformOptions['sessionStorage']>,
  ): Promise<SessionStorage> {
    const app = await boot([PlatformModule.forRoot(appOptions({ sessionStorage: option }))]);
    await app.init();
    const storage = app.get(SessionStorage);
    await app.close();
    return storage;
  }

  it('that a function makes is made once, and closed with the app', async () => {
    const made: CountedStorage[] = [];
    const create = (): CountedStorage => {
      const storage = new CountedStorage();
      made.push(storage);
      return storage;
    };
    const used = await usedBy(create);
    expect(made).toEqual([used]);
    expect(made[0]?.closed).toBe(1);
  });

  it('that the app has made stays open', async () => {
    const storage = new CountedStorage();
    expect((await usedBy(storage)) === storage).toBe(true);
    expect(storage.closed).toBe(0);
  });

  it('is closed after all that may still use it', async () => {
    const order: string[] = [];
    const sessionStorage = (): SessionStorage =>
      Object.assign(new CountedStorage(), { close: async () => void order.push('storage') });
    const app = createResolver(appOptions({ sessionStorage }));
    app.get(SessionStorage);
    const pacer = app.get(Pacer);
    const closePacer = pacer.close.bind(pacer);
    pacer.close = async () => {
      order.push('pacer');
      await closePacer();
    };
    await app.close();
    expect(order).toEqual(['pacer', 'storage']);
  });

  it('of another app is refused when a function hands it out, too', async () => {
    const shared = new CountedStorage();
    const app = await boot([
      PlatformModule.forRoot(appOptions({ sessionStorage: () => shared })),
      PlatformModule.forRoot({
        ...appOptions({ apiKey: 'b', sessionStorage: () => shared }),
        ...{ name: 'b', routes: false },
      }),
    ]);
    close = async () => {};
    await expect(app.init()).rejects.toThrow('is that of another app of this process');
  });

  it.each([
    ['a class', CountedStorage, 'is a class: pass an object of it'],
    ['a function that returns nothing', () => undefined, 'must return a session storage'],
    ['a function that returns a promise', async () => new CountedStorage(), 'at once'],
  ])('is not %s', async (_, wrong, message) => {
    const option = wrong as unknown as () => SessionStorage;
    const problems = await problemsOf(() =>
      PlatformModule.forRoot(appOptions({ sessionStorage: option })),
    );
    expect(problems['sessionStorage']).toContain(message);
  });
});

describe('what belongs to an app that does not exist', () => {
  @Controller()
  @UseGuards(AuthenticatedSessionGuard.of('missing'))
  class Guarded {}
  @Controller()
  class Paid {
    @Get()
    @RequiresPlan('Pro', { app: 'missing' })
    page(): void {}
  }
  @Injectable()
  class Library {
    constructor(@InjectPlatform('missing') readonly platform: PlatformApi) {}
  }
  @Injectable()
  class Service {
    constructor(@Inject(getPlatformToken(AuthService, 'missing')) readonly auth: AuthService) {}
  }

  it.each<[string, ModuleMetadata]>([
    ['a guard', { controllers: [Guarded] }],
    ['a plan', { controllers: [Paid] }],
    ['the library object', { providers: [Library] }],
    ['a service', { providers: [Service] }],
  ])('fails at boot, not at its first request: %s', async (_, metadata) => {
    @Module({ imports: [PlatformModule.forRoot(appOptions())], ...metadata })
    class App {}
    await expect(Test.createTestingModule({ imports: [App] }).compile()).rejects.toThrow(
      /can't resolve dependencies of the .*missing/,
    );
  });
});

describe('a guard of an app without a name', () => {
  it('is that of the unnamed app', () => {
    // It let every request in.
    const of = (name?: string) => AuthenticatedSessionGuard.of(name);
    expect(of() === AuthenticatedSessionGuard).toBe(true);
    expect(of('default') === AuthenticatedSessionGuard).toBe(true);
  });
});

describe('@InjectPlatform()', () => {
  @Injectable()
  class Uses {
    @InjectPlatform('b') readonly b!: PlatformApi;

    constructor(
      @InjectPlatform() readonly platform: PlatformApi,
      readonly byClass: PlatformApi,
      @Inject(getPlatformOptionsToken('b')) readonly options: PlatformOptions,
    ) {}
  }

  it('hands out the library object of each app', async () => {
    const app = await boot(
      [
        PlatformModule.forRoot(appOptions()),
        PlatformModule.forRoot({
          ...appOptions({ apiKey: 'key-of-b' }),
          ...{ name: 'b', isGlobal: true, routes: false },
        }),
      ],
      [Uses],
    );
    const { platform, byClass, b, options } = app.get(Uses);
    expect(platform === byClass).toBe(true);
    expect([platform.config.apiKey, b.config.apiKey, options.apiKey]).toEqual([
      'test-api-key',
      'key-of-b',
      'key-of-b',
    ]);
    expect(b.utils.sanitizeShop('a.myshopify.com')).toBe('a.myshopify.com');
  });
});

describe('a module that is declared wrongly', () => {
  const NO_OPTIONS = expect.stringContaining('PlatformModule.forRoot()');

  it.each<[string, ModuleMetadata]>([
    ['by itself', { imports: [PlatformModule] }],
    ['beside what needs its services', { imports: [PlatformModule], providers: [NeedsAuth] }],
    [
      'in a module beside the root',
      {
        imports: [
          PlatformModule.forRoot(appOptions()),
          { module: class {}, imports: [PlatformModule] },
        ],
      },
    ],
  ])('says so when its class is imported: %s', async (_, metadata) => {
    // Nest said that it cannot resolve a symbol, or a service.
    @Module(metadata)
    class App {}
    const failure = await problemsOf(() => ({ module: App }));
    expect(failure).toEqual({ forRoot: NO_OPTIONS });
  });

  it.each([
    ['useClass', { useClass: Secrets }],
    ['useExisting', { imports: [SecretsModule], useExisting: Secrets }],
  ])('names the class that makes no options: %s', async (option, source) => {
    const wrong = source as unknown as Parameters<typeof PlatformModule.forRootAsync>[0];
    expect(await problemsOf(() => PlatformModule.forRootAsync(wrong))).toEqual({
      [option]: expect.stringContaining('Secrets has no method createPlatformOptions()'),
    });
  });

  it.each<[string, (module: Loose) => DynamicModule]>([
    ['useFactory', ({ forRoot }) => forRoot({ useFactory: () => appOptions() })],
    ['useFactory', ({ forRootAsync }) => forRootAsync({ useFactory: appOptions() })],
    ['useClass', ({ forRootAsync }) => forRootAsync({ useClass: appOptions() })],
    ['name', ({ forRoot }) => forRoot({ ...appOptions(), name: '' })],
    ['name', ({ forRoot }) => forRoot({ ...appOptions(), name: 3 })],
  ])('names what is wrong: %s', async (option, declare) => {
    const loose = {
      forRoot: PlatformModule.forRoot.bind(PlatformModule),
      forRootAsync: PlatformModule.forRootAsync.bind(PlatformModule),
    } as Loose;
    expect(Object.keys(await problemsOf(() => declare(loose)))).toEqual([option]);
  });
  type Loose = Record<'forRoot' | 'forRootAsync', (options: object) => DynamicModule>;

  it('says that a named app is registered twice, and not that its paths are taken', async () => {
    const b = () => PlatformModule.forRoot({ ...appOptions(), name: 'b' });
    const problems = await problemsOf(() => ({ module: class {}, imports: [b(), b()] }));
    expect(problems).toEqual({ name: expect.stringContaining('"b" is registered 2 times') });
  });

  it('takes a class whose method is a property', async () => {
    @Injectable()
    class Arrow implements PlatformOptionsFactory {
      createPlatformOptions = () => appOptions({ apiKey: 'of-an-arrow' });
    }
    const app = await boot([PlatformModule.forRootAsync({ useClass: Arrow })]);
    expect(app.get(PlatformConfig).apiKey).toBe('of-an-arrow');
  });

  it('names the plug-ins that are none', async () => {
    const plugins = [...HOSTS, Secrets, undefined, { for: 'b' }];
    const wrong = plugins as unknown as typeof HOSTS;
    const at = (place: number) => `plugins[${HOSTS.length + place}]`;
    expect(
      await problemsOf(() => PlatformModule.forRoot({ ...appOptions(), plugins: wrong })),
    ).toEqual({
      [at(0)]: expect.stringContaining('Secrets is no plug-in: it has no static for(app)'),
      [at(1)]: expect.stringContaining('is no plug-in'),
      [at(2)]: expect.stringContaining('is no plug-in'),
    });
    const late = { for: async () => ({ module: class {} }) };
    const none = [...HOSTS, late] as unknown as typeof HOSTS;
    expect(
      await problemsOf(() => PlatformModule.forRoot({ ...appOptions(), plugins: none })),
    ).toEqual({ [at(0)]: expect.stringContaining('must return { module, … }, at once') });
    const alone = Secrets as unknown as typeof HOSTS;
    expect(
      await problemsOf(() => PlatformModule.forRoot({ ...appOptions(), plugins: alone })),
    ).toEqual({ plugins: expect.stringContaining('must be an array') });
  });
});

describe('@RequiresPlan()', () => {
  const PRO: PlatformOptions['billing'] = {
    Pro: { amount: 20, currencyCode: 'USD', interval: BillingInterval.Every30Days },
  };
  const asks = (...[plans, options]: Parameters<typeof RequiresPlan>) => {
    @Controller()
    class Pages {
      @Get()
      @RequiresPlan(plans, options)
      page(): void {}
    }
    return Pages;
  };
  @Controller()
  @RequiresPlan('Old')
  class Replaced {
    @Get()
    @RequiresPlan('Pro')
    page(): void {
      this.helper();
    }
    helper(): void {}
  }
  @Controller()
  @RequiresPlan('Old')
  class Kept {
    @Get()
    page(): void {}
  }
  /** The problems of an app with a page that asks for plans; none when it starts. */
  async function problemsWith(page: Type, billing: PlatformOptions['billing'] = PRO) {
    const app = await boot([
      PlatformModule.forRoot(appOptions({ billing })),
      PlatformModule.forRoot({
        ...appOptions({ apiKey: 'b', billing: { Gold: PRO!['Pro']! } }),
        ...{ name: 'b', isGlobal: true, routes: false },
      }),
      { module: class Shopfront {}, controllers: [page], providers: [page] },
    ]);
    close = async () => {};
    const failure = await app.init().then(
      () => app.close(),
      (error: unknown) => error,
    );
    if (failure === undefined) return [];
    if (!(failure instanceof InvalidOptionsError)) throw failure;
    return failure.problems.map(({ option, message }) => `${option} ${message}`);
  }

  it('is refused at boot where it would ask shops to pay for a plan that the app lacks', async () => {
    // It was an error of the first request of a shop that does not pay.
    expect(await problemsWith(asks('Gold'))).toEqual([
      expect.stringMatching(/^Pages\.page .* asks shops to pay for Gold, but .* only Pro/),
    ]);
    expect(await problemsWith(asks(['Gold', 'Silver']))).toEqual([
      expect.stringContaining('Gold or Silver, but the option billing has only Pro'),
    ]);
    expect(await problemsWith(asks(['Gold', 'Pro'], { plan: 'Gold' }))).toHaveLength(1);
    expect(await problemsWith(Kept)).toEqual([expect.stringMatching(/^Kept .* for Old, but/)]);
    expect(await problemsWith(asks('Pro', { app: 'b' }))).toEqual([
      expect.stringContaining('only Gold'),
    ]);
  });

  it.each([
    ['a plan of the app', asks('Pro')],
    ['a plan of the other app', asks('Gold', { app: 'b' })],
    ['several, of which it sells one', asks(['Gold', 'Pro'])],
    ['one that is no longer sold, for which no shop is asked', asks('Gold', { onFailure: 'deny' })],
    ['one on a class, of which each handler names another', Replaced],
    ['one whose shops the app leads on', asks('Gold', { onFailure: () => false })],
  ])('may name %s', async (_, page) => {
    expect(await problemsWith(page)).toEqual([]);
  });

  it('may name any plan where the app leaves its plans to the platform', async () => {
    expect(await problemsWith(asks('Gold'), { isTest: true })).toEqual([]);
  });
});
