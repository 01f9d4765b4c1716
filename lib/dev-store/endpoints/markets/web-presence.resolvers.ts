import type { NodeFields } from '../../state/nodes/node-store.js';
import { isLocale, localeName, PRIMARY } from '../localization/locales.table.js';
import type { NodeError } from '../nodes/mutation-shape.js';
import type { NodeWriter } from '../nodes/node-writer.js';
import { itemErrors, userError } from '../nodes/user-errors.js';

interface PresenceInput {
  readonly domainId?: string | null;
  readonly defaultLocale?: string | null;
  readonly alternateLocales?: readonly string[] | null;
  readonly subfolderSuffix?: string | null;
}

const NONE = userError(['id'], "The market web presence wasn't found.", 'WEB_PRESENCE_NOT_FOUND');
const NO_ROUTE = userError(
  ['input'],
  'One of `subfolderSuffix` or `domainId` is required.',
  'REQUIRES_DOMAIN_OR_SUBFOLDER',
);
const TWO_ROUTES = userError(
  ['input'],
  'Subfolder suffix and domain cannot both be present',
  'CANNOT_HAVE_SUBFOLDER_AND_DOMAIN',
);

/**
 * The resolvers of the mutations of web presences: the addresses and languages of markets.
 * @see https://shopify.dev/docs/api/admin-graphql/latest/mutations/webPresenceCreate
 */
export function webPresenceRoot({ reader, view }: NodeWriter): Record<string, unknown> {
  const { nodes, defaults } = reader.store;
  const isThere = (id: string): boolean => nodes.find(id)?.type === 'MarketWebPresence';
  const problems = (input: PresenceInput, isNew: boolean): NodeError[] => {
    const { domainId, defaultLocale, alternateLocales, subfolderSuffix } = input;
    const at = (field: string, message: string, code: string): NodeError =>
      userError(['input', field], message, code);
    const invalid = (locale: string): string => `Invalid locale codes: ${locale}`;
    const errors: NodeError[] = [];
    if (domainId != null && nodes.find(domainId)?.type !== 'Domain')
      errors.push(at('domainId', 'Domain does not exist', 'DOMAIN_NOT_FOUND'));
    if (defaultLocale != null && !isLocale(defaultLocale))
      errors.push(at('defaultLocale', invalid(defaultLocale), 'INVALID'));
    if (errors.length > 0) return errors;
    const wrong = itemErrors(alternateLocales ?? [], ['input', 'alternateLocales'], (one, path) =>
      isLocale(one) ? [] : [userError(path, invalid(one), 'INVALID')],
    );
    if (wrong.length > 0) return wrong;
    if (isNew && domainId == null && subfolderSuffix == null) return [NO_ROUTE];
    if (domainId != null && subfolderSuffix != null) return [TWO_ROUTES];
    if (subfolderSuffix == null || /^[a-z]{2,}/i.test(subfolderSuffix)) return [];
    const message = 'Subfolder suffix must be at least 2 letters';
    return [at('subfolderSuffix', message, 'SUBFOLDER_SUFFIX_MUST_BE_AT_LEAST_2_LETTERS')];
  };
  const locale = (code: string): NodeFields => ({
    locale: code,
    name: localeName(code),
    primary: code === PRIMARY,
    published: true,
  });
  /** The fields of a presence, with the addresses that follow from them. */
  const fieldsOf = (input: PresenceInput, before: PresenceInput): NodeFields => {
    const all = { ...before, ...input };
    const { domainId = null, subfolderSuffix = null } = all;
    const [main = PRIMARY, others] = [all.defaultLocale ?? PRIMARY, all.alternateLocales ?? []];
    const host = domainId === null ? defaults.url : nodes.fieldsOf(domainId)['url'];
    const path = (code: string): string => {
      if (subfolderSuffix !== null) return `${code}-${subfolderSuffix}/`;
      return code === main ? '' : `${code}/`;
    };
    return {
      input: all,
      domain: domainId,
      subfolderSuffix,
      defaultLocale: locale(main),
      alternateLocales: others.map(locale),
      rootUrls: [main, ...others].map((code) => ({
        locale: code,
        url: `${String(host)}/${path(code)}`,
      })),
    };
  };
  return {
    webPresenceCreate: ({ input }: { readonly input: PresenceInput }) => {
      const userErrors = problems(input, true);
      if (userErrors.length > 0) return { webPresence: null, userErrors };
      const { id } = nodes.create('MarketWebPresence', fieldsOf(input, {}));
      return { webPresence: view(id), userErrors };
    },
    webPresenceUpdate: ({ id, input }: { readonly id: string; readonly input: PresenceInput }) => {
      const userErrors = isThere(id) ? problems(input, false) : [NONE];
      if (userErrors.length > 0) return { webPresence: null, userErrors };
      nodes.update(id, fieldsOf(input, nodes.fieldsOf(id)['input'] as PresenceInput));
      return { webPresence: view(id), userErrors };
    },
    webPresenceDelete: ({ id }: { readonly id: string }) => {
      if (!isThere(id)) return { deletedId: null, userErrors: [NONE] };
      nodes.delete(id);
      return { deletedId: id, userErrors: [] };
    },
  };
}
