import type { NodeWriter } from '../nodes/node-writer.js';
import {
  fulfillmentOrder,
  hasTooFew,
  keepOnly,
  WRONG_LINES,
  wrongState,
  type FulfillmentOrderError,
  type Lines,
} from './fulfillment-order-checks.js';
import type { NodeFields } from '../../state/nodes/node-store.js';
import { idsOf, nodeOf, settle } from './fulfillment-orders.js';

interface SubmitArgs {
  id: string;
  fulfillmentOrderLineItems?: Lines | null;
  message?: string | null;
  notifyCustomer?: boolean | null;
}

/** A change of the states of a fulfillment order: from which, to which, and what is told. */
interface Change {
  readonly from: readonly string[];
  readonly requested?: readonly string[];
  readonly status: string;
  readonly requestStatus?: string;
  readonly topic?: string;
  /** Why one in another state is refused. */
  readonly refusal?: (fields: Readonly<NodeFields>) => FulfillmentOrderError;
}

const NOT_SCHEDULED = 'Fulfillment order must be scheduled.';
const NO_SERVICE = "The fulfillment order's assigned fulfillment service must be of api type";

/** The mutations that do no more than to change the states of a fulfillment order. */
const CHANGES: Readonly<Record<string, Change>> = {
  Open: {
    from: ['SCHEDULED', 'IN_PROGRESS'],
    status: 'OPEN',
    refusal: () => ({ field: ['id'], message: NOT_SCHEDULED }),
  },
  Close: {
    from: ['IN_PROGRESS'],
    requested: ['ACCEPTED', 'CANCELLATION_REQUESTED', 'CANCELLATION_REJECTED'],
    status: 'INCOMPLETE',
    requestStatus: 'CLOSED',
    refusal: (fields) =>
      fields['requestStatus'] === 'UNSUBMITTED'
        ? { field: null, message: NO_SERVICE }
        : wrongState(fields),
  },
  ReportProgress: {
    from: ['OPEN', 'IN_PROGRESS'],
    status: 'IN_PROGRESS',
    topic: 'progress_reported',
    refusal: (fields) => ({
      ...wrongState(fields),
      ...{ field: ['id'], code: 'FULFILLMENT_ORDER_STATUS_INVALID' },
    }),
  },
  AcceptFulfillmentRequest: {
    from: ['OPEN'],
    requested: ['SUBMITTED'],
    status: 'IN_PROGRESS',
    requestStatus: 'ACCEPTED',
    topic: 'fulfillment_request_accepted',
  },
  RejectFulfillmentRequest: {
    from: ['OPEN'],
    requested: ['SUBMITTED'],
    status: 'OPEN',
    requestStatus: 'REJECTED',
    topic: 'fulfillment_request_rejected',
  },
  AcceptCancellationRequest: {
    from: ['IN_PROGRESS'],
    requested: ['CANCELLATION_REQUESTED'],
    status: 'CLOSED',
    requestStatus: 'CANCELLATION_ACCEPTED',
    topic: 'cancellation_request_accepted',
  },
  RejectCancellationRequest: {
    from: ['IN_PROGRESS'],
    requested: ['CANCELLATION_REQUESTED'],
    status: 'IN_PROGRESS',
    requestStatus: 'CANCELLATION_REJECTED',
    topic: 'cancellation_request_rejected',
  },
};

/**
 * The resolvers of the mutations that change the states of fulfillment orders, and of the requests
 * to fulfillment services.
 * @see https://shopify.dev/docs/apps/build/orders-fulfillment/fulfillment-service-apps
 */
export function fulfillmentRequestsRoot({
  reader,
  changed,
  view,
}: NodeWriter): Record<string, unknown> {
  const { nodes, defaults } = reader.store;
  const told = (topic: string, id: string): void =>
    changed.topic(`fulfillment_orders/${topic}`, id);
  const requested = (id: string, kind: string, message: unknown, requestOptions: object): void => {
    const request = nodes.create('FulfillmentOrderMerchantRequest', {
      ...{ kind, message, requestOptions, responseData: null, fulfillmentOrder: id },
      sentAt: defaults.now(),
    });
    const before = idsOf(fulfillmentOrder(nodes, id)['merchantRequests']);
    nodes.update(id, { merchantRequests: [...before, request.id] });
  };

  const states = Object.entries(CHANGES).map(([name, change]): [string, unknown] => [
    `fulfillmentOrder${name}`,
    ({ id }: { id: string }) => {
      const fields = fulfillmentOrder(nodes, id);
      const { from, requested: requests, status, requestStatus, topic } = change;
      const { refusal = wrongState } = change;
      const isAllowed =
        from.includes(String(fields['status'])) &&
        (!requests || requests.includes(String(fields['asked'] ?? fields['requestStatus'])));
      if (!isAllowed) return { fulfillmentOrder: null, userErrors: [refusal(fields)] };
      nodes.update(id, { hasReported: name === 'ReportProgress' });
      if (requestStatus) nodes.update(id, { requestStatus, asked: undefined });
      if (status === 'CLOSED')
        for (const line of idsOf(fields['lineItems']))
          nodes.update(line, { totalQuantity: 0, remainingQuantity: 0 });
      settle(nodes, id, status);
      if (topic) told(topic, id);
      return { fulfillmentOrder: view(id), userErrors: [] };
    },
  ]);

  return {
    ...Object.fromEntries(states),

    fulfillmentOrderReschedule: ({ id, fulfillAt }: { id: string; fulfillAt: unknown }) => {
      const fields = fulfillmentOrder(nodes, id);
      if (fields['status'] !== 'SCHEDULED')
        return {
          fulfillmentOrder: null,
          userErrors: [{ field: null, message: NOT_SCHEDULED }],
        };
      const isLater = new Date(String(fulfillAt)) > defaults.now();
      nodes.update(id, { fulfillAt });
      settle(nodes, id, isLater ? 'SCHEDULED' : 'OPEN');
      told('rescheduled', id);
      return { fulfillmentOrder: view(id), userErrors: [] };
    },

    fulfillmentOrderSubmitFulfillmentRequest: (args: SubmitArgs) => {
      const { id, fulfillmentOrderLineItems: lines, message, notifyCustomer } = args;
      const fields = fulfillmentOrder(nodes, id);
      const isOpen = fields['status'] === 'OPEN' && fields['requestStatus'] !== 'SUBMITTED';
      const error = !isOpen
        ? wrongState(fields)
        : hasTooFew(nodes, id, lines)
          ? { field: ['fulfillmentOrderLineItems'], message: WRONG_LINES }
          : undefined;
      if (error)
        return {
          originalFulfillmentOrder: null,
          submittedFulfillmentOrder: null,
          unsubmittedFulfillmentOrder: null,
          userErrors: [error],
        };
      const rest = keepOnly(nodes, id, lines);
      nodes.update(id, { requestStatus: 'SUBMITTED' });
      requested(id, 'FULFILLMENT_REQUEST', message ?? null, {
        notify_customer: notifyCustomer ?? false,
      });
      told('fulfillment_request_submitted', id);
      return {
        originalFulfillmentOrder: view(id),
        submittedFulfillmentOrder: view(id),
        unsubmittedFulfillmentOrder: rest ? view(rest) : null,
        userErrors: [],
      };
    },

    fulfillmentOrderSubmitCancellationRequest: ({
      id,
      message,
    }: {
      id: string;
      message?: string | null;
    }) => {
      const fields = fulfillmentOrder(nodes, id);
      if (fields['requestStatus'] !== 'ACCEPTED')
        return { fulfillmentOrder: null, userErrors: [wrongState(fields)] };
      // The platform goes on to say ACCEPTED until the service has answered.
      nodes.update(id, { asked: 'CANCELLATION_REQUESTED' });
      requested(id, 'CANCELLATION_REQUEST', message ?? null, {});
      told('cancellation_request_submitted', id);
      return { fulfillmentOrder: view(id), userErrors: [] };
    },

    fulfillmentOrdersSetFulfillmentDeadline: ({
      fulfillmentOrderIds: ids,
      fulfillmentDeadline,
    }: {
      fulfillmentOrderIds: readonly string[];
      fulfillmentDeadline: unknown;
    }) => {
      if (ids.some((id) => !nodeOf(nodes, 'FulfillmentOrder', id)))
        return {
          success: false,
          userErrors: [
            {
              field: ['fulfillmentOrderIds'],
              message: 'The fulfillment orders could not be found.',
              code: 'FULFILLMENT_ORDERS_NOT_FOUND',
            },
          ],
        };
      for (const id of ids) nodes.update(id, { fulfillBy: fulfillmentDeadline });
      return { success: true, userErrors: [] };
    },
  };
}
