import { describe, expect, it } from '@jest/globals';
import { inspect } from 'node:util';

import { AppDistribution } from '../../../lib/core/config/config.options.js';
import type { ConfigOptions, Environment } from '../../../lib/core/config/config.options.js';
import { resolveConfig } from '../../../lib/core/config/config.schema.js';
import type { PlatformConfig } from '../../../lib/core/config/platform-config.js';
import { InvalidOptionsError } from '../../../lib/core/core.errors.js';

const OPTIONS: ConfigOptions = {
  apiKey: 'key',
  apiSecretKey: 'secret-value',
  appUrl: 'https://app.example.com',
  apiVersion: '2026-01',
};
const SHOP = 'dev-shop.myshopify.com';

function resolve(options: object = {}, environment: Environment = {}): PlatformConfig {
  return resolveConfig({ ...OPTIONS, ...options }, { environment });
}

function problemsOf(options: object, environment: Environment = {}): string[] {
  try {
    resolve(options, environment);
    return [];
  } catch (error) {
    if (error instanceof InvalidOptionsError) return error.problems.map(({ option }) => option);
    throw error;
  }
}

describe('the options of an app', () => {
  it('are kept, and completed with defaults', () => {
    expect(resolve({ scopes: ['write_products'] })).toMatchObject({
      ...{
        apiKey: 'key',
        appUrl: 'https://app.example.com',
        apiVersion: '2026-01',
        apiSecretKeys: ['secret-value'],
      },
      ...{
        isEmbeddedApp: true,
        useOnlineTokens: false,
        distribution: AppDistribution.AppStore,
        webhookBodyLimit: 5 * 1024 * 1024,
      },
      webhookBodyMemoryLimit: 64 * 1024 * 1024,
      paths: {
        ...{ auth: '/auth', authCallback: '/auth/callback', exitIframe: '/exitiframe' },
        ...{ sessionToken: '/auth/session-token', webhooks: '/webhooks' },
      },
    });
    expect(resolve().scopes).toBeUndefined();
  });

  it.each([
    ['PLATFORM_API_KEY', 'PLATFORM_API_SECRET', 'HOST'],
    ['SHOPIFY_API_KEY', 'SHOPIFY_API_SECRET', 'SHOPIFY_APP_URL'],
  ])('come from the environment (%s, %s, %s) where they are not given', (key, secret, url) => {
    const environment = {
      [key]: 'k',
      [secret]: 's',
      [url]: 'app.example.org',
      SCOPES: 'read_a, write_b',
    };
    const config = resolve(
      { apiKey: undefined, apiSecretKey: undefined, appUrl: undefined },
      environment,
    );
    expect(config).toMatchObject({
      apiKey: 'k',
      apiSecretKeys: ['s'],
      appUrl: 'https://app.example.org',
    });
    expect(config.scopes?.toString()).toBe('read_a,write_b');
    expect(resolve({}, environment)).toMatchObject({
      apiKey: 'key',
      appUrl: 'https://app.example.com',
    });
  });

  it.each([
    ['PLATFORM_API_SECRET', 'PLATFORM_API_SECRET_OLD'],
    ['SHOPIFY_API_SECRET', 'SHOPIFY_API_SECRET_OLD'],
  ])('take the secret that is being replaced from the environment, too: %s, %s', (now, old) => {
    const secrets = (options: object, environment: Environment): readonly string[] =>
      resolve({ apiSecretKey: undefined, ...options }, environment).apiSecretKeys;
    expect(secrets({}, { [now]: 'new', [old]: ' old ' })).toEqual(['new', 'old']);
    expect(secrets({}, { [now]: 'new', [old]: '' })).toEqual(['new']);
    expect(secrets({}, { [now]: 'new', [old]: 'new' })).toEqual(['new']);
    expect(secrets({ apiSecretKey: 'own' }, { [now]: 'new', [old]: 'old' })).toEqual(['own']);
    // Nothing could be signed with it.
    expect(problemsOf({ apiSecretKey: undefined }, { [old]: 'old' })).toEqual(['apiSecretKey']);
  });

  // Containers set HOST to the address they listen on: it became the app's public URL without a
  // word.
  it.each([
    [
      { HOST: '0.0.0.0', SHOPIFY_APP_URL: 'https://right.example.com' },
      'https://right.example.com',
    ],
    [
      { HOST: 'container-abc123', SHOPIFY_APP_URL: 'https://right.example.com' },
      'https://right.example.com',
    ],
    [{ HOST: 'app.example.com' }, 'https://app.example.com'],
    [
      { HOST: 'http://localhost:3000', SHOPIFY_APP_URL: 'https://other.example.com' },
      'http://localhost:3000',
    ],
  ])('take the public address, not the one a machine listens on: %j', (environment, expected) => {
    const { appUrl: _, ...rest } = OPTIONS;
    expect(resolveConfig(rest, { environment }).appUrl).toBe(expected);
  });

  it('prefer our own variable to the ecosystem’s', () => {
    expect(
      resolve({ apiKey: undefined }, { PLATFORM_API_KEY: 'ours', SHOPIFY_API_KEY: 'theirs' })
        .apiKey,
    ).toBe('ours');
  });

  it.each(['apiKey', 'apiSecretKey', 'appUrl', 'apiVersion'])(
    'are wrong without %s, and the error names just that',
    (option) => {
      expect(problemsOf({ [option]: undefined })).toEqual([option]);
      expect(problemsOf({ [option]: '' })).toEqual([option]);
    },
  );

  it('are wrong all at once', () => {
    expect(
      problemsOf({
        apiKey: '',
        apiSecretKey: [],
        appUrl: 'nowhere',
        apiVersion: 'soon',
        isEmbeddedApp: 'yes',
        fetch: 1,
      }).sort(),
    ).toEqual(['apiKey', 'apiSecretKey', 'appUrl', 'apiVersion', 'fetch', 'isEmbeddedApp'].sort());
  });

  it.each([
    ['apiSecretKey', ['a', '']],
    ['appUrl', 'ftp://app.example.com'],
    ['appUrl', 'javascript:alert(1)'],
    ['distribution', 'somewhere'],
    ['scopes', 7],
    ['userAgentPrefix', 'a\r\nb'],
    ['paths.auth', { auth: '//evil' }],
    ['paths.webhooks', { webhooks: 'a b' }],
    ['webhookBodyLimit', 0],
    ['webhookBodyMemoryLimit', 0],
    ['webhookBodyMemoryLimit', 5 * 1024 * 1024 - 1],
    ['webhookBodyMemoryLimit', '64 MB'],
    ['clock', 7],
    ['logger', 'console'],
  ])('are wrong about %s when it is %j', (option, value) => {
    expect(problemsOf({ [option.split('.')[0]!]: value })).toEqual([option]);
  });

  it('are named in an error as the caller wrote them, values left out', () => {
    const nameOf = (option: string): string => (option === 'appUrl' ? 'api.hostName' : option);
    const run = (): unknown =>
      resolveConfig(
        { ...OPTIONS, apiKey: '', appUrl: 'my-secret-place' },
        { environment: {}, nameOf },
      );
    expect(run).toThrow(InvalidOptionsError);
    expect(run).toThrow(/api\.hostName: must be a URL[^]*apiKey: is missing/);
    expect(run).not.toThrow(/my-secret-place|secret-value/);
  });

  it('of a custom app need its token, but neither key nor scopes', () => {
    const custom = { distribution: AppDistribution.PlatformAdmin, apiKey: undefined };
    expect(problemsOf(custom)).toEqual(['adminApiAccessToken']);
    const config = resolve({ ...custom, adminApiAccessToken: 'shpat_x' });
    expect(config).toMatchObject({ isCustomStoreApp: true, adminApiAccessToken: 'shpat_x' });
  });

  it('of any other app have no fixed token', () => {
    expect(resolve({ adminApiAccessToken: 'shpat_x' }).adminApiAccessToken).toBeUndefined();
  });

  it.each([
    'https://app.example.com/',
    'https://APP.example.com/some/path?x',
    'https://app.example.com:443',
  ])('keep the origin of %s', (appUrl) => {
    expect(resolve({ appUrl }).appUrl).toBe('https://app.example.com');
  });
});

describe('a resolved config', () => {
  it('cannot be changed', () => {
    const config = resolve();
    expect(() => Object.assign(config, { apiKey: 'other' })).toThrow(TypeError);
  });

  it('keeps its secrets out of what is printed', () => {
    const config = resolve({
      distribution: AppDistribution.PlatformAdmin,
      adminApiAccessToken: 'shpat_x',
    });
    const printed = inspect(config, { depth: null, showHidden: true }) + JSON.stringify(config);
    for (const secret of ['secret-value', 'shpat_x']) expect(printed).not.toContain(secret);
  });

  it('knows where the admin shows the app', () => {
    const host = Buffer.from('test.myshopify.com/admin').toString('base64');
    expect(resolve().embeddedAppUrl(host)).toBe('https://test.myshopify.com/admin/apps/key');
    const unified = Buffer.from('admin.shopify.com/store/dev-shop').toString('base64');
    expect(resolve().embeddedAppUrl(unified)).toBe(
      'https://admin.shopify.com/store/dev-shop/apps/key',
    );
    expect(resolve({ shopOrigin: () => 'http://localhost:4000/' }).embeddedAppUrl(unified)).toBe(
      'http://localhost:4000/admin/apps/key',
    );
  });

  it('knows where a shop and its App Bridge are', () => {
    expect(resolve().shopOrigin(SHOP)).toBe(`https://${SHOP}`);
    expect(resolve().appBridgeUrl(SHOP)).toBe('https://cdn.shopify.com/shopifycloud/app-bridge.js');
    const local = resolve({ shopOrigin: () => 'http://localhost:4000/' });
    expect(local.shopOrigin(SHOP)).toBe('http://localhost:4000');
    expect(local.appBridgeUrl(SHOP)).toBe('http://localhost:4000/shopifycloud/app-bridge.js');
    expect(resolve({}, { APP_BRIDGE_URL: 'https://cdn.example/ab.js' }).appBridgeUrl(SHOP)).toBe(
      'https://cdn.example/ab.js',
    );
  });

  describe('with SHOPWRIGHT_DEV_STORE in the environment', () => {
    const environment = { SHOPWRIGHT_DEV_STORE: ' http://localhost:4000 ' };

    it('reaches every shop there', () => {
      const config = resolve({}, environment);
      expect(config.shopOrigin(SHOP)).toBe('http://localhost:4000');
      expect(config.appBridgeUrl(SHOP)).toBe('http://localhost:4000/shopifycloud/app-bridge.js');
      expect(config.hasOwnShopOrigin).toBe(true);
    });

    it('goes by the option when there is one', () => {
      const shopOrigin = (): string => 'http://localhost:5000';
      expect(resolve({ shopOrigin }, environment).shopOrigin(SHOP)).toBe('http://localhost:5000');
    });

    it('is refused in production', () => {
      expect(() => resolve({}, { ...environment, NODE_ENV: 'production' })).toThrow(
        /SHOPWRIGHT_DEV_STORE: is for development: remove it from the environment in production/,
      );
    });

    it.each([
      'http://store.example.com:4000',
      'http://192.168.0.7:4000',
      'http://localhost.example.com',
      'http://localhost@example.com',
      'http://user:word@localhost:4000',
      'http://localhost:4000/admin',
      'http://localhost:4000/?a=b',
      'https://localhost:4000',
      'file:///etc/passwd',
      'localhost:4000',
      '4000',
    ])('is refused for %s, which is no store on this machine', (address) => {
      expect(() => resolve({}, { SHOPWRIGHT_DEV_STORE: address })).toThrow(
        /SHOPWRIGHT_DEV_STORE: must be the address of a simulated store on this machine/,
      );
    });
  });

  it('finds its own paths, with or without a slash at the end, below a prefix too', () => {
    const { paths } = resolve({ paths: { auth: '/api/auth/', webhooks: '/hooks' } });
    expect(paths.match('/api/auth')).toBe('auth');
    expect(paths.match('/api/auth/callback/')).toBe('authCallback');
    expect(paths.match('/hooks')).toBe('webhooks');
    expect(paths.match('/hooks/more')).toBeUndefined();
    paths.mount((path) => `/v1${path}`);
    expect(paths.match('/v1/hooks')).toBe('webhooks');
    expect(paths.match('/hooks')).toBeUndefined();
  });
});
