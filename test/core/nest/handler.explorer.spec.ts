import { Controller, Inject, Injectable, Module, Scope } from '@nestjs/common';
import type { DynamicModule, InjectionToken, Provider } from '@nestjs/common';
import { DiscoveryModule, DiscoveryService, MetadataScanner } from '@nestjs/core';
import { describe, expect, it } from '@jest/globals';

import { bind } from '../../../lib/core/binding.js';
import type { Binding } from '../../../lib/core/binding.js';
import { PlatformError } from '../../../lib/core/core.errors.js';
import { findHandlers, instanceFor } from '../../../lib/core/nest/handler.explorer.js';
import type { AppMark, FoundHandler } from '../../../lib/core/nest/handler.explorer.js';
import { featureModule } from '../../../lib/core/nest/platform-plugin.js';
import { Dependency, Named, boot, untyped } from '../../support/containers.js';
import type { UserModule } from '../../support/containers.js';

class InvalidLetterHandlerError extends PlatformError {
  readonly code = 'ERR_WEBHOOK_HANDLER_INVALID';
}

interface LetterMark extends AppMark {
  readonly letters: string;
}

const marked = new WeakMap<object, readonly LetterMark[]>();

/** Marks what handles letters. */
function Handles(letters: string, app?: string): MethodDecorator {
  return (_target, _name, { value }) => {
    const method = value as object;
    marked.set(method, [{ letters, app }, ...(marked.get(method) ?? [])]);
  };
}

class LetterExplorer {
  constructor(readonly app: string) {}
}

/** Finds the handlers of the first of the apps. */
async function find(
  userModule: UserModule,
  apps: readonly string[] = ['default'],
): Promise<FoundHandler<LetterMark>[]> {
  const providers = apps.map((app) => ({
    provide: `explorer of ${app}`,
    useValue: new LetterExplorer(app),
  }));
  const container = await boot(
    { feature: { module: class Feature {}, imports: [DiscoveryModule], providers } },
    userModule,
  );
  const scanner = new MetadataScanner();
  return findHandlers(container.get(DiscoveryService, { strict: false }), apps[0]!, {
    Explorer: LetterExplorer,
    markedMethods: (prototype) =>
      scanner.getAllMethodNames(prototype).map((method) => {
        const value = (prototype as Record<string, unknown>)[method];
        return { method, marks: (typeof value === 'function' && marked.get(value)) || [] };
      }),
    misplacedOn: () => [],
    does: 'handles letters',
    InvalidHandlerError: InvalidLetterHandlerError,
  });
}

/** Finds the handlers and calls each. What they return, in order. */
async function call(userModule: UserModule): Promise<unknown[]> {
  const answers: unknown[] = [];
  for (const { host, method } of await find(userModule)) {
    const instance = 'instance' in host ? host.instance : await instanceFor({}, host);
    answers.push((instance as Record<string, () => unknown>)[method]!());
  }
  return answers;
}

@Injectable()
class Letters {
  constructor(private readonly dependency: Dependency) {}

  @Handles('all')
  onLetter(): string {
    return `${this.constructor.name} ${this.dependency.name}`;
  }

  other(): string {
    return 'undecorated';
  }
}

describe('what features are made of', () => {
  class Store {
    @Handles('own')
    onLetter(): void {}
  }
  class AppStore extends Store {
    @Handles('of the app')
    override onLetter(): void {}
  }
  const found = async (make: () => Store): Promise<string[]> => {
    const app = {
      name: 'default',
      imports: [],
      token: (of: unknown) => of,
      providers: providersOf,
    };
    const feature = featureModule(class Stores {}, app as never, [bind(Store, {}, make)]);
    return (await find({ imports: [feature] })).map(({ name }) => name);
  };
  const providersOf = (bindings: readonly Binding[]): Provider[] =>
    bindings.map(({ token, make }) => ({
      provide: token as InjectionToken,
      useFactory: make,
      inject: [],
    }));

  it('is not searched, but what the app has put in the place of an object of ours', async () => {
    expect(await found(() => new Store())).toEqual([]);
    expect(await found(() => new AppStore())).toEqual(['AppStore.onLetter']);
  });
});

describe('what is found', () => {
  it('is a marked method of a provider, with its marks', async () => {
    @Injectable()
    class Parcels {
      @Handles('small')
      @Handles('large')
      onParcel(): void {}
    }
    const found = await find({ providers: [Dependency, Letters, Parcels] });
    // Without Nest's part of the host: it cannot be printed.
    expect(
      found.map(({ host, ...handler }) => ({
        ...handler,
        instance: 'instance' in host && host.instance,
      })),
    ).toEqual([
      {
        name: 'Letters.onLetter',
        method: 'onLetter',
        marks: [{ letters: 'all' }],
        prototype: Letters.prototype,
        instance: expect.any(Letters),
      },
      {
        name: 'Parcels.onParcel',
        method: 'onParcel',
        marks: [{ letters: 'small' }, { letters: 'large' }],
        prototype: Parcels.prototype,
        instance: expect.any(Parcels),
      },
    ]);
  });

  it('is of one app, and the others find their own', async () => {
    @Injectable()
    class Both {
      @Handles('first')
      @Handles('second', 'b')
      onLetter(): void {}

      @Handles('third', 'b')
      onOther(): void {}
    }
    const lettersOf = async (...apps: string[]): Promise<string[]> =>
      (await find({ providers: [Both] }, apps)).flatMap(({ method, marks }) =>
        marks.map(({ letters }) => `${method} ${letters}`),
      );
    expect(await lettersOf('default', 'b')).toEqual(['onLetter first']);
    expect(await lettersOf('b', 'default')).toEqual(['onLetter second', 'onOther third']);
  });

  it('is called with what its class was given', async () => {
    expect(await call({ providers: [Dependency, Letters] })).toEqual(['Letters dependency']);
  });

  it('may be a method of a controller', async () => {
    @Controller()
    class Web {
      @Handles('all')
      onLetter(): string {
        return 'controller';
      }
    }
    expect(await call({ controllers: [Web] })).toEqual(['controller']);
  });

  it('is never in values that are no objects, nor in what a factory does not make', async () => {
    const values = [
      null,
      undefined,
      0,
      '',
      'text',
      Symbol('s'),
      Object.create(null),
      () => {},
      Letters,
      [],
      new Map(),
    ];
    const providers: Provider[] = values.flatMap((value, n) => [
      { provide: `value ${n}`, useValue: value as unknown },
      { provide: `factory ${n}`, useFactory: (): unknown => value },
    ]);
    expect(await call({ providers: [...providers, Dependency, Letters] })).toEqual([
      'Letters dependency',
    ]);
  });

  it('is found without reading a getter of an instance', async () => {
    class Touchy {
      get explosive(): never {
        throw new Error('touched');
      }
      @Handles('all')
      onLetter(): string {
        return 'untouched';
      }
    }
    expect(await call({ providers: [Touchy] })).toEqual(['untouched']);
  });

  it('is found once, though a provider has a second name elsewhere', async () => {
    @Module({ providers: [Dependency, Letters], exports: [Letters] })
    class Inner {}
    const providers = [
      { provide: 'alias', useExisting: Letters },
      { provide: 'by factory', useFactory: (letters: Letters) => letters, inject: [Letters] },
    ];
    expect(await call({ imports: [Inner], providers })).toHaveLength(1);
  });

  it.each(['behind', 'in front of'])(
    'is found once, with an alias in the same module %s the provider',
    async (place) => {
      const providers: Provider[] = [Letters, { provide: 'alias', useExisting: Letters }];
      if (place === 'in front of') providers.reverse();
      expect(await call({ providers: [Dependency, ...providers] })).toHaveLength(1);
    },
  );

  it('is found once in each module, under however many tokens the module provides the class', async () => {
    const second = { provide: 'second', useClass: Letters };
    const scoped = { provide: 'scoped', useClass: Letters, scope: Scope.REQUEST };
    expect(await call({ providers: [Dependency, Letters, second, scoped] })).toHaveLength(1);
  });

  it('is found twice where two modules provide a class, each with its own dependencies', async () => {
    const moduleWith = (name: string): DynamicModule => ({
      module: class Part {},
      providers: [Letters, { provide: Dependency, useValue: { name } }],
    });
    expect(await call({ imports: [moduleWith('one'), moduleWith('two')] })).toEqual([
      'Letters one',
      'Letters two',
    ]);
  });

  it('may be inherited, by each class that is a provider', async () => {
    @Injectable()
    class Special extends Letters {}
    expect(await call({ providers: [Dependency, Letters, Special] })).toEqual([
      'Letters dependency',
      'Special dependency',
    ]);
  });

  it('is in a subclass alone when its parent is no provider, and not where it was overridden without a mark', async () => {
    @Injectable()
    class Special extends Letters {}
    @Injectable()
    class Silent extends Letters {
      override onLetter(): string {
        return 'overridden';
      }
    }
    expect(await call({ providers: [Dependency, Special, Silent] })).toEqual([
      'Special dependency',
    ]);
  });

  it('may be in what a factory, a value or another token holds', async () => {
    @Module({ providers: [{ provide: 'value', useValue: new Letters(new Named('value')) }] })
    class Values {}
    @Module({
      providers: [{ provide: 'factory', useFactory: () => new Letters(new Named('factory')) }],
    })
    class Factories {}
    @Module({
      providers: [
        { provide: 'async', useFactory: async () => new Letters(new Named('async factory')) },
      ],
    })
    class Async {}
    const answers = await call({
      imports: [Values, Factories, Async],
      providers: [Dependency, { provide: 'token', useClass: Letters }],
    });
    expect([...answers].sort()).toEqual(
      ['async factory', 'dependency', 'factory', 'value'].map((name) => `Letters ${name}`),
    );
  });
});

describe('a method of an app that is not there', () => {
  // It never ran, and nothing said so.
  it.each([
    [
      'misspelt',
      'wholesal',
      ['default', 'wholesale'],
      '"wholesal", which is not registered. Those that are: "default", "wholesale".',
    ],
    [
      'of the unnamed app',
      undefined,
      ['wholesale'],
      '"default", which is not registered. Those that are: "wholesale".',
    ],
  ])('is named with the apps there are: %s', async (_title, app, apps, message) => {
    @Injectable()
    class Orders {
      @Handles('all', app)
      onLetter(): void {}
    }
    const finding = find({ providers: [Orders] }, apps);
    await expect(finding).rejects.toBeInstanceOf(InvalidLetterHandlerError);
    await expect(finding).rejects.toThrow(`Orders.onLetter handles letters of the app ${message}`);
  });
});

describe('a class that could not be made', () => {
  it('is named when the types of its constructor arguments are gone', async () => {
    const finding = find({ providers: [Dependency, untyped(Handles('all'))] });
    await expect(finding).rejects.toBeInstanceOf(InvalidLetterHandlerError);
    await expect(finding).rejects.toThrow(/^Untyped handles letters .* @Inject\(\)/);
  });

  it('is named whatever its scope and token', async () => {
    const scoped = { provide: 'token', useClass: untyped(Handles('all')), scope: Scope.REQUEST };
    await expect(find({ providers: [scoped] })).rejects.toThrow(/^Untyped/);
  });

  it('is named when an alias stands in front of it', async () => {
    const Untyped = untyped(Handles('all'));
    const providers = [{ provide: 'alias', useExisting: Untyped }, Dependency, Untyped];
    await expect(find({ providers })).rejects.toThrow(/^Untyped/);
  });

  it('is fine when every argument says what it is, or when somebody else makes the instance', async () => {
    const injected = untyped(Handles('all'));
    Inject(Dependency)(injected, undefined, 0);
    const [Made, Given] = [untyped(Handles('all')), untyped(Handles('all'))];
    const made = { provide: 'made', useFactory: () => new Made(new Named('made')) as object };
    const given = { provide: 'given', useValue: new Given(new Named('given')) as object };
    expect(await call({ providers: [Dependency, injected, made, given] })).toEqual([
      'dependency',
      'made',
      'given',
    ]);
  });

  it('is of no concern to an app that has no handler in it', async () => {
    expect(
      await find({ providers: [Dependency, untyped(Handles('all'))] }, ['b', 'default']),
    ).toEqual([]);
  });

  it('is of no concern without a marked method', async () => {
    expect(await find({ providers: [Dependency, untyped(() => {})] })).toEqual([]);
  });
});
