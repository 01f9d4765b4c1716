/** Root fields of one area, by their names. */
interface OnDemandFields {
  readonly names: RegExp;
  /** Whose rules they have. */
  readonly area: string;
  /** One of them lets an app use a field, as `read_` or `write_`. Errors name the first. */
  readonly scopes: readonly [string, ...string[]];
}

const COMPANIES = ['customers', 'companies'] as const;
const PRICES = ['products', 'markets'] as const;

/** The root fields whose rules are loaded when one of them is asked for. */
export const ON_DEMAND_FIELDS = [
  {
    names: /^company(?:Create|Update|Delete|Assign|Revoke)|^companies/,
    area: 'company',
    scopes: COMPANIES,
  },
  {
    names: /^company(?:Contact|Location)\w*Roles?$/,
    area: 'companyRole',
    scopes: COMPANIES,
  },
  { names: /^companyContact/, area: 'companyContact', scopes: COMPANIES },
  { names: /^company(?:Location|Address)/, area: 'companyLocation', scopes: COMPANIES },
  { names: /^catalog/, area: 'catalog', scopes: PRICES },
  { names: /^priceListFixed/, area: 'fixedPrice', scopes: PRICES },
  { names: /^priceList/, area: 'priceList', scopes: PRICES },
  { names: /^quantity/, area: 'quantityRule', scopes: PRICES },
  { names: /^webPresence/, area: 'webPresence', scopes: ['markets'] },
  { names: /^translat|^marketLocaliz/, area: 'translation', scopes: ['translations'] },
  { names: /^market(?!ing)/, area: 'market', scopes: ['markets'] },
  {
    names: /^paymentCustomization/,
    area: 'paymentCustomization',
    scopes: ['payment_customizations'],
  },
  {
    names: /^payment/,
    area: 'paymentTerms',
    scopes: ['payment_terms', 'orders', 'draft_orders'],
  },
  {
    names: /SellingPlanGroups?|^sellingPlanGroup/,
    area: 'sellingPlan',
    scopes: ['purchase_options', 'products'],
  },
  { names: /^shopLocale|^availableLocales/, area: 'shopLocale', scopes: ['locales'] },
] as const satisfies readonly OnDemandFields[];

/** An area whose rules are loaded on demand. */
export type OnDemandArea = (typeof ON_DEMAND_FIELDS)[number]['area'];
