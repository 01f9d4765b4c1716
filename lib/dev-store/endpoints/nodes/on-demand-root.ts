import { AccessDenied } from '../../graphql/graphql-access.js';
import { companyContactRoot } from '../b2b/company-contact.resolvers.js';
import { companyLocationRoot } from '../b2b/company-location.resolvers.js';
import { companyRoleRoot } from '../b2b/company-role.resolvers.js';
import { companyRoot } from '../b2b/company.resolvers.js';
import { shopLocaleRoot } from '../localization/shop-locale.resolvers.js';
import { translationRoot } from '../localization/translation.resolvers.js';
import { catalogRoot } from '../markets/catalog.resolvers.js';
import { fixedPriceRoot } from '../markets/fixed-price.resolvers.js';
import { marketRoot } from '../markets/market.resolvers.js';
import { priceListRoot } from '../markets/price-list.resolvers.js';
import { quantityRuleRoot } from '../markets/quantity-rule.resolvers.js';
import { webPresenceRoot } from '../markets/web-presence.resolvers.js';
import { paymentCustomizationRoot } from '../payments/payment-customization.resolvers.js';
import { paymentTermsRoot } from '../payments/payment-terms.resolvers.js';
import { sellingPlanRoot } from '../selling-plans/selling-plan.resolvers.js';
import type { NodeWriter } from './node-writer.js';

type Field = (args: object, ...rest: unknown[]) => unknown;
type Root = (writer: NodeWriter) => Record<string, unknown>;

/** Which root has the fields whose names begin so, and which scopes let an app use them. */
const ROOTS: ReadonlyArray<readonly [names: RegExp, root: Root, scopes: string]> = [
  [/^company(?:Create|Update|Delete|Assign|Revoke)|^companies/, companyRoot, 'customers companies'],
  [/^company(?:Contact|Location)\w*Roles?$/, companyRoleRoot, 'customers companies'],
  [/^companyContact/, companyContactRoot, 'customers companies'],
  [/^company(?:Location|Address)/, companyLocationRoot, 'customers companies'],
  [/^catalog/, catalogRoot, 'products markets'],
  [/^priceListFixed/, fixedPriceRoot, 'products markets'],
  [/^priceList/, priceListRoot, 'products markets'],
  [/^quantity/, quantityRuleRoot, 'products markets'],
  [/^webPresence/, webPresenceRoot, 'markets'],
  [/^translat|^marketLocaliz/, translationRoot, 'translations'],
  [/^market/, marketRoot, 'markets'],
  [/^paymentCustomization/, paymentCustomizationRoot, 'payment_customizations'],
  [/^payment/, paymentTermsRoot, 'payment_terms orders draft_orders'],
  [/SellingPlanGroups?|^sellingPlanGroup/, sellingPlanRoot, 'purchase_options products'],
  [/^shopLocale|^availableLocales/, shopLocaleRoot, 'locales'],
];

/**
 * The resolver of a root field of companies, markets, prices, payments, selling plans and
 * languages; undefined when the conventions are all there is to it. It refuses calls without any of
 * the scopes that it needs.
 * @param mayUse whether a scope is covered
 */
export function onDemandField(
  name: string,
  verb: 'read' | 'write',
  writer: NodeWriter,
  mayUse: (scope: string) => boolean,
): Field | undefined {
  const [, build, handles = ''] = ROOTS.find(([names]) => names.test(name)) ?? [];
  const resolve = build?.(writer)[name];
  if (!resolve) return undefined;
  const scopes = handles.split(' ').map((handle) => `${verb}_${handle}`);
  return (...args) => {
    if (!scopes.some(mayUse)) throw new AccessDenied(name, String(scopes[0]));
    return (resolve as Field)(...args);
  };
}
