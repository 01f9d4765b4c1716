import type { NodeFields } from '../../state/nodes/node-store.js';
import type { NodeError } from '../nodes/mutation-shape.js';
import type { NodeWriter } from '../nodes/node-writer.js';
import { inputError } from '../nodes/user-errors.js';
import { REFUSED_STATES, unspecifiable } from './customer-checks.js';

interface ConsentArgs {
  readonly input: { readonly customerId: string } & Readonly<Record<string, unknown>>;
}

/**
 * The resolvers of the mutations with which customers consent to marketing, and end it.
 * @see https://shopify.dev/docs/api/admin-graphql/latest/enums/CustomerMarketingOptInLevel
 */
export function consentRoot({ reader, changed, view }: NodeWriter): Record<string, unknown> {
  const { nodes, defaults } = reader.store;
  const updated =
    (name: string, isSms: boolean) =>
    ({ input }: ConsentArgs): object => {
      const { customerId: id } = input;
      const consent = Object(input[name]) as NodeFields;
      const { marketingState, marketingOptInLevel, consentUpdatedAt } = consent;
      if (REFUSED_STATES.has(marketingState)) throw unspecifiable(marketingState);
      const node = nodes.find(id);
      const refused = (place: string, message: string): object => ({
        customer: isSms ? null : view(id),
        userErrors: [inputError(place, message, 'INVALID')],
      });
      if (node?.type !== 'Customer')
        return { customer: null, userErrors: [isSms ? NOBODY_SMS : NOBODY_EMAIL] };
      if (isSms && node.fields['phone'] == null)
        return refused(`input.${name}`, 'A phone number is required to set the SMS consent state.');
      if (consentUpdatedAt != null && new Date(String(consentUpdatedAt)) > defaults.now())
        return refused(
          `input.${name}.consentUpdatedAt`,
          'Consent updated at must not be in the future',
        );
      if (marketingState === 'PENDING' && marketingOptInLevel !== 'CONFIRMED_OPT_IN')
        return refused(
          `input.${name}.marketingOptInLevel`,
          'Marketing opt in level must be confirmed opt-in for pending consent state',
        );
      const kept = { ...consent, consentUpdatedAt: consentUpdatedAt ?? defaults.now() };
      nodes.update(id, { [name]: isSms ? { ...kept, consentCollectedFrom: 'OTHER' } : kept });
      changed('update', id, nodes.fieldsOf(id));
      return { customer: view(id), userErrors: [] };
    };
  return {
    customerEmailMarketingConsentUpdate: updated('emailMarketingConsent', false),
    customerSmsMarketingConsentUpdate: updated('smsMarketingConsent', true),
  };
}

const NOBODY_EMAIL = inputError('input.customerId', 'Customer not found', 'INVALID');
const NOBODY_SMS: NodeError = inputError(null, 'Customer not found');
