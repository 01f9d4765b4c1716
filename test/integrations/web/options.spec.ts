import { afterEach, describe, expect, it } from '@jest/globals';

import { platformApi } from '../../../lib/integrations/api/index.js';
import { platformApp as expressApp } from '../../../lib/integrations/express/index.js';
import {
  AppDistribution,
  InvalidOptionsError,
  MemorySessionStorage,
  platformApp as remixApp,
} from '../../../lib/integrations/remix/index.js';
import { platformApp, shopifyApp } from '../../../lib/integrations/react-router/index.js';
import type { Session, SessionStorage } from '../../../lib/integrations/remix/index.js';
import { SHOP, appOptions } from '../../support/app.js';
import { CDN, REACT_ROUTER, REMIX, ROUTES, installed, page, request } from './web.fixture.js';
import type { Routes } from './web.fixture.js';

/** The options that an app is told to mend. */
function problemsOf(open: () => unknown): readonly { option: string; message: string }[] {
  try {
    open();
  } catch (error) {
    if (error instanceof InvalidOptionsError) return error.problems;
  }
  throw new Error('The options were taken.');
}

describe.each(ROUTES)('an app of $name', ({ open }: Routes) => {
  let app: ReturnType<Routes['open']> | undefined;
  const { PORT } = process.env;
  afterEach(async () => {
    if (PORT === undefined) delete process.env['PORT'];
    else process.env['PORT'] = PORT;
    await app?.close();
    app = undefined;
  });

  it('says that it needs a session storage', () => {
    const problems = problemsOf(() => open({ sessionStorage: undefined as never }));
    expect(problems).toEqual([
      { option: 'sessionStorage', message: expect.stringContaining('SqliteSessionStorage') },
    ]);
  });

  it.each<[string, object, string[]]>([
    ['loginPath', { loginPath: 'no path' }, ['loginPath']],
    ['loginPath', { loginPath: '//evil.example' }, ['loginPath']],
    ['authPathPrefix', { authPathPrefix: 'no path' }, ['authPathPrefix']],
    ['authPathPrefix', { authPathPrefix: 7 }, ['authPathPrefix']],
    ['modules', { modules: class AppModule {} }, ['modules']],
    ['modules', { modules: null }, ['modules']],
    ['modules', { modules: 'AppModule' }, ['modules']],
    ['a module', { modules: [class AppModule {}, undefined] }, ['modules.1']],
  ])('says that %s is wrong: %p', (_, change, names) => {
    const found = problemsOf(() => open(change)).map(({ option }) => option);
    expect(found).toEqual(names);
  });

  it('mentions paths, of which it reads none', () => {
    const lines: string[] = [];
    const logger = { log: (_: number, line: string) => lines.push(line) };
    app = open({ logger, ...{ paths: { auth: '/login' } } });
    expect(lines.join()).toContain('Unknown options are ignored: paths.');
  });

  it('needs none when it was made in the admin of a store', async () => {
    app = open({
      distribution: AppDistribution.PlatformAdmin,
      adminApiAccessToken: 'shpat_custom',
      sessionStorage: undefined as never,
    });
    const { session } = await app.unauthenticated.admin('test-shop.myshopify.com');
    expect(session.shop).toBe('test-shop.myshopify.com');
  });

  it('hands out the session storage that it was given, of whatever class', async () => {
    const own = await installed();
    const foreign = {
      storeSession: (session: Session) => own.storeSession(session),
      loadSession: (id: string) => own.loadSession(id),
      deleteSession: (id: string) => own.deleteSession(id),
      deleteSessions: (ids: string[]) => own.deleteSessions(ids),
      findSessionsByShop: (shop: string) => own.findSessionsByShop(shop),
    };
    app = open({ sessionStorage: foreign as unknown as SessionStorage });
    expect(app.sessionStorage).toBe(foreign);
  });

  it.each([
    ['http://localhost', 'http://localhost:4321'],
    ['http://localhost:3000', 'http://localhost:3000'],
    ['http://localhost:80', 'http://localhost'],
    ['https://localhost:443/', 'https://localhost'],
    ['https://localhost/?at=:80', 'https://localhost:4321'],
    ['https://app.example.com', 'https://app.example.com'],
  ])('at %s lies at %s when PORT is 4321', (appUrl, expected) => {
    process.env['PORT'] = '4321';
    app = open({ appUrl });
    expect(app.api.config.appUrl).toBe(expected);
  });
});

describe('platformApp without options', () => {
  it.each([
    ['Remix', remixApp, ['apiVersion', 'sessionStorage']],
    ['React Router', platformApp, ['apiVersion', 'sessionStorage']],
    ['Express', expressApp, ['api.apiVersion']],
    ['no host', platformApi, ['apiVersion']],
  ])('of %s names what is missing', (_, create, names) => {
    for (const options of [undefined, null]) {
      const found = problemsOf(() => (create as (given: unknown) => unknown)(options));
      expect(found.map(({ option }) => option)).toEqual(expect.arrayContaining(names));
    }
  });
});

describe('isEmbeddedApp', () => {
  it.each([true, false, undefined])('is no option of React Router: %s', (isEmbeddedApp) => {
    const options = { ...appOptions(), scopes: [], isEmbeddedApp };
    expect(problemsOf(() => platformApp(options as never))).toContainEqual({
      option: 'isEmbeddedApp',
      message: expect.stringContaining('shopwright/react-router'),
    });
  });

  it('is one of Remix', async () => {
    const app = REMIX.open({ isEmbeddedApp: false });
    expect(app.api.config.isEmbeddedApp).toBe(false);
    await app.close();
  });
});

// Born of a comparison with the official package, whose option it is.
describe('polarisUrl', () => {
  const { isEmbeddedApp: _, ...own } = appOptions();
  const options = {
    ...{ ...own, scopes: [], sessionStorage: new MemorySessionStorage() },
    polarisUrl: 'https://cdn.example/polaris.js',
  };
  const headersOf = (app: {
    addDocumentResponseHeaders: (request: Request, headers: Headers) => void;
  }): string | null => {
    const headers = new Headers();
    app.addDocumentResponseHeaders(request(`/?shop=${SHOP}`), headers);
    return headers.get('link');
  };

  it('is the script that browsers fetch early', async () => {
    const app = platformApp(options);
    expect(headersOf(app)).toBe(
      REACT_ROUTER.link.replace(`${CDN}/shopifycloud/polaris.js`, options.polarisUrl),
    );
    const helper = await app.authenticate
      .admin(page('/auth/session-token'))
      .catch((thrown) => thrown);
    expect(helper.headers.get('link')).toBe(headersOf(app));
    await app.close();
  });

  it.each(['', 'a b', 'https://cdn.example/>;', 'https://cdn.example/ü.js', 7, '/a\r\nx: y'])(
    'is a URL that a header can name, not %p',
    (polarisUrl) => {
      const problems = problemsOf(() => platformApp({ ...options, polarisUrl } as never));
      expect(problems).toEqual([
        { option: 'polarisUrl', message: expect.stringContaining('polaris.js') },
      ]);
    },
  );

  it('is unknown to Remix, whose pages do not load it', async () => {
    const lines: string[] = [];
    const logger = { log: (_: number, line: string) => lines.push(line) };
    const app = remixApp({ ...options, logger } as never);
    expect(lines.join()).toMatch(/Unknown options are ignored: polarisUrl\b/);
    expect(headersOf(app)).toBe(REMIX.link);
    await app.close();
  });
});

it('the app of React Router goes by both names', () => {
  expect(shopifyApp).toBe(platformApp);
});
