import {
  Controller,
  Inject,
  Injectable,
  ParseIntPipe,
  Scope,
  UseGuards,
  createParamDecorator,
} from '@nestjs/common';
import type {
  CallHandler,
  CanActivate,
  DynamicModule,
  ExceptionFilter,
  ExecutionContext,
  NestInterceptor,
  Provider,
} from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, REQUEST } from '@nestjs/core';
import type { TestingModule } from '@nestjs/testing';
import { describe, expect, it } from '@jest/globals';

import { WebhookHandler } from '../../../lib/webhooks/handlers/webhook.decorator.js';
import type { WebhookHandlerOptions } from '../../../lib/webhooks/handlers/webhook.decorator.js';
import type { WebhookDelivery } from '../../../lib/webhooks/deliveries/webhook-delivery.js';
import { isWebhookContext } from '../../../lib/webhooks/handlers/webhook-handler.factory.js';
import { WebhookReceiver } from '../../../lib/webhooks/deliveries/webhook.receiver.js';
import { InvalidWebhookHandlerError } from '../../../lib/webhooks/webhooks.errors.js';
import { FlowAction } from '../../../lib/webhooks/signed/signed-handler.decorator.js';
import { WebhooksModule } from '../../../lib/webhooks/webhooks.module.js';
import { WebhooksFixture, delivery } from '../webhooks.fixture.js';
import { Dependency, boot, moduleOver, untyped } from '../../support/containers.js';

/** The webhooks module of one app in a container, over the objects of a fixture. */
class App extends WebhooksFixture {
  readonly feature: DynamicModule;

  constructor(
    readonly name = 'default',
    enhancers?: boolean,
  ) {
    super({ enhancers });
    this.feature = moduleOver(this.app, WebhooksModule, name);
  }

  /** Names of the handlers an app has declared for PRODUCTS_CREATE. */
  get handlers(): string[] {
    return this.registry.handlersFor('PRODUCTS_CREATE').map(({ name }) => name);
  }
}

/** Boots an app, delivers one PRODUCTS_CREATE to it and returns the reason it answers with. */
async function deliver(container: TestingModule): Promise<string> {
  return (
    await container
      .get(WebhookReceiver, { strict: false })
      .receive(delivery({ payload: { id: 7 } }))
  ).reason;
}

const Delivery = createParamDecorator((_: unknown, context: ExecutionContext) =>
  context.getArgByIndex<WebhookDelivery>(0),
);
const ProductId = createParamDecorator((_: unknown, context: ExecutionContext) =>
  String((context.getArgByIndex<WebhookDelivery>(0).payload as { id: number }).id),
);

/** What ran, in order. Cleared before each use. */
let ran: unknown[] = [];
const note = (...what: unknown[]): void => void ran.push(...what);

@Injectable()
class ProductHandlers {
  constructor(private readonly dependency: Dependency) {}

  @WebhookHandler('PRODUCTS_CREATE')
  onProduct({ topic }: WebhookDelivery): void {
    note(`${this.constructor.name} ${topic} ${this.dependency.name}`);
  }

  other(): void {
    note('undecorated');
  }
}

describe('WebhookExplorer', () => {
  it('finds a method of a provider and gives it the delivery', async () => {
    ran = [];
    const app = new App();
    const container = await boot(app, { providers: [Dependency, ProductHandlers] });
    expect(app.handlers).toEqual(['ProductHandlers.onProduct']);
    expect(ran).toEqual([]);
    expect(await deliver(container)).toBe('handled');
    expect(ran).toEqual(['ProductHandlers PRODUCTS_CREATE dependency']);
  });

  it('finds a class with handle(), for every topic it names', async () => {
    ran = [];
    @Injectable()
    @WebhookHandler(['PRODUCTS_CREATE', 'PRODUCTS_UPDATE'], { includeFields: ['id'] })
    class Products {
      handle({ topic }: WebhookDelivery): void {
        note(topic);
      }
    }
    const app = new App();
    const container = await boot(app, { providers: [Products] });
    await deliver(container);
    expect(ran).toEqual(['PRODUCTS_CREATE']);
    expect(app.registry.handlersFor('PRODUCTS_UPDATE')).toMatchObject([
      { name: 'Products.handle', subscription: { deliveryMethod: 'http', includeFields: ['id'] } },
    ]);
  });

  it('keeps what is said about the subscription, and several marks on one method', async () => {
    @Injectable()
    class Products {
      @WebhookHandler('PRODUCTS_CREATE', {
        filter: 'vendor:x',
        name: 'n',
        callbackUrl: '/hooks',
        metafieldNamespaces: ['a'],
        enhancers: true,
      })
      @WebhookHandler('PRODUCTS_UPDATE')
      onProduct(): void {}
    }
    const app = new App();
    await boot(app, { providers: [Products] });
    expect(app.registry.topics()).toEqual(['PRODUCTS_CREATE', 'PRODUCTS_UPDATE']);
    expect(app.registry.handlersFor('PRODUCTS_CREATE')[0]!.subscription).toStrictEqual({
      deliveryMethod: 'http',
      filter: 'vendor:x',
      name: 'n',
      callbackUrl: '/hooks',
      metafieldNamespaces: ['a'],
    });
  });

  it('adds nothing of its own: what the toolkit does itself follows the handlers, and the app never meets it', async () => {
    ran = [];
    const app = new App();
    app.follow('PRODUCTS_CREATE', () => note('follow-up'));
    await deliver(await boot(app, { providers: [Dependency, ProductHandlers] }));
    expect(ran).toEqual(['ProductHandlers PRODUCTS_CREATE dependency', 'follow-up']);
    expect(app.handlers).toEqual(['ProductHandlers.onProduct']);
  });

  it('gives each app its own handlers only', async () => {
    @Injectable()
    class Both {
      @WebhookHandler('PRODUCTS_CREATE')
      unnamed(): void {}
      @WebhookHandler('PRODUCTS_CREATE', { app: 'b' })
      named(): void {}
    }
    const [a, b] = [new App(), new App('b')];
    await boot(a, { imports: [b.feature], providers: [Both] });
    expect([a.handlers, b.handlers]).toEqual([['Both.unnamed'], ['Both.named']]);
  });

  it.each(['method', 'class'])(
    'fails at boot, naming the apps there are, on a %s of one that is not',
    async (where) => {
      // It was never subscribed, and nothing said so.
      const mark = WebhookHandler('PRODUCTS_CREATE', { app: 'wholesal' });
      class Orders {
        handle(): void {}
      }
      if (where === 'class') mark(Orders);
      else
        mark(
          Orders.prototype,
          'handle',
          Object.getOwnPropertyDescriptor(Orders.prototype, 'handle')!,
        );
      const [a, b] = [new App(), new App('wholesale')];
      const booting = boot(a, { imports: [b.feature], providers: [Orders] });
      await expect(booting).rejects.toBeInstanceOf(InvalidWebhookHandlerError);
      await expect(booting).rejects.toThrow(
        /^Orders\.handle handles webhooks of the app "wholesal", .* "default", "wholesale"\./,
      );
    },
  );
});

describe('a handler that cannot be run', () => {
  it('is named at boot when the types of its constructor arguments are gone', async () => {
    const booting = boot(new App(), {
      providers: [Dependency, untyped(WebhookHandler('PRODUCTS_CREATE'))],
    });
    await expect(booting).rejects.toBeInstanceOf(InvalidWebhookHandlerError);
    await expect(booting).rejects.toThrow(/^Untyped handles webhooks .* @Inject\(\)/);
  });

  it('is named when the class has no handle()', async () => {
    @Injectable()
    @WebhookHandler('PRODUCTS_CREATE')
    class Handless {
      run(): void {}
    }
    await expect(boot(new App(), { providers: [Handless] })).rejects.toThrow(
      'Handless is decorated as a handler but has no method handle()',
    );
  });
});

describe('what a decorator says of its subscription', () => {
  // It was taken as it came: a method of delivery that is none subscribed nothing.
  it.each([
    [{ deliveryMethod: 'htpp' }, 'Products.onProduct.deliveryMethod must be one of http,'],
    [{ deliveryMethod: 'pubsub', pubSubProject: 'p' }, 'Products.onProduct.pubSubTopic is missing'],
    [{ includeFields: 'id' }, 'Products.onProduct.includeFields must be a list of strings'],
    [{ callbackUrl: 'hooks' }, 'Products.onProduct.callbackUrl must be a path on the app or'],
    [{ callback: () => {} }, 'Products.onProduct.handler cannot be given together with callback'],
  ])('is checked at boot, as it is in the options: %j', async (options, message) => {
    @Injectable()
    class Products {
      @WebhookHandler('PRODUCTS_CREATE', options as WebhookHandlerOptions)
      onProduct(): void {}
    }
    await expect(boot(new App(), { providers: [Products] })).rejects.toThrow(message);
  });

  // They were ignored: a misspelt one subscribed the topic without what it says.
  it.each([
    [
      WebhookHandler('PRODUCTS_CREATE', { includeField: ['id'] } as WebhookHandlerOptions),
      'options that are unknown: includeField. Those that it can have are app, enhancers, timeout, schema, includeFields, metafieldNamespaces, metafields, filter, name, deliveryMethod, callbackUrl.',
    ],
    [
      WebhookHandler('PRODUCTS_CREATE', { arn: 'arn:aws:x' } as unknown as WebhookHandlerOptions),
      'options that are unknown: arn.',
    ],
    [
      FlowAction('tag', { timeOut: 5, filter: 'a:b' } as WebhookHandlerOptions),
      'options that are unknown: timeOut, filter. Those that it can have are app, enhancers, timeout, schema.',
    ],
  ])('has no other options than those that exist', async (decorate, message) => {
    @Injectable()
    class Products {
      @decorate
      onProduct(): void {}
    }
    const booting = boot(new App(), { providers: [Products] });
    await expect(booting).rejects.toBeInstanceOf(InvalidWebhookHandlerError);
    await expect(booting).rejects.toThrow(`The decorator of Products.onProduct has ${message}`);
  });

  it('may leave an option undefined, also one that there is not', async () => {
    @Injectable()
    class Products {
      @WebhookHandler('PRODUCTS_CREATE', { foo: undefined } as WebhookHandlerOptions)
      onProduct(): void {}
    }
    const app = new App();
    await boot(app, { providers: [Products] });
    expect(app.handlers).toEqual(['Products.onProduct']);
  });

  it.each([
    ['nothing', undefined],
    ['an empty text', ''],
    ['an empty text in a list', ['PRODUCTS_CREATE', '']],
    ['an object', { topic: 'PRODUCTS_CREATE' }],
    ['the class, when it is not called', class Products {}],
  ])('has to name a topic: it is refused with %s', (_, topics) => {
    const decorate = (): unknown => WebhookHandler(topics as string);
    expect(decorate).toThrow(InvalidWebhookHandlerError);
    expect(decorate).toThrow("such as @WebhookHandler('PRODUCTS_CREATE')");
  });
});

describe('a decorated member that Nest would never call', () => {
  const SYMBOL = Symbol('onProduct');
  class Static {
    @WebhookHandler('PRODUCTS_CREATE')
    static onProduct(): void {}
  }
  class Inherits extends Static {}
  class BySymbol {
    @WebhookHandler('PRODUCTS_CREATE')
    [SYMBOL](): void {}
  }
  class Getter {
    @WebhookHandler('PRODUCTS_CREATE')
    get onProduct(): () => void {
      return () => {};
    }
  }
  class Property {
    onProduct = (): void => {};
  }
  // The compiler refuses what plain JavaScript may do.
  (WebhookHandler('PRODUCTS_CREATE') as PropertyDecorator)(Property.prototype, 'onProduct');
  @Injectable({ scope: Scope.REQUEST })
  class PerDelivery extends BySymbol {}

  it.each([
    ['a static method', Static, 'Static.onProduct is static'],
    ['a static method of a class it extends', Inherits, 'Static.onProduct is static'],
    ['a method with a symbol as its name', BySymbol, 'BySymbol[Symbol(onProduct)] has a symbol'],
    ['one of a class that is made per delivery', PerDelivery, 'BySymbol[Symbol(onProduct)]'],
    ['an accessor', Getter, 'Getter.onProduct is an accessor'],
    ['a property', Property, 'Property.onProduct is a property'],
  ])('%s is refused at boot, with what to do', async (_, handlers, message) => {
    const booting = boot(new App(), { providers: [handlers] });
    await expect(booting).rejects.toBeInstanceOf(InvalidWebhookHandlerError);
    await expect(booting).rejects.toThrow(message);
  });
});

describe('a handler that is made per delivery', () => {
  it('is new each time and sees the delivery as the request', async () => {
    ran = [];
    let made = 0;
    @Injectable({ scope: Scope.REQUEST })
    class PerDelivery {
      private readonly number = ++made;
      constructor(@Inject(REQUEST) private readonly request: WebhookDelivery) {}

      @WebhookHandler('PRODUCTS_CREATE')
      onProduct(current: WebhookDelivery): void {
        note(this.number, this.request === current);
      }
    }
    const container = await boot(new App(), { providers: [PerDelivery] });
    expect(made).toBe(0);
    await deliver(container);
    await deliver(container);
    expect(ran).toEqual([1, true, 2, true]);
  });

  it('may be so because of what it depends on', async () => {
    ran = [];
    @Injectable({ scope: Scope.REQUEST })
    class Shop extends Dependency {
      override readonly name: string;
      constructor(@Inject(REQUEST) { shop }: WebhookDelivery) {
        super();
        this.name = shop;
      }
    }
    await deliver(
      await boot(new App(), {
        providers: [{ provide: Dependency, useClass: Shop }, ProductHandlers],
      }),
    );
    expect(ran).toEqual(['ProductHandlers PRODUCTS_CREATE test-shop.myshopify.com']);
  });

  it('may be transient', async () => {
    ran = [];
    let made = 0;
    @Injectable({ scope: Scope.TRANSIENT })
    class Transient {
      private readonly number = ++made;

      @WebhookHandler('PRODUCTS_CREATE')
      onProduct(): void {
        note(this.number);
      }
    }
    const container = await boot(new App(), { providers: [Transient] });
    const before = made;
    await deliver(container);
    await deliver(container);
    expect(ran).toEqual([before + 1, before + 2]);
  });

  it('runs once, with an alias beside it, and once per module, each with its own dependencies', async () => {
    ran = [];
    @Injectable({ scope: Scope.REQUEST })
    class Scoped extends ProductHandlers {
      constructor(dependency: Dependency) {
        super(dependency);
      }
    }
    const moduleWith = (name: string): DynamicModule => ({
      module: class Part {},
      providers: [
        Scoped,
        { provide: 'alias', useExisting: Scoped },
        { provide: Dependency, useValue: { name } },
      ],
    });
    await deliver(await boot(new App(), { imports: [moduleWith('one'), moduleWith('two')] }));
    expect(ran).toEqual(['one', 'two'].map((name) => `Scoped PRODUCTS_CREATE ${name}`));
  });

  it('may be a controller', async () => {
    ran = [];
    @Controller({ path: 'x', scope: Scope.REQUEST })
    class Products {
      constructor(@Inject(REQUEST) private readonly request: WebhookDelivery) {}

      @WebhookHandler('PRODUCTS_CREATE')
      onProduct(): void {
        note(this.request.topic);
      }
    }
    await deliver(await boot(new App(), { controllers: [Products] }));
    expect(ran).toEqual(['PRODUCTS_CREATE']);
  });
});

describe('the arguments of a handler', () => {
  it('are what its parameter decorators ask for, through their pipes', async () => {
    ran = [];
    @Injectable()
    class Products {
      @WebhookHandler('PRODUCTS_CREATE')
      onProduct(@ProductId(ParseIntPipe) id: number, @Delivery() { topic }: WebhookDelivery): void {
        note(id, topic);
      }
    }
    await deliver(await boot(new App(), { providers: [Products] }));
    expect(ran).toEqual([7, 'PRODUCTS_CREATE']);
  });

  it.each([
    [
      'shop, body and id, as with nestjs-shopify',
      (_shop: string, _body: object, _id?: string) => {},
    ],
    ['an argument behind the delivery', (_: WebhookDelivery, _other: object) => {}],
  ])('are refused when nothing would be passed for them: %s', async (_, handle) => {
    @Injectable()
    @WebhookHandler('PRODUCTS_CREATE')
    class Products {
      handle(): void {}
    }
    Object.assign(Products.prototype, { handle });
    await expect(boot(new App(), { providers: [Products] })).rejects.toThrow(
      'Products.handle gets nothing for its argument 2',
    );
  });

  it('are of no use without a topic', () => {
    expect(() => WebhookHandler([])).toThrow('names no topic');
  });

  it('are refused when some of them are not decorated', async () => {
    @Injectable()
    class Products {
      @WebhookHandler('PRODUCTS_CREATE')
      onProduct(_shop: string, @Delivery() _delivery: WebhookDelivery): void {}
    }
    await expect(boot(new App(), { providers: [Products] })).rejects.toThrow(
      'Products.onProduct gets nothing for its argument 1',
    );
  });

  it('may be more, for code of the app that calls the method itself', async () => {
    ran = [];
    @Injectable()
    class Products {
      @WebhookHandler('PRODUCTS_CREATE')
      onProduct({ topic }: WebhookDelivery, isDry?: boolean): void {
        note(topic, isDry);
      }
    }
    await deliver(await boot(new App(), { providers: [Products] }));
    expect(ran).toEqual(['PRODUCTS_CREATE', undefined]);
  });

  it('may have a default value', async () => {
    ran = [];
    @Injectable()
    class Products {
      @WebhookHandler('PRODUCTS_CREATE')
      onProduct({ topic }: WebhookDelivery, count = 1): void {
        note(topic, count);
      }
    }
    await deliver(await boot(new App(), { providers: [Products] }));
    expect(ran).toEqual(['PRODUCTS_CREATE', 1]);
  });

  it('make the delivery fail when a pipe refuses them', async () => {
    const Shop = createParamDecorator(() => 'not a number');
    @Injectable()
    class Products {
      @WebhookHandler('PRODUCTS_CREATE')
      onProduct(@Shop(ParseIntPipe) _: number): void {}
    }
    expect(await deliver(await boot(new App(), { providers: [Products] }))).toBe('handler_failed');
  });
});

describe("the app's guards, interceptors and filters", () => {
  class Guard implements CanActivate {
    canActivate(context: ExecutionContext): boolean {
      note('guard', isWebhookContext(context), context.getArgByIndex<WebhookDelivery>(0).topic);
      return true;
    }
  }
  class ResponseDecision implements CanActivate {
    canActivate = (): boolean => false;
  }
  class Interceptor implements NestInterceptor {
    intercept(_: ExecutionContext, next: CallHandler): ReturnType<CallHandler['handle']> {
      note('interceptor');
      return next.handle();
    }
  }
  class CatchAll implements ExceptionFilter {
    catch(): unknown {
      note('filter');
      return { error: 'swallowed' };
    }
  }
  const GLOBALS: Provider[] = [
    { provide: APP_GUARD, useClass: Guard },
    { provide: APP_INTERCEPTOR, useClass: Interceptor },
    { provide: APP_FILTER, useClass: CatchAll },
  ];

  @Injectable()
  class Asking {
    @WebhookHandler('PRODUCTS_CREATE', { enhancers: true })
    onProduct(): void {
      note('handler');
    }
  }
  @Injectable()
  class Refusing {
    @WebhookHandler('PRODUCTS_CREATE', { enhancers: false })
    onProduct(): void {
      note('handler');
    }
  }
  @Injectable()
  class Throwing {
    @WebhookHandler('PRODUCTS_CREATE', { enhancers: true })
    onProduct(): never {
      throw new Error('no');
    }
  }

  it('stay away from a handler', async () => {
    ran = [];
    await deliver(await boot(new App(), { providers: [Dependency, ProductHandlers, ...GLOBALS] }));
    expect(ran).toEqual(['ProductHandlers PRODUCTS_CREATE dependency']);
  });

  it('run around a handler that asks for them, in a context of its own kind', async () => {
    ran = [];
    await deliver(await boot(new App(), { providers: [Asking, ...GLOBALS] }));
    expect(ran).toEqual(['guard', true, 'PRODUCTS_CREATE', 'interceptor', 'handler']);
  });

  it('run around all handlers of an app that asks for them, but those that refuse', async () => {
    ran = [];
    await deliver(
      await boot(new App('default', true), {
        providers: [Dependency, ProductHandlers, Refusing, ...GLOBALS],
      }),
    );
    expect(ran).toEqual([
      'guard',
      true,
      'PRODUCTS_CREATE',
      'interceptor',
      'ProductHandlers PRODUCTS_CREATE dependency',
      'handler',
    ]);
  });

  it('make a delivery fail that a guard refuses', async () => {
    ran = [];
    @Injectable()
    class Guarded {
      @WebhookHandler('PRODUCTS_CREATE', { enhancers: true })
      @UseGuards(ResponseDecision)
      onProduct(): void {
        note('handler');
      }
    }
    expect(await deliver(await boot(new App(), { providers: [Guarded] }))).toBe('handler_failed');
    expect(ran).toEqual([]);
  });

  it('never turn a failed delivery into an accepted one', async () => {
    ran = [];
    expect(
      await deliver(
        await boot(new App(), {
          providers: [Throwing, { provide: APP_FILTER, useClass: CatchAll }],
        }),
      ),
    ).toBe('handler_failed');
    expect(ran).toEqual([]);
  });
});
