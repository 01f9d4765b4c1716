import type { NodeError } from '../nodes/mutation-shape.js';
import type { NodeWriter } from '../nodes/node-writer.js';
import { itemErrors, userError } from '../nodes/user-errors.js';
import { entriesOf, merged, NO_VARIANT, ruleView, variantOf } from './price-list-prices.js';
import type { FixedPrice, Money, QuantityRule } from './price-list-prices.js';

interface AddArgs {
  readonly priceListId: string;
  readonly quantityRules: readonly QuantityRule[];
}

interface DeleteArgs {
  readonly priceListId: string;
  readonly variantIds: readonly string[];
}

interface PriceBreak {
  readonly variantId: string;
  readonly minimumQuantity: number;
  readonly price: Money;
}

interface PricingArgs {
  readonly priceListId: string;
  readonly input: {
    readonly pricesToAdd: readonly FixedPrice[];
    readonly pricesToDeleteByVariantId: readonly string[];
    readonly quantityRulesToAdd: readonly QuantityRule[];
    readonly quantityRulesToDeleteByVariantId: readonly string[];
    readonly quantityPriceBreaksToAdd: readonly PriceBreak[];
    readonly quantityPriceBreaksToDelete: readonly string[];
    readonly quantityPriceBreaksToDeleteByVariantId?: readonly string[] | null;
  };
}

/** One thing that can be wrong with a rule, as each of the two interfaces says it. */
interface Check {
  readonly isWrong: (rule: QuantityRule) => boolean;
  readonly field: 'minimum' | 'maximum' | 'increment';
  /** Message and code of `quantityRulesAdd`. */
  readonly rule: readonly [message: string, code: string];
  /** Message and code of `quantityPricingByVariantUpdate`. */
  readonly pricing: readonly [message: string, code: string];
}

const CHECKS: readonly Check[] = [
  {
    isWrong: ({ minimum }) => minimum < 1,
    field: 'minimum',
    rule: ['Minimum must be greater than or equal to one.', 'GREATER_THAN_OR_EQUAL_TO'],
    pricing: ['Minimum is less than one', 'MINIMUM_IS_LESS_THAN_ONE'],
  },
  {
    isWrong: ({ increment }) => increment < 1,
    field: 'increment',
    rule: ['Increment must be greater than or equal to one.', 'GREATER_THAN_OR_EQUAL_TO'],
    pricing: ['Increment is less than one', 'INCREMENT_IS_LESS_THAN_ONE'],
  },
  {
    isWrong: ({ minimum, increment }) => increment > minimum,
    field: 'increment',
    rule: [
      'Increment must be lower than or equal to the minimum.',
      'INCREMENT_IS_GREATER_THAN_MINIMUM',
    ],
    pricing: ['Increment is greater than minimum', 'INCREMENT_IS_GREATER_THAN_MINIMUM'],
  },
  {
    isWrong: ({ minimum, maximum }) => maximum != null && minimum > maximum,
    field: 'minimum',
    rule: [
      'Minimum must be lower than or equal to the maximum.',
      'MINIMUM_IS_GREATER_THAN_MAXIMUM',
    ],
    pricing: ['Minimum is greater than maximum', 'MINIMUM_GREATER_THAN_MAXIMUM'],
  },
  {
    isWrong: ({ minimum, increment }) => increment > 0 && minimum % increment !== 0,
    field: 'minimum',
    rule: ['Minimum must be a multiple of the increment.', 'MINIMUM_NOT_MULTIPLE_OF_INCREMENT'],
    pricing: ['minimum is not a multiple of increment', 'MINIMUM_NOT_A_MULTIPLE_OF_INCREMENT'],
  },
  {
    isWrong: ({ maximum, increment }) =>
      maximum != null && increment > 0 && maximum % increment !== 0,
    field: 'maximum',
    rule: ['Maximum must be a multiple of the increment.', 'MAXIMUM_NOT_MULTIPLE_OF_INCREMENT'],
    pricing: ['Maximum is not a multiple of increment', 'MAXIMUM_NOT_A_MULTIPLE_OF_INCREMENT'],
  },
];

/**
 * The resolvers of the mutations of quantity rules, and of all prices by quantity at once.
 * @see https://shopify.dev/docs/api/admin-graphql/latest/mutations/quantityRulesAdd
 */
export function quantityRuleRoot({ reader, catalog, view }: NodeWriter): Record<string, unknown> {
  const { nodes } = reader.store;
  const isThere = (id: string): boolean => nodes.find(id)?.type === 'PriceList';
  const isVariant = (id: string): boolean => variantOf(catalog, id) !== undefined;
  const noList = (code: string, message: string): NodeError =>
    userError(['priceListId'], message, code);
  const noListForRules = noList('PRICE_LIST_DOES_NOT_EXIST', 'Price list does not exist.');
  return {
    quantityRulesAdd: ({ priceListId: list, quantityRules }: AddArgs) => {
      if (!isThere(list)) return { quantityRules: [], userErrors: [noListForRules] };
      const isTwice = twiceIn(quantityRules);
      const userErrors = itemErrors(quantityRules, ['quantityRules'], (rule, path) => {
        const at = [...path, 'variantId'];
        if (!isVariant(rule.variantId))
          return [userError(at, NO_VARIANT, 'PRODUCT_VARIANT_DOES_NOT_EXIST')];
        if (isTwice(rule)) {
          const message = 'Quantity rule inputs must be unique by variant id.';
          return [userError(at, message, 'DUPLICATE_INPUT_FOR_VARIANT')];
        }
        const wrong = CHECKS.filter(({ isWrong }) => isWrong(rule));
        return wrong.map(({ field, rule: said }) => userError([...path, field], ...said));
      });
      if (userErrors.length > 0) return { quantityRules: [], userErrors };
      nodes.update(list, { rules: merged(entriesOf(nodes.fieldsOf(list)).rules, quantityRules) });
      const views = quantityRules.map((rule) => reader.objectOf(ruleView(rule)));
      return { quantityRules: views, userErrors };
    },
    quantityRulesDelete: ({ priceListId: list, variantIds }: DeleteArgs) => {
      const name = 'deletedQuantityRulesVariantIds';
      if (!isThere(list)) return { [name]: [], userErrors: [noListForRules] };
      const { rules } = entriesOf(nodes.fieldsOf(list));
      const deleted: string[] = [];
      const userErrors = itemErrors(variantIds, ['variantIds'], (id, path) => {
        if (!isVariant(id)) return [userError(path, NO_VARIANT, 'PRODUCT_VARIANT_DOES_NOT_EXIST')];
        if (!rules.some((rule) => rule.variantId === id)) {
          const message =
            'Quantity rule for variant associated with the price list provided does not exist.';
          return [userError(path, message, 'VARIANT_QUANTITY_RULE_DOES_NOT_EXIST')];
        }
        deleted.push(id);
        return [];
      });
      nodes.update(list, { rules: rules.filter((rule) => !deleted.includes(rule.variantId)) });
      return { [name]: deleted, userErrors };
    },
    quantityPricingByVariantUpdate: ({ priceListId: list, input }: PricingArgs) => {
      const refused = (userErrors: readonly NodeError[]): object => ({
        productVariants: null,
        userErrors,
      });
      if (!isThere(list)) return refused([noList('PRICE_LIST_NOT_FOUND', 'Price list not found.')]);
      const breaks = nodes.naming(list, ['QuantityPriceBreak']);
      const { currency } = nodes.fieldsOf(list);
      const isForeign = ({ price }: { readonly price: Money }): boolean =>
        price.currencyCode !== currency;
      const userErrors = pricingErrors(input, { isVariant, isForeign, breaks });
      if (userErrors.length > 0) return refused(userErrors);
      const byVariant = input.quantityPriceBreaksToDeleteByVariantId ?? [];
      for (const { id, fields } of breaks) {
        const isNamed = byVariant.includes(String(fields['variant']));
        if (isNamed || input.quantityPriceBreaksToDelete.includes(id)) nodes.delete(id);
      }
      const { fixedPrices, rules } = entriesOf(nodes.fieldsOf(list));
      const without = <T extends { readonly variantId: string }>(
        all: readonly T[],
        ids: readonly string[],
      ): T[] => all.filter(({ variantId }) => !ids.includes(variantId));
      nodes.update(list, {
        fixedPrices: merged(
          without(fixedPrices, input.pricesToDeleteByVariantId),
          input.pricesToAdd,
        ),
        rules: merged(
          without(rules, input.quantityRulesToDeleteByVariantId),
          input.quantityRulesToAdd,
        ),
      });
      for (const { variantId: variant, ...rest } of input.quantityPriceBreaksToAdd)
        nodes.create('QuantityPriceBreak', { ...rest, variant, priceList: list });
      const told = new Set([
        ...[
          ...input.pricesToAdd,
          ...input.quantityRulesToAdd,
          ...input.quantityPriceBreaksToAdd,
        ].map(({ variantId }) => variantId),
        ...input.pricesToDeleteByVariantId,
        ...input.quantityRulesToDeleteByVariantId,
        ...byVariant,
        ...breaks
          .filter(({ id }) => input.quantityPriceBreaksToDelete.includes(id))
          .map(({ fields }) => String(fields['variant'])),
      ]);
      return { productVariants: [...told].map(view), userErrors };
    },
  };
}

/** What the checks of prices by quantity look at besides the input. */
interface PricingContext {
  readonly isVariant: (id: string) => boolean;
  readonly isForeign: (one: { readonly price: Money }) => boolean;
  readonly breaks: ReadonlyArray<{ readonly id: string }>;
}

/** Why prices by quantity are refused. */
function pricingErrors(
  input: PricingArgs['input'],
  { isVariant, isForeign, breaks }: PricingContext,
): NodeError[] {
  const added = <T extends { readonly variantId: string }>(
    name: 'pricesToAdd' | 'quantityRulesToAdd' | 'quantityPriceBreaksToAdd',
    prefix: string,
    problems: (one: T) => ReadonlyArray<readonly [string, string]>,
  ): NodeError[] =>
    itemErrors(input[name] as unknown as readonly T[], ['input', name], (one, path) => {
      const found: ReadonlyArray<readonly [string, string]> = isVariant(one.variantId)
        ? problems(one)
        : [['Variant not found.', 'VARIANT_NOT_FOUND']];
      return found.map(([message, code]) => userError(path, message, `${prefix}_ADD_${code}`));
    });
  const deleted = (
    name: Exclude<keyof PricingArgs['input'], `${string}Add`>,
    [message, code]: readonly [string, string],
    isKnown = isVariant,
  ): NodeError[] =>
    itemErrors(input[name] ?? [], ['input', name], (id, path) =>
      isKnown(id) ? [] : [userError(path, message, code)],
    );
  const MISMATCH = ['Currency mismatch.', 'CURRENCY_MISMATCH'] as const;
  const isPriceTwice = twiceIn(input.pricesToAdd);
  const isRuleTwice = twiceIn(input.quantityRulesToAdd);
  const twice = (what: string) =>
    [`${what} inputs must be unique by variant id.`, 'DUPLICATE_INPUT_FOR_VARIANT'] as const;
  return [
    ...added<FixedPrice>('pricesToAdd', 'PRICE', (one) => {
      if (isPriceTwice(one)) return [twice('Prices to add')];
      return isForeign(one) ? [MISMATCH] : [];
    }),
    ...deleted('pricesToDeleteByVariantId', [
      'Variant not found.',
      'PRICE_DELETE_VARIANT_NOT_FOUND',
    ]),
    ...added<QuantityRule>('quantityRulesToAdd', 'QUANTITY_RULE', (one) => {
      if (isRuleTwice(one)) return [twice('Quantity rules to add')];
      return CHECKS.filter(({ isWrong }) => isWrong(one)).map(({ pricing }) => pricing);
    }),
    ...deleted('quantityRulesToDeleteByVariantId', [
      'Variant not found.',
      'QUANTITY_RULE_DELETE_VARIANT_NOT_FOUND',
    ]),
    ...added<PriceBreak>('quantityPriceBreaksToAdd', 'QUANTITY_PRICE_BREAK', (one) =>
      isForeign(one) ? [MISMATCH] : [],
    ),
    ...deleted(
      'quantityPriceBreaksToDelete',
      ['Quantity price break not found.', 'QUANTITY_PRICE_BREAK_DELETE_NOT_FOUND'],
      (id) => breaks.some((one) => one.id === id),
    ),
    ...deleted('quantityPriceBreaksToDeleteByVariantId', [
      'Variant to delete by is not found.',
      'QUANTITY_PRICE_BREAK_DELETE_BY_VARIANT_ID_VARIANT_NOT_FOUND',
    ]),
  ];
}

/** Whether another of a list is for the same variant. */
function twiceIn(
  all: ReadonlyArray<{ readonly variantId: string }>,
): (one: { readonly variantId: string }) => boolean {
  return ({ variantId }) => all.filter((other) => other.variantId === variantId).length > 1;
}
