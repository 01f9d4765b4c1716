import { isoTime } from '../../base/iso-time.js';
import { connection, type ConnectionArgs } from '../../graphql/graphql.connection.js';
import type { GraphqlContext } from '../../graphql/graphql-execution.js';
import type { NodeError } from '../nodes/mutation-shape.js';
import { numberOf, typeOfId } from '../nodes/node-reader.js';
import type { NodeWriter } from '../nodes/node-writer.js';
import { isBlank, itemErrors, userError } from '../nodes/user-errors.js';
import { PRIMARY } from './locales.table.js';
import { enabledLocale } from './enabled-locale.js';
import { allTranslations, type Translation } from './translation-fields.js';
import {
  contentOf,
  isSameText,
  keepTranslations,
  resourcesOf,
  resourceType,
  type Content,
} from './translations.js';

interface Given {
  readonly key: string;
  readonly value: string;
  readonly locale: string;
  readonly marketId?: string | null;
  readonly translatableContentDigest: string;
}

interface RegisterArgs {
  readonly resourceId: string;
  readonly translations: readonly Given[];
}

interface RemoveArgs {
  readonly resourceId: string;
  readonly translationKeys: readonly string[];
  readonly locales: readonly string[];
  readonly marketIds?: readonly string[] | null;
}

interface ListArgs extends ConnectionArgs {
  readonly resourceType?: string;
  readonly resourceIds?: readonly string[];
}

interface MarketArgs {
  readonly resourceId: string;
  readonly marketLocalizations?: readonly { readonly key: string }[];
}

interface ReadArgs {
  readonly locale?: string;
  readonly marketId?: string | null;
  readonly outdated?: boolean | null;
}

/** How many texts one call may change. */
const MOST = 100;

const TOO_MANY = userError(
  ['resourceId'],
  `Too many keys for resource - maximum ${MOST} per mutation`,
  'TOO_MANY_KEYS_FOR_RESOURCE',
);

/** What only markets can have other texts for. */
const LOCALIZABLE: ReadonlySet<string> = new Set(['Metafield', 'Metaobject']);

/**
 * The resolvers of translations, and of the texts that markets have of their own.
 * @see https://shopify.dev/docs/api/admin-graphql/latest/mutations/translationsRegister
 */
export function translationRoot({ reader, catalog, view }: NodeWriter): Record<string, unknown> {
  const { nodes, defaults } = reader.store;
  const shop = { nodes, catalog, view };
  const noResource = (id: string): NodeError =>
    userError(['resourceId'], `Resource ${id} does not exist`, 'RESOURCE_NOT_FOUND');
  const shown = (one: Translation, content: readonly Content[]): object => {
    const original = content.find(({ key }) => key === one.key);
    return reader.objectOf({ ...one, outdated: original?.digest !== one.digest });
  };
  const resource = (resourceId: string): object | null => {
    const content = contentOf(shop, resourceId);
    if (!content) return null;
    return {
      __typename: 'TranslatableResource',
      resourceId,
      translatableContent: content,
      translations: ({ locale, marketId = null, outdated }: ReadArgs) =>
        allTranslations(nodes)
          .filter((one) => one.resource === resourceId && one.locale === locale)
          .filter((one) => one.market === marketId)
          .map((one) => ({ one, isOutdated: !content.some(({ digest }) => digest === one.digest) }))
          .filter(({ isOutdated }) => outdated == null || outdated === isOutdated)
          .map(({ one }) => shown(one, content)),
    };
  };
  const listed =
    (toNode: (id: string) => object | null) =>
    (ids: readonly string[], args: ConnectionArgs, context: GraphqlContext): object => {
      const items = ids.flatMap((id) => {
        const node = toNode(id);
        return node ? [{ id: numberOf(id) ?? 0, node }] : [];
      });
      return connection(items, args, context, ({ node }) => node);
    };
  /** Why a translation is not kept. */
  const problem = (
    { key, value, locale, marketId, translatableContentDigest: digest }: Given,
    content: readonly Content[],
  ): readonly [field: string, message: string, code: string] | undefined => {
    if (locale === PRIMARY) {
      const message = "Locale cannot be the same as the shop's primary locale";
      return ['locale', message, 'INVALID_LOCALE_FOR_SHOP'];
    }
    if (!enabledLocale(nodes, locale))
      return ['locale', 'Locale is not a valid locale for the shop', 'INVALID_LOCALE_FOR_SHOP'];
    const original = content.find((one) => one.key === key);
    if (!original)
      return ['key', `Key ${key} is not a valid translatable field`, 'INVALID_KEY_FOR_MODEL'];
    if (isBlank(value)) return ['value', "Value can't be blank", 'FAILS_RESOURCE_VALIDATION'];
    if (original.digest !== digest) {
      const message = 'Translatable content hash is invalid';
      return ['translatableContentDigest', message, 'INVALID_TRANSLATABLE_CONTENT'];
    }
    return marketId == null || nodes.find(marketId)?.type === 'Market'
      ? undefined
      : ['marketId', 'The market does not exist', 'MARKET_DOES_NOT_EXIST'];
  };
  const localizable = (resourceId: string): object | null => {
    if (!LOCALIZABLE.has(typeOfId(resourceId)) || !view(resourceId)) return null;
    return {
      __typename: 'MarketLocalizableResource',
      resourceId,
      marketLocalizableContent: [],
      marketLocalizations: () => [],
    };
  };
  const localized = (userErrors: readonly NodeError[]): object => ({
    marketLocalizations: null,
    userErrors,
  });
  return {
    translatableResource: ({ resourceId }: RegisterArgs) => resource(resourceId),
    translatableResources: (args: ListArgs, context: GraphqlContext) =>
      listed(resource)(resourcesOf(shop, resourceType(args.resourceType ?? '')), args, context),
    translatableResourcesByIds: (args: ListArgs, context: GraphqlContext) =>
      listed(resource)(args.resourceIds ?? [], args, context),
    translationsRegister: ({ resourceId, translations }: RegisterArgs) => {
      const content = contentOf(shop, resourceId);
      const refusal = content ? TOO_MANY : noResource(resourceId);
      if (!content || translations.length > MOST)
        return { translations: null, userErrors: [refusal] };
      const kept: Translation[] = [];
      const userErrors = itemErrors(translations, ['translations'], (one, path) => {
        const wrong = problem(one, content);
        if (wrong) return [userError([...path, wrong[0]], wrong[1], wrong[2])];
        const { translatableContentDigest: digest, marketId: market = null, ...text } = one;
        const updatedAt = isoTime(defaults.now());
        kept.push({ ...text, resource: resourceId, market, digest, updatedAt });
        return [];
      });
      const others = allTranslations(nodes).filter(
        (one) => !kept.some((other) => isSameText(one, other)),
      );
      keepTranslations(nodes, [...others, ...kept]);
      return { translations: kept.map((one) => shown(one, content)), userErrors };
    },
    translationsRemove: ({ resourceId, translationKeys, locales, marketIds }: RemoveArgs) => {
      const content = contentOf(shop, resourceId);
      if (!content) return { translations: null, userErrors: [noResource(resourceId)] };
      const isGone = ({ resource: id, key, locale, market }: Translation): boolean =>
        id === resourceId &&
        translationKeys.includes(key) &&
        locales.includes(locale) &&
        (market === null ? !marketIds?.length : Boolean(marketIds?.includes(market)));
      const all = allTranslations(nodes);
      const gone = all.filter(isGone);
      keepTranslations(
        nodes,
        all.filter((one) => !isGone(one)),
      );
      const translations = gone.length > 0 ? gone.map((one) => shown(one, content)) : null;
      return { translations, userErrors: [] };
    },
    marketLocalizableResource: ({ resourceId }: MarketArgs) => localizable(resourceId),
    marketLocalizableResources: (args: ListArgs, context: GraphqlContext) =>
      listed(localizable)([], args, context),
    marketLocalizableResourcesByIds: (args: ListArgs, context: GraphqlContext) =>
      listed(localizable)(args.resourceIds ?? [], args, context),
    marketLocalizationsRegister: ({ resourceId, marketLocalizations = [] }: MarketArgs) => {
      if (!localizable(resourceId)) return localized([noResource(resourceId)]);
      if (marketLocalizations.length > MOST) return localized([TOO_MANY]);
      return localized(
        itemErrors(marketLocalizations, ['marketLocalizations'], ({ key }, path) => {
          const message = `Key ${key} is not a valid market localizable field`;
          return [userError([...path, 'key'], message, 'INVALID_KEY_FOR_MODEL')];
        }),
      );
    },
    marketLocalizationsRemove: ({ resourceId }: MarketArgs) =>
      localized(localizable(resourceId) ? [] : [noResource(resourceId)]),
  };
}
