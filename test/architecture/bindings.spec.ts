import { Test } from '@nestjs/testing';
import { describe, expect, it, jest } from '@jest/globals';
import ts from 'typescript';

import { nameOfToken } from '../../lib/core/binding.js';
import type { Binding, Token } from '../../lib/core/binding.js';
import { HttpTransport } from '../../lib/core/http/http-transport.js';
import { EXPRESS_BINDINGS } from '../../lib/integrations/express/express.providers.js';
import { REACT_ROUTER_BINDINGS } from '../../lib/integrations/react-router/react-router.providers.js';
import { REMIX_BINDINGS } from '../../lib/integrations/remix/remix.providers.js';
import { PlatformModule } from '../../lib/platform.module.js';
import { APP_BINDINGS } from '../../lib/platform/kernel/platform.providers.js';
import { COMMON } from '../../lib/platform/nest/platform-module.factory.js';
import { getPlatformToken } from '../../lib/platform/nest/platform-tokens.js';
import { SessionStorage } from '../../lib/sessions/session.storage.js';
import { MemorySessionStorage } from '../../lib/sessions/storages/memory/memory-session.storage.js';
import { appOptions } from '../support/app.js';
import { resolverOf } from '../support/resolver.js';
import { libFiles, lineOf, parse, readSource, walk } from './source-tree.js';

const BINDINGS = [
  ...APP_BINDINGS,
  ...EXPRESS_BINDINGS,
  ...REMIX_BINDINGS,
  ...REACT_ROUTER_BINDINGS,
];
const BOUND = new Set(
  BINDINGS.flatMap(({ token }) => (typeof token === 'function' ? [token.name] : [])),
);

/**
 * The standalone clients are no app; a config is made by the function that validates it; and the
 * simulated store has classes of its own.
 */
const EXEMPT =
  /^lib\/(?:core\/http\/(?:standalone-caller|client-reporter)|core\/config\/config\.schema|dev-store\/.+)\.ts$/;

/** Places that make an object of a bound class by hand. */
function constructions(path: string, text: string): string[] {
  const found: string[] = [];
  walk(parse(path, text), (node) => {
    if (ts.isNewExpression(node) && BOUND.has(node.expression.getText()))
      found.push(`${path}:${lineOf(node)} new ${node.expression.getText()}()`);
  });
  return found;
}

describe('the bindings of an app', () => {
  it('stand once for each token', () => {
    const tokens = BINDINGS.map(({ token }) => token);
    expect(tokens.filter((token, at) => tokens.indexOf(token) !== at)).toEqual([]);
  });

  it('are the only place where an object of a bound class is made', () => {
    const elsewhere = libFiles()
      .filter((path) => !path.endsWith('.providers.ts') && !EXEMPT.test(path))
      .flatMap((path) => constructions(path, readSource(path)));
    expect(elsewhere).toEqual([]);
  });

  it('are told apart from other constructions by that check', () => {
    const text = 'new AuthService(parts);\nnew Map();\nconst a = AuthService;\nnew Clock();';
    expect(constructions('sample.ts', text)).toEqual([
      'sample.ts:1 new AuthService()',
      'sample.ts:4 new Clock()',
    ]);
  });
});

/** Boots an app in which every object is replaced, and answers what each would have been given. */
async function injectedOf(name?: string): Promise<Map<Token, readonly unknown[]>> {
  const given = new Map<Token, readonly unknown[]>();
  const of = (token: Token) => getPlatformToken(token, name) as never;
  const root = PlatformModule.forRoot({ ...appOptions(), name, routes: false });
  let builder = Test.createTestingModule({ imports: [root] }).setLogger(false as never);
  for (const { token, inject } of BINDINGS) {
    builder = builder.overrideProvider(of(token)).useFactory({
      factory: (...injected: unknown[]) => {
        given.set(token, injected);
        return {
          replaces: token,
          drain: async () => {},
          begin() {},
          end() {},
          write() {},
          close() {},
          add() {},
        };
      },
      inject: inject.map(of),
    });
  }
  const container = await builder.compile();
  await container.close();
  return given;
}

describe.each([
  ['the unnamed app', undefined],
  ['a named app', 'b'],
])('in %s', (_, name) => {
  it('an object that overrideProvider() replaces reaches all that depend on it', async () => {
    const given = await injectedOf(name);
    const reached = BINDINGS.map(({ token }) =>
      given.get(token)?.map((object) => (object as { replaces?: Token }).replaces),
    );
    // The options are not bound but given.
    const expected = BINDINGS.map(({ inject }) =>
      inject.map((token) => (BINDINGS.some((other) => other.token === token) ? token : undefined)),
    );
    expect(reached).toEqual(expected);
  });

  // What most of them need reaches them as one dependency.
  it.each(COMMON.map((token) => [nameOfToken(token), token] as const))(
    '%s reaches them when it alone is replaced, too',
    async (_name, token) => {
      const clock = { now: () => new Date(), sleep: async () => {} };
      const replacement = resolverOf({ clock }).get(token);
      const makers = BINDINGS.filter(({ inject }) => inject.includes(token)).map((binding) => ({
        at: binding.inject.indexOf(token),
        make: jest.spyOn(binding as { make: Binding['make'] }, 'make'),
      }));
      const container = await Test.createTestingModule({
        imports: [PlatformModule.forRoot({ ...appOptions(), name, routes: false })],
      })
        .setLogger(false as never)
        .overrideProvider(getPlatformToken(token, name))
        .useValue(replacement)
        .compile();
      await container.close();
      const given = makers.map(({ at, make }) => make.mock.calls.map((injected) => injected[at]));
      jest.restoreAllMocks();
      expect(makers.length).toBeGreaterThan(1);
      expect(given).toEqual(makers.map(() => [replacement]));
      expect(given.flat().every((one) => one === replacement)).toBe(true);
    },
  );

  it('a session storage of the app may need what is above the common objects', async () => {
    const of = (token: Token) => getPlatformToken(token, name) as never;
    const container = await Test.createTestingModule({
      imports: [PlatformModule.forRoot({ ...appOptions(), name, routes: false })],
    })
      .setLogger(false as never)
      .overrideProvider(of(SessionStorage))
      .useFactory({
        inject: [of(HttpTransport)],
        factory: (transport: HttpTransport) =>
          Object.assign(new MemorySessionStorage(), { transport }),
      })
      .compile();
    const { transport } = container.get<{ transport: unknown }>(of(SessionStorage));
    expect(transport).toBeInstanceOf(HttpTransport);
    await container.close();
  });
});
