import type { NodeFields } from '../../state/nodes/node-store.js';
import { AccessDenied } from '../../graphql/graphql-access.js';
import type { NodeWriter } from '../nodes/node-writer.js';
import { nodeOf } from './fulfillment-orders.js';

interface RiskInput {
  readonly orderId: string;
  readonly riskLevel: string;
  readonly facts: readonly object[];
}

interface StatusArgs {
  abandonmentId: string;
  marketingActivityId: string;
  deliveryStatus: string;
  deliveredAt?: string | null;
}

const MOST_FACTS = 20;

/** What a merchant is told to do, by how likely an order is a fraud. */
const RECOMMENDATIONS: Readonly<Record<string, string>> = {
  HIGH: 'CANCEL',
  MEDIUM: 'INVESTIGATE',
  LOW: 'ACCEPT',
};

/**
 * The resolvers of what apps tell of orders, and of checkouts that were left: risks, taxes, and the
 * messages that were sent.
 * @see https://shopify.dev/docs/api/admin-graphql/latest/mutations/orderRiskAssessmentCreate
 */
export function orderExtrasRoot({ reader, changed, view }: NodeWriter): Record<string, unknown> {
  const { nodes } = reader.store;
  return {
    orderRiskAssessmentCreate: ({
      orderRiskAssessmentInput: given,
    }: {
      orderRiskAssessmentInput: RiskInput;
    }) => {
      const { orderId, riskLevel, facts } = given;
      const refused = (field: string, message: string, code: string): object => ({
        orderRiskAssessment: null,
        userErrors: [{ field: ['orderRiskAssessmentInput', field], message, code }],
      });
      const order = nodeOf(nodes, 'Order', orderId);
      if (!order) return refused('orderId', 'Order does not exist', 'NOT_FOUND');
      if (order['displayFulfillmentStatus'] === 'FULFILLED')
        return refused('orderId', 'Order is already fulfilled', 'ORDER_ALREADY_FULFILLED');
      if (facts.length > MOST_FACTS)
        return refused('facts', `There can be at most ${MOST_FACTS} facts`, 'TOO_MANY_FACTS');
      const made = { riskLevel, facts, provider: null };
      const { assessments = [] } = Object(order['risk']) as { assessments?: readonly object[] };
      const recommendation = RECOMMENDATIONS[riskLevel] ?? 'NONE';
      nodes.update(orderId, { risk: { assessments: [...assessments, made], recommendation } });
      changed('update', orderId, nodes.fieldsOf(orderId));
      return { orderRiskAssessment: reader.objectOf(made), userErrors: [] };
    },

    taxSummaryCreate: () => {
      throw new AccessDenied('taxSummaryCreate', 'write_taxes', TAX_APPS);
    },

    abandonmentUpdateActivitiesDeliveryStatuses: (args: StatusArgs) => {
      const { abandonmentId: id, marketingActivityId, deliveryStatus, deliveredAt } = args;
      const known = nodeOf(nodes, 'Abandonment', id);
      if (!known)
        return {
          abandonment: null,
          userErrors: [
            {
              ...{ field: ['abandonmentId'], message: 'abandonment_not_found' },
              code: 'ABANDONMENT_NOT_FOUND',
            },
          ],
        };
      const statuses = {
        ...Object(known['deliveryStatuses']),
        [marketingActivityId]: deliveryStatus,
      };
      const sent: NodeFields =
        deliveryStatus === 'SENT' || deliveryStatus === 'DELIVERED'
          ? { emailState: 'SENT', emailSentAt: deliveredAt ?? reader.store.defaults.now() }
          : {};
      nodes.update(id, { deliveryStatuses: statuses, ...sent });
      return { abandonment: view(id), userErrors: [] };
    },

    deliveryCustomizationActivation: ({
      ids,
      enabled,
    }: {
      ids: readonly string[];
      enabled: boolean;
    }) => {
      const unknown = ids.filter((id) => !nodeOf(nodes, 'DeliveryCustomization', id));
      const found = ids.filter((id) => !unknown.includes(id));
      for (const id of found) nodes.update(id, { enabled });
      const message = `Could not find delivery customizations with IDs: ${unknown.join(', ')}`;
      const code = 'DELIVERY_CUSTOMIZATION_NOT_FOUND';
      return {
        ids: found,
        userErrors: unknown.length > 0 ? [{ field: ['ids'], message, code }] : [],
      };
    },
    deliveryPromiseParticipantsUpdate: () => ({ promiseParticipants: [], userErrors: [] }),
  };
}

const TAX_APPS =
  '`write_taxes` access scope. Also: The caller must be a tax calculations app and the relevant feature must be on.';
