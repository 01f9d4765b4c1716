import { freeHandle, slug } from '../../base/text-values.js';
import type { NodeFields } from '../../state/nodes/node-store.js';
import type { NodeError } from '../nodes/mutation-shape.js';
import type { NodeWriter } from '../nodes/node-writer.js';
import { isBlank, itemErrors, userError } from '../nodes/user-errors.js';
import {
  conditionErrors,
  conditionFields,
  typeOf,
  type Conditions,
  type Region,
} from './market-conditions.js';

interface MarketInput extends NodeFields {
  readonly name?: string | null;
  readonly handle?: string | null;
  readonly status?: string | null;
  readonly enabled?: boolean | null;
  readonly regions?: readonly Region[] | null;
  readonly priceInclusions?: NodeFields | null;
}

interface UpdateArgs {
  readonly id: string;
  readonly input: MarketInput & {
    readonly conditions?: {
      readonly conditionsToAdd?: Conditions | null;
      readonly conditionsToDelete?: Conditions | null;
    } | null;
  };
}

const NO_MARKET = userError(['id'], 'Market does not exist', 'MARKET_NOT_FOUND');
const MISMATCH = userError(
  ['input'],
  'Invalid status and enabled combination.',
  'INVALID_STATUS_AND_ENABLED_COMBINATION',
);

/** The countries that no market can have. */
const UNSUPPORTED: ReadonlySet<string> = new Set(['CU', 'IR', 'KP', 'SY']);

/** The lists of ids in inputs that say what a market has beside its conditions. */
const LINKS = [
  {
    lists: ['catalogs', 'catalogsToAdd', 'catalogsToDelete'],
    of: 'MarketCatalog',
    error: ['Catalog not found.', 'CUSTOMIZATIONS_NOT_FOUND'],
  },
  {
    lists: ['webPresences', 'webPresencesToAdd', 'webPresencesToDelete'],
    of: 'MarketWebPresence',
    error: ["The market web presence wasn't found.", 'WEB_PRESENCE_NOT_FOUND'],
  },
] as const;

/** The English name of a country or a currency; its code where it has none. */
function nameOf(type: 'region' | 'currency', code: string): string {
  try {
    return new Intl.DisplayNames(['en'], { type }).of(code) ?? code;
  } catch {
    // The platform has codes of other lengths, such as USDC.
    return code;
  }
}

/**
 * The resolvers of the mutations of markets, with their regions and currency.
 * @see https://shopify.dev/docs/api/admin-graphql/latest/mutations/marketCreate
 */
export function marketRoot({ reader, changed, view }: NodeWriter): Record<string, unknown> {
  const { nodes, defaults } = reader.store;
  const isThere = (id: string): boolean => nodes.find(id)?.type === 'Market';
  const refused = (...userErrors: readonly NodeError[]): object => ({ market: null, userErrors });
  const regionErrors = (regions: readonly Region[], path: readonly string[]): NodeError[] =>
    itemErrors(regions, path, ({ countryCode }, at) => {
      const message = `${countryCode} is not a supported country or region code.`;
      const field = [...at, 'countryCode'];
      return UNSUPPORTED.has(countryCode)
        ? [userError(field, message, 'UNSUPPORTED_COUNTRY_REGION')]
        : [];
    });
  const problems = (input: MarketInput, conditions: Conditions, id?: string): NodeError[] => {
    const { name, status, enabled, handle, regions, priceInclusions } = input;
    const at = (field: string, message: string, code: string): NodeError =>
      userError(['input', field], message, code);
    const others = nodes.all(['Market']).filter((one) => one.id !== id);
    if (status && enabled != null && (status === 'ACTIVE') !== enabled) return [MISMATCH];
    const isNamed = id === undefined || 'name' in input;
    const errors: NodeError[] = [];
    if (isNamed && isBlank(name)) errors.push(at('name', "Name can't be blank", 'BLANK'));
    if (isNamed && String(name ?? '').length < 2)
      errors.push(at('name', 'Name is too short (minimum is 2 characters)', 'TOO_SHORT'));
    if (errors.length > 0) return errors;
    if (name != null && others.some(({ fields }) => fields['name'] === name))
      return [at('name', 'Name has already been taken', 'TAKEN')];
    if (handle != null && others.some(({ fields }) => fields['handle'] === handle))
      return [at('handle', 'Handle has already been taken', 'TAKEN')];
    const isInclusive = Object.values(priceInclusions ?? {}).some((one) =>
      String(one).startsWith('INCLUDE'),
    );
    if (isInclusive && typeOf(conditions) === 'LOCATION') {
      const message =
        'Inclusive pricing cannot be added to a market with the specified condition types.';
      const code = 'INCLUSIVE_PRICING_NOT_COMPATIBLE_WITH_CONDITION_TYPES';
      return [at('priceInclusions', message, code)];
    }
    const path = ['input', 'conditions', ...(id === undefined ? [] : ['conditionsToAdd'])];
    const places = [...path, 'regionsCondition', 'regions'];
    return [
      ...regionErrors(regions ?? [], ['input', 'regions']),
      ...regionErrors(conditions.regionsCondition?.regions ?? [], places),
      ...conditionErrors(nodes, conditions, path),
      ...LINKS.flatMap(({ lists, of, error: [message, code] }) =>
        lists.flatMap((list) =>
          itemErrors((input[list] ?? []) as string[], ['input', list], (one, field) =>
            nodes.find(one)?.type === of ? [] : [userError(field, message, code)],
          ),
        ),
      ),
    ];
  };
  const currency = (currencyCode: string): NodeFields => ({
    currencyCode,
    currencyName: nameOf('currency', currencyCode),
    enabled: true,
  });
  const region = ({ countryCode: code }: Region): string =>
    nodes.create('MarketRegionCountry', {
      code,
      name: nameOf('region', code),
      currency: currency(defaults.currency),
    }).id;
  /** What stands in a market once conditions are added and taken out. */
  const changedConditions = (id: string, added: Conditions, gone: Conditions = {}): NodeFields =>
    conditionFields(nodes, nodes.fieldsOf(id), [added, gone], region);
  const settings = (before: unknown, given: NodeFields): NodeFields => {
    const { baseCurrency, baseCurrencyManualRate: manualRate, ...rest } = given;
    const base = baseCurrency ?? defaults.currency;
    const known = Object(before) as NodeFields;
    return {
      localCurrencies: false,
      roundingEnabled: false,
      ...known,
      ...rest,
      baseCurrency:
        baseCurrency || !known['baseCurrency']
          ? { ...currency(String(base)), ...(manualRate == null ? {} : { manualRate }) }
          : known['baseCurrency'],
    };
  };
  /** The fields that the inputs of a new and of a changed market both have. */
  const plainFields = (input: MarketInput, before: Readonly<NodeFields>): NodeFields => {
    const { name, handle, status, enabled, priceInclusions, currencySettings } = input;
    const { taxPricingStrategy, dutiesPricingStrategy } = Object(priceInclusions) as NodeFields;
    const chosen = status ?? (enabled == null ? undefined : enabled ? 'ACTIVE' : 'DRAFT');
    return {
      ...(name == null ? {} : { name }),
      ...(handle == null ? {} : { handle }),
      ...(chosen === undefined ? {} : { status: chosen }),
      ...(currencySettings
        ? { currencySettings: settings(before['currencySettings'], currencySettings as NodeFields) }
        : {}),
      ...(priceInclusions
        ? {
            priceInclusions: {
              inclusiveTaxPricingStrategy: taxPricingStrategy,
              inclusiveDutiesPricingStrategy: dutiesPricingStrategy,
            },
          }
        : {}),
    };
  };
  const saved = (id: string, fields: NodeFields): object => {
    nodes.update(id, fields);
    changed('update', id, nodes.fieldsOf(id));
    return { market: view(id), userErrors: [] };
  };
  /** A list of ids with some added, and some taken out. */
  const listed = (before: unknown, added: unknown, gone: unknown): string[] => {
    const out = (gone ?? []) as string[];
    const all = new Set([...((before ?? []) as string[]), ...((added ?? []) as string[])]);
    return [...all].filter((one) => !out.includes(one));
  };
  const linkCatalogs = (id: string, added: unknown, gone: unknown): void => {
    for (const [list, isOn] of [
      [added, true],
      [gone, false],
    ] as const)
      for (const catalog of (list ?? []) as string[]) {
        const { markets } = nodes.fieldsOf(catalog);
        nodes.update(catalog, { markets: listed(markets, isOn ? [id] : [], isOn ? [] : [id]) });
      }
  };
  return {
    marketCreate: ({ input }: { readonly input: MarketInput }) => {
      const { regions } = input;
      const given = (input['conditions'] ?? {}) as Conditions;
      const userErrors = problems(input, given);
      if (userErrors.length > 0) return refused(...userErrors);
      const conditions = regions ? { ...given, regionsCondition: { regions } } : given;
      const taken = new Set(nodes.all(['Market']).map(({ fields }) => fields['handle']));
      const { id } = nodes.create('Market', {
        handle: freeHandle(slug(String(input.name)), taken),
        status: 'DRAFT',
        type: 'NONE',
        webPresences: input['webPresences'] ?? [],
        ...conditionFields(nodes, {}, [conditions, {}], region),
        ...plainFields(input, {}),
      });
      linkCatalogs(id, input['catalogs'], []);
      changed('create', id, nodes.fieldsOf(id));
      return { market: view(id), userErrors };
    },
    marketUpdate: ({ id, input }: UpdateArgs) => {
      const added = input.conditions?.conditionsToAdd ?? {};
      const userErrors = isThere(id) ? problems(input, added, id) : [NO_MARKET];
      if (userErrors.length > 0) return refused(...userErrors);
      const before = nodes.fieldsOf(id);
      linkCatalogs(id, input['catalogsToAdd'], input['catalogsToDelete']);
      return saved(id, {
        ...changedConditions(id, added, input.conditions?.conditionsToDelete ?? {}),
        ...plainFields(input, before),
        ...(input['removeCurrencySettings'] ? { currencySettings: null } : {}),
        ...(input['removePriceInclusions'] ? { priceInclusions: null } : {}),
        webPresences: listed(
          before['webPresences'],
          input['webPresencesToAdd'],
          input['webPresencesToDelete'],
        ),
      });
    },
    marketDelete: ({ id }: { readonly id: string }) => {
      if (!isThere(id)) return { deletedId: null, userErrors: [NO_MARKET] };
      const fields = nodes.fieldsOf(id);
      nodes.delete(id);
      changed('delete', id, fields);
      return { deletedId: id, userErrors: [] };
    },
    marketCurrencySettingsUpdate: (args: {
      readonly marketId: string;
      readonly input: NodeFields;
    }) => {
      const { marketId: id, input } = args;
      if (!isThere(id)) return refused({ ...NO_MARKET, field: ['marketId'] });
      return saved(id, {
        currencySettings: settings(nodes.fieldsOf(id)['currencySettings'], input),
      });
    },
    marketRegionsCreate: (args: {
      readonly marketId: string;
      readonly regions: readonly Region[];
    }) => {
      const { marketId: id, regions } = args;
      if (!isThere(id)) return refused({ ...NO_MARKET, field: ['marketId'] });
      const userErrors = regionErrors(regions, ['regions']);
      if (userErrors.length > 0) return refused(...userErrors);
      return saved(id, changedConditions(id, { regionsCondition: { regions } }));
    },
  };
}
