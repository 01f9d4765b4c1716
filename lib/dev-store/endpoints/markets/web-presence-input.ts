import type { NodeFields, NodeStore, StoredNode } from '../../state/nodes/node-store.js';
import { LOCALES, localeName, PRIMARY } from '../localization/locales.table.js';
import { enabledLocale } from '../localization/enabled-locale.js';
import type { NodeError } from '../nodes/mutation-shape.js';
import { userError } from '../nodes/user-errors.js';

/** What a web presence is made of. */
export interface PresenceInput {
  readonly domainId?: string | null;
  readonly defaultLocale?: string | null;
  readonly alternateLocales?: readonly string[] | null;
  readonly subfolderSuffix?: string | null;
}

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

const at = (field: string, message: string, code: string): NodeError =>
  userError(['input', field], message, code);

/**
 * Why an input is refused, in the order in which the platform looks at it.
 * @param before the web presence that is changed; undefined for a new one
 */
export function presenceErrors(
  nodes: NodeStore,
  input: PresenceInput,
  before?: { readonly id: string; readonly input: PresenceInput },
): NodeError[] {
  const { domainId, defaultLocale, alternateLocales, subfolderSuffix } = input;
  const errors: NodeError[] = [];
  if (domainId != null && nodes.find(domainId)?.type !== 'Domain')
    errors.push(at('domainId', 'Domain does not exist', 'DOMAIN_NOT_FOUND'));
  const [wrongDefault, wrong] = [unknown([defaultLocale ?? PRIMARY]), unknown(alternateLocales)];
  if (wrongDefault) errors.push(at('defaultLocale', wrongDefault, 'INVALID'));
  if (errors.length > 0) return errors;
  if (wrong) return [at('alternateLocales', wrong, 'INVALID')];
  if (!before && domainId == null && subfolderSuffix == null) return [NO_ROUTE];
  if (domainId != null && subfolderSuffix != null) return [TWO_ROUTES];
  const suffix = suffixError(nodes, subfolderSuffix ?? null, before?.id);
  return suffix ? [suffix] : languageErrors(nodes, input, before?.input ?? {});
}

/** What is said of the codes that stand for no language; undefined for none. */
function unknown(codes: readonly string[] | null | undefined): string | undefined {
  const wrong = (codes ?? []).filter((code) => languageOf(code) === undefined);
  return wrong.length > 0 ? `Invalid locale codes: ${listed(wrong)}` : undefined;
}

/** A suffix has to be letters, and no other market may use it. */
function suffixError(nodes: NodeStore, suffix: string | null, id?: string): NodeError | undefined {
  if (suffix === null) return undefined;
  const refused = (message: string, code: string): NodeError =>
    at('subfolderSuffix', `Subfolder suffix ${message}`, code);
  if (!/^[a-z]/i.test(suffix) || suffix.length < 2)
    return refused('must be at least 2 letters', 'SUBFOLDER_SUFFIX_MUST_BE_AT_LEAST_2_LETTERS');
  if (!/^[a-z]+$/i.test(suffix))
    return refused('must contain only letters', 'SUBFOLDER_SUFFIX_MUST_CONTAIN_ONLY_LETTERS');
  const used = nodes
    .all(['MarketWebPresence'])
    .some(
      (one) =>
        one.id !== id &&
        one.fields['subfolderSuffix'] === suffix &&
        nodes.naming(one.id, ['Market']).length > 0,
    );
  return used ? refused('has already been taken', 'TAKEN') : undefined;
}

/** A language is there once, and that of a web presence is published. */
function languageErrors(
  nodes: NodeStore,
  input: PresenceInput,
  before: PresenceInput,
): NodeError[] {
  const all = { ...before, ...input };
  const [main, others] = [all.defaultLocale ?? PRIMARY, all.alternateLocales ?? []];
  const isTwice = others.includes(main);
  const errors: NodeError[] = [];
  if (isTwice && input.defaultLocale != null) {
    const message = `Default locale The alternate languages already include ${main}.`;
    errors.push(at('defaultLocale', message, 'DUPLICATE_LANGUAGES'));
  }
  const hasTwins = new Set(others).size < others.length;
  if (input.alternateLocales != null && (hasTwins || isTwice)) {
    const found = listed(hasTwins ? others : [main, ...others]);
    const message = `Alternate locales Duplicates were found in the following languages: ${found}`;
    errors.push(at('alternateLocales', message, 'DUPLICATE_LANGUAGES'));
  }
  const language = languageOf(main) ?? main;
  if (errors.length === 0 && enabledLocale(nodes, language)?.fields['published'] === false) {
    const problem = "The default language isn't published to the store";
    const message = `Default locale ${problem}: ${localeName(language)}`;
    errors.push(at('defaultLocale', message, 'UNPUBLISHED_LANGUAGE'));
  }
  return errors;
}

/** `a`, `a and b` or `a, b, and c`. */
function listed(codes: readonly string[]): string {
  return new Intl.ListFormat('en').format(codes);
}

/** The language of a code, with a country or without; undefined for what is none. */
function languageOf(code: string): string | undefined {
  const [language = '', country] = code.toLowerCase().split('-');
  const known = (wanted: string): string | undefined =>
    LOCALES.find((one) => one.toLowerCase() === wanted);
  const whole = known(code.toLowerCase());
  return (
    whole ?? (country === undefined || /^[a-z]{2}$/.test(country) ? known(language) : undefined)
  );
}

/** The input of a web presence. */
export function presenceInput(nodes: NodeStore, id: string): PresenceInput {
  return Object(nodes.fieldsOf(id)['input']) as PresenceInput;
}

/** The primary domain, when a web presence uses it: no id names it. */
export function mainDomain(nodes: NodeStore, id: string): object | undefined {
  const { domain } = nodes.fieldsOf(id);
  return domain && typeof domain === 'object' ? domain : undefined;
}

/** The ids of the web presences that have a language. */
export function presencesIn(nodes: NodeStore, locale: string): string[] {
  const isOf = ({ fields }: StoredNode): boolean =>
    [fields['defaultLocale'], fields['alternateLocales']]
      .flat()
      .some((one) => Object(one).locale === locale);
  return nodes
    .all(['MarketWebPresence'])
    .filter(isOf)
    .map(({ id }) => id);
}

/**
 * Shows web presences what has become of a language.
 * @param ids those that have it from now on, besides the one that they begin with; undefined when
 * they stay the same
 */
export function placeLanguage(
  nodes: NodeStore,
  url: string,
  locale: string,
  ids?: readonly string[] | null,
): void {
  for (const { id } of nodes.all(['MarketWebPresence'])) {
    const input = presenceInput(nodes, id);
    const before = input.alternateLocales ?? [];
    const isNew = ids?.includes(id) === true && (input.defaultLocale ?? PRIMARY) !== locale;
    if (!isNew && !before.includes(locale)) continue;
    const others = before.filter((code) => code !== locale);
    const placed = isNew ? [...others, locale] : others;
    const alternateLocales = ids ? placed : before;
    const place = { url, main: mainDomain(nodes, id) };
    nodes.update(id, presenceFields(nodes, { ...input, alternateLocales }, place));
  }
}

/**
 * The fields of a web presence, with the addresses that follow from its input.
 * @param url the address of the primary domain
 * @param main the primary domain, where it has no id of its own
 */
export function presenceFields(
  nodes: NodeStore,
  input: PresenceInput,
  { url, main = null }: { readonly url: string; readonly main?: unknown },
): NodeFields {
  const { domainId = null, subfolderSuffix = null } = input;
  const host = domainId === null ? url : String(nodes.fieldsOf(domainId)['url']);
  const domain = domainId ?? main;
  return { input, domain, subfolderSuffix, ...languages(nodes, input, host) };
}

/** The languages of a web presence, and its addresses under the address that they begin with. */
function languages(nodes: NodeStore, all: PresenceInput, host: string): NodeFields {
  const [main, others] = [all.defaultLocale ?? PRIMARY, all.alternateLocales ?? []];
  const path = (code: string): string => {
    const [language = code] = code.toLowerCase().split('-');
    if (all.subfolderSuffix != null) return `${language}-${all.subfolderSuffix}/`;
    return code === main ? '' : `${language}/`;
  };
  return {
    defaultLocale: localeFields(nodes, main),
    alternateLocales: others.map((code) => localeFields(nodes, code)),
    rootUrls: [main, ...[...others].sort()].map((code) => ({
      locale: code,
      url: `${host}/${path(code)}`,
    })),
  };
}

function localeFields(nodes: NodeStore, code: string): NodeFields {
  const locale = languageOf(code) ?? code;
  const published = enabledLocale(nodes, locale)?.fields['published'] ?? true;
  return { locale, name: localeName(locale), primary: locale === PRIMARY, published };
}
