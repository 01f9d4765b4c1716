import type { StoredNode } from '../../state/nodes/node-store.js';
import { placeLanguage, presencesIn } from '../markets/web-presence-input.js';
import type { NodeError } from '../nodes/mutation-shape.js';
import type { NodeWriter } from '../nodes/node-writer.js';
import { userError } from '../nodes/user-errors.js';
import { enabledLocale } from './enabled-locale.js';
import { LOCALES, localeName, PRIMARY } from './locales.table.js';
import { forgetTranslations } from './translations.js';

interface LocaleInput {
  readonly published?: boolean | null;
  readonly marketWebPresenceIds?: readonly string[] | null;
}

interface LocaleArgs extends LocaleInput {
  readonly locale: string;
  readonly shopLocale?: LocaleInput | null;
}

const AT = ['locale'];
const UNCHANGED = userError(
  AT,
  "The primary locale of your store can't be changed through this endpoint.",
);
const UNKNOWN = userError(AT, "The locale doesn't exist.");

/**
 * The resolvers of the languages of a shop: one that it always has, and those that it enables.
 * @see https://shopify.dev/docs/api/admin-graphql/latest/mutations/shopLocaleEnable
 */
export function shopLocaleRoot({ reader }: NodeWriter): Record<string, unknown> {
  const { nodes, defaults } = reader.store;
  const shown = ({ fields }: Pick<StoredNode, 'fields'>): object =>
    reader.objectOf({
      ...fields,
      name: localeName(String(fields['locale'])),
      primary: fields['locale'] === PRIMARY,
      marketWebPresences: presencesIn(nodes, String(fields['locale'])),
    });
  const refused = (error: NodeError): object => ({ shopLocale: null, userErrors: [error] });
  const place = (locale: string, ids?: readonly string[] | null): void =>
    placeLanguage(nodes, defaults.url, locale, ids);
  const primary = { fields: { locale: PRIMARY, published: true } };
  return {
    availableLocales: () => LOCALES.map((isoCode) => ({ isoCode, name: localeName(isoCode) })),
    shopLocales: ({ published }: LocaleInput) => {
      const all = [primary, ...nodes.all(['ShopLocale'])];
      const codeOf = (one: Pick<StoredNode, 'fields'>): string => String(one.fields['locale']);
      return all
        .filter(({ fields }) => !published || fields['published'])
        .sort((a, b) => codeOf(a).localeCompare(codeOf(b), 'en'))
        .map(shown);
    },
    shopLocaleEnable: ({ locale, marketWebPresenceIds }: LocaleArgs) => {
      if (locale === PRIMARY) return refused(UNCHANGED);
      if (!LOCALES.includes(locale)) return refused(userError(AT, 'Locale is invalid'));
      if (enabledLocale(nodes, locale))
        return refused(userError(AT, 'Locale has already been taken'));
      const made = nodes.create('ShopLocale', { locale, published: false });
      place(locale, marketWebPresenceIds);
      return { shopLocale: shown(made), userErrors: [] };
    },
    shopLocaleUpdate: ({ locale, shopLocale }: LocaleArgs) => {
      if (locale === PRIMARY) return refused(UNCHANGED);
      const node = enabledLocale(nodes, locale);
      if (!node) return refused(UNKNOWN);
      if (shopLocale?.published != null) nodes.update(node.id, { published: shopLocale.published });
      place(locale, shopLocale?.marketWebPresenceIds);
      return { shopLocale: shown(node), userErrors: [] };
    },
    shopLocaleDisable: ({ locale }: LocaleArgs) => {
      const node = enabledLocale(nodes, locale);
      const error = locale === PRIMARY ? UNCHANGED : node ? undefined : UNKNOWN;
      if (!node || error) return { locale: null, userErrors: [error] };
      place(locale, []);
      nodes.delete(node.id);
      forgetTranslations(nodes, locale);
      return { locale, userErrors: [] };
    },
  };
}
