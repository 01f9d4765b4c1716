import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openNodeShop, type NodeShopFixture } from '../nodes/node-shop.fixture.js';

describe('apps', () => {
  let fixture: NodeShopFixture;
  beforeEach(async () => {
    fixture = await openNodeShop(['products'], '2026-04');
  });
  afterEach(() => fixture.devStore.close());

  it('are found by id, handle and key, and installations by id', async () => {
    const { currentAppInstallation } = await fixture.call(
      '{ currentAppInstallation { id app { id handle apiKey } } }',
    );
    const { id, app } = currentAppInstallation as unknown as {
      id: string;
      app: { id: string; handle: string; apiKey: string };
    };
    const data = await fixture.call(
      `query ($id: ID!, $app: ID!, $handle: String!, $key: String!) {
        app(id: $app) { id } appByHandle(handle: $handle) { id } appByKey(apiKey: $key) { id }
        appInstallation(id: $id) { id }
        none: app(id: "gid://shopify/App/1") { id } noHandle: appByHandle(handle: "none") { id }
        noKey: appByKey(apiKey: "none") { id }
        noInstallation: appInstallation(id: "gid://shopify/AppInstallation/1") { id }
      }`,
      { id, app: app.id, handle: app.handle, key: app.apiKey },
    );
    expect(data).toEqual({
      app: { id: app.id },
      appByHandle: { id: app.id },
      appByKey: { id: app.id },
      appInstallation: { id },
      none: null,
      noHandle: null,
      noKey: null,
      noInstallation: null,
    });
  });

  it('see no list of installations without the scope for it', async () => {
    const { data, errors } = await fixture.answer(
      '{ appInstallations(first: 1) { nodes { id } } }',
    );
    expect(data).toBeNull();
    expect(errors![0]).toMatchObject({ extensions: { code: 'ACCESS_DENIED' } });
  });

  it('uninstall themselves, and may do nothing from then on', async () => {
    const { appUninstall } = await fixture.call(
      'mutation { appUninstall { app { title installation { id } } userErrors { message } } }',
    );
    expect(appUninstall).toEqual({
      app: { title: 'Your app', installation: null },
      userErrors: [],
    });
    expect(fixture.shop.installations).toEqual([]);
    expect(await fixture.answer('{ shop { name } }')).toMatchObject({
      errors: expect.stringContaining('Invalid API key or access token'),
    });
  });

  describe('delegate', () => {
    const create = async (input: object, token?: string): Promise<Record<string, unknown>> => {
      const { delegateAccessTokenCreate } = await fixture.call(
        `mutation ($input: DelegateAccessTokenInput!) { delegateAccessTokenCreate(input: $input) {
          delegateAccessToken { accessToken accessScopes createdAt expiresIn }
          shop { myshopifyDomain } userErrors { field message code } } }`,
        { input },
        token,
      );
      return delegateAccessTokenCreate!;
    };
    const destroy = async (accessToken: string, token?: string): Promise<object> => {
      const { delegateAccessTokenDestroy } = await fixture.call(
        `mutation ($accessToken: String!) { delegateAccessTokenDestroy(accessToken: $accessToken) {
          status shop { myshopifyDomain } userErrors { field message code } } }`,
        { accessToken },
        token,
      );
      return delegateAccessTokenDestroy!;
    };
    const textOf = (created: Record<string, unknown>): string =>
      (created['delegateAccessToken'] as { accessToken: string }).accessToken;
    const refusal = (code: string, message: string): object => ({
      shop: { myshopifyDomain: fixture.shop.domain },
      userErrors: [{ field: null, message, code }],
    });

    it('a part of their scopes for a time', async () => {
      const created = await create({ delegateAccessScope: ['read_products'], expiresIn: 300 });
      expect(created).toMatchObject({
        delegateAccessToken: { accessScopes: ['read_products'], expiresIn: 300 },
        userErrors: [],
      });
      const token = textOf(created);
      expect(await fixture.call('{ productsCount { precision } }', {}, token)).toEqual({
        productsCount: { precision: 'EXACT' },
      });
      const mutation = 'mutation { productCreate(product: { title: "A" }) { product { id } } }';
      const { errors } = await fixture.answer(mutation, {}, token);
      expect(errors![0]!.extensions['code']).toBe('ACCESS_DENIED');
      await fixture.devStore.advance(301_000);
      expect(fixture.shop.accessToken(token)).toBeUndefined();
    });

    it.each([
      [{ delegateAccessScope: [] }, 'EMPTY_ACCESS_SCOPE', "The access scope can't be empty."],
      [
        { delegateAccessScope: ['read_products'], expiresIn: -1 },
        'NEGATIVE_EXPIRES_IN',
        'The expires_in value must be greater than 0.',
      ],
      [
        { delegateAccessScope: ['fake_scope'] },
        'UNKNOWN_SCOPES',
        'The access scope is invalid: fake_scope',
      ],
      [
        { delegateAccessScope: ['write_orders'] },
        'UNKNOWN_SCOPES',
        'The access scope is invalid: write_orders',
      ],
    ])('nothing for %j', async (input, code, message) => {
      expect(await create(input)).toEqual({ delegateAccessToken: null, ...refusal(code, message) });
    });

    it('nothing beyond the end of their own token, and nothing of a delegated one', async () => {
      const { token: accessToken } = fixture.shop.issueExpiringTokens('key').access;
      const input = { delegateAccessScope: ['read_products'], expiresIn: 3601 };
      expect(await create(input, accessToken)).toMatchObject(
        refusal('EXPIRES_AFTER_PARENT', "The delegate token can't expire after the parent token."),
      );
      const delegated = textOf(await create({ ...input, expiresIn: 3500 }, accessToken));
      expect(await create(input, delegated)).toMatchObject(
        refusal('DELEGATE_ACCESS_TOKEN', "The parent access token can't be a delegate token."),
      );
      fixture.shop.revokeTokens('key');
      expect(fixture.shop.accessToken(delegated)).toBeUndefined();
    });

    it('until they end it: only what they delegated themselves', async () => {
      const input = { delegateAccessScope: ['read_products'] };
      const [own, sibling] = [textOf(await create(input)), textOf(await create(input))];
      const { token: accessToken } = fixture.shop.issueExpiringTokens('key').access;
      const denied = { status: false, ...refusal('ACCESS_DENIED', 'Access denied.') };
      expect(await destroy(own, sibling)).toEqual(denied);
      expect(await destroy(own, accessToken)).toEqual(denied);
      expect(await destroy(accessToken)).toEqual({
        status: false,
        ...refusal('CAN_ONLY_DELETE_DELEGATE_TOKENS', 'Can only delete delegate tokens.'),
      });
      expect(await destroy(own)).toMatchObject({ status: true, userErrors: [] });
      expect(await destroy(own)).toEqual({
        status: false,
        ...refusal('ACCESS_TOKEN_NOT_FOUND', 'Access token does not exist.'),
      });
      expect(fixture.shop.accessToken(sibling)).toBeDefined();
    });

    it('no scope that they get later', async () => {
      const token = textOf(await create({ delegateAccessScope: ['read_products'] }));
      fixture.shop.setScopes('key', ['write_products', 'write_orders']);
      expect(fixture.shop.accessToken(token)!.scopes).toEqual(['read_products']);
      expect(fixture.shop.install('key', { scopes: ['write_products', 'write_orders'] })).not.toBe(
        token,
      );
    });
  });
});
