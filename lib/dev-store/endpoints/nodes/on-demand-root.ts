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
import type { OnDemandArea } from './on-demand-fields.js';

type Field = (args: object, ...rest: unknown[]) => unknown;

const ROOTS: Readonly<Record<OnDemandArea, (writer: NodeWriter) => Record<string, unknown>>> = {
  company: companyRoot,
  companyRole: companyRoleRoot,
  companyContact: companyContactRoot,
  companyLocation: companyLocationRoot,
  catalog: catalogRoot,
  fixedPrice: fixedPriceRoot,
  priceList: priceListRoot,
  quantityRule: quantityRuleRoot,
  webPresence: webPresenceRoot,
  translation: translationRoot,
  market: marketRoot,
  paymentCustomization: paymentCustomizationRoot,
  paymentTerms: paymentTermsRoot,
  sellingPlan: sellingPlanRoot,
  shopLocale: shopLocaleRoot,
};

/** The resolvers of an area; a field has none where the conventions are all there is to it. */
export function onDemandRoot(
  area: OnDemandArea,
  writer: NodeWriter,
): Readonly<Record<string, Field | undefined>> {
  return ROOTS[area](writer) as Record<string, Field>;
}
