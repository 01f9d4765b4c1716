import { withImplied } from '../../base/access-scopes.js';
import { globalId } from '../../base/vendor.js';
import { isoTime } from '../../base/iso-time.js';
import { jsonOf, jsonReply, type StoreReply, type StoreRequest } from '../../http/store-request.js';
import type { AccessToken } from '../../state/apps/access-token.js';
import { shopPayload } from '../../state/shop/shop-payload.js';
import {
  checksum,
  contentType,
  isText,
  problemOfFile,
  type ThemeFile,
} from '../../state/themes/theme-files.js';
import { authenticate } from '../admin-api/admin-api-access.js';
import {
  notFound,
  rootOf,
  selectFields,
  type RestCall,
  type RestEndpoint,
  type RestShop,
} from './rest.endpoint.js';

/** What is about the shop itself, and the files of its themes. */
export const REST_OTHERS: readonly RestEndpoint[] = [
  {
    method: 'GET',
    pattern: /^shop$/,
    answer: ({ shop }, { url }) => jsonReply(200, { shop: selectFields(shopPayload(shop), url) }),
  },
  {
    method: 'GET',
    pattern: /^currencies$/,
    answer: ({ shop }) =>
      jsonReply(200, {
        currencies: [
          { currency: shop.currency, rate_updated_at: isoTime(shop.createdAt), enabled: true },
        ],
      }),
  },
  {
    method: 'DELETE',
    pattern: /^api_permissions\/current$/,
    answer: ({ shop, token }) => uninstalled(shop, token),
  },
  { method: 'GET', pattern: /^policies$/, answer: () => jsonReply(200, { policies: [] }) },
  {
    method: 'GET',
    pattern: /^users$/,
    scope: 'read_users',
    answer: ({ shop }) => jsonReply(200, { users: [userOf(shop)] }),
  },
  {
    method: 'GET',
    pattern: /^users\/(?:current|(\d{1,15}))$/,
    scope: 'read_users',
    answer: ({ shop }, _request, id) =>
      Number.isNaN(id) || id === shop.user.id ? jsonReply(200, { user: userOf(shop) }) : notFound(),
  },
  {
    method: 'GET',
    pattern: /^shopify_payments\/balance$/,
    scope: 'read_shopify_payments_payouts',
    answer: ({ shop }) =>
      jsonReply(200, { balance: [{ currency: shop.currency, amount: '0.00' }] }),
  },
  {
    method: 'GET',
    pattern: /^collections\/(\d{1,15})\/products$/,
    scope: 'read_products',
    answer: ({ shop }, { url }, id) => {
      const collection = shop.nodes.find(globalId('Collection', id));
      if (!collection) return notFound();
      const ids = [collection.fields['products'] ?? []].flat();
      const products = shop.catalog
        .all()
        .filter((product) => ids.includes(globalId('Product', product.id)))
        .map(({ id: number, title, handle, status }) => ({ id: number, title, handle, status }));
      return jsonReply(200, { products: products.map((one) => selectFields(one, url)) });
    },
  },
  {
    method: 'GET',
    pattern: /^themes\/(\d{1,15})\/assets$/,
    scope: 'read_themes',
    answer: (call, { url }, id) => {
      const theme = themeOf(call, id);
      const key = url.searchParams.get('asset[key]');
      if (!theme) return notFound();
      if (key === null) {
        const assets = call.shop.themes.of(theme).map((file) => assetOf(id, file, false));
        return jsonReply(200, { assets: assets.map((one) => selectFields(one, url)) });
      }
      const file = call.shop.themes.find(theme, key);
      return file ? jsonReply(200, { asset: assetOf(id, file, true) }) : notFound();
    },
  },
  {
    method: 'PUT',
    pattern: /^themes\/(\d{1,15})\/assets$/,
    scope: 'write_themes',
    answer: writeAsset,
  },
  {
    method: 'DELETE',
    pattern: /^themes\/(\d{1,15})\/assets$/,
    scope: 'write_themes',
    answer: (call, { url }, id) => {
      const theme = themeOf(call, id);
      const key = url.searchParams.get('asset[key]') ?? '';
      return theme && call.shop.themes.delete(theme, key)
        ? jsonReply(200, { message: `${key} was successfully deleted` })
        : notFound();
    },
  },
];

function writeAsset(call: RestCall, request: StoreRequest, id: number): StoreReply {
  const theme = themeOf(call, id);
  if (!theme) return notFound();
  const body = rootOf(jsonOf(request), 'asset');
  const { key = '', value, attachment, source_key: source } = body as Record<string, unknown>;
  const copied = source === undefined ? undefined : call.shop.themes.find(theme, String(source));
  if (source !== undefined && !copied) return notFound();
  const content =
    copied?.content ??
    (attachment === undefined
      ? Buffer.from(String(value ?? ''))
      : Buffer.from(String(attachment), 'base64'));
  const problem = problemOfFile(String(key), content);
  if (problem) return jsonReply(422, { errors: { asset: [problem] } });
  const file = call.shop.themes.write(theme, String(key), content);
  call.writer().changed('update', theme, call.shop.nodes.fieldsOf(theme));
  return jsonReply(200, { asset: assetOf(id, file, false) });
}

function themeOf({ shop }: RestCall, id: number): string | undefined {
  return shop.nodes.find(globalId('OnlineStoreTheme', id))?.id;
}

function assetOf(themeId: number, file: ThemeFile, whole: boolean): Record<string, unknown> {
  const { filename, content, createdAt, updatedAt } = file;
  return {
    key: filename,
    public_url: null,
    ...(whole && isText(filename) ? { value: content.toString() } : {}),
    ...(whole && !isText(filename) ? { attachment: content.toString('base64') } : {}),
    created_at: isoTime(createdAt),
    updated_at: isoTime(updatedAt),
    content_type: contentType(filename),
    size: content.length,
    checksum: checksum(content),
    theme_id: themeId,
  };
}

function userOf({ user }: RestShop): Record<string, unknown> {
  const { id, first_name, last_name, email, account_owner, locale } = user;
  return {
    ...{ id, first_name, last_name, email, account_owner, locale },
    ...{ url: null, im: null, screen_name: null, phone: null, bio: null },
    ...{
      receive_announcements: 0,
      permissions: ['full'],
      user_type: 'regular',
      tfa_enabled: false,
    },
    admin_graphql_api_id: globalId('StaffMember', id),
  };
}

/**
 * Responds with the scopes of a token; of no version, as on the platform.
 * @throws StoreReplyError when the call is not authenticated
 * @see https://shopify.dev/docs/api/admin-rest/latest/resources/accessscope
 */
export function accessScopesReply(shop: RestShop, request: StoreRequest): StoreReply {
  const { token } = authenticate(shop.tokens, request, '');
  const scopes = withImplied(token.scopes).map((handle) => ({ handle }));
  return jsonReply(200, { access_scopes: scopes });
}

/**
 * The app gives up its access to the shop, which uninstalls it; of no version, as on the platform.
 * @throws StoreReplyError when the call is not authenticated
 * @see https://shopify.dev/api/examples/app-uninstall
 */
export function revocationReply(shop: RestShop, request: StoreRequest): StoreReply {
  return uninstalled(shop, authenticate(shop.tokens, request, '').token);
}

function uninstalled(shop: RestShop, { apiKey }: AccessToken): StoreReply {
  void shop.installed.uninstall(apiKey)();
  return jsonReply(200, {});
}
