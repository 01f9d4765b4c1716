import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openNodeShop, type Data, type NodeShopFixture } from '../nodes/node-shop.fixture.js';

describe('what a simulated shop does with orders, and refuses', () => {
  let fixture: NodeShopFixture;
  beforeAll(async () => {
    fixture = await openNodeShop(
      [
        ...['orders', 'draft_orders', 'customers', 'companies', 'fulfillments', 'taxes'],
        ...['merchant_managed_fulfillment_orders', 'delivery_customizations', 'locations'],
      ],
      '2026-04',
    );
  });
  afterAll(() => fixture.devStore.close());

  const LINE = {
    ...{ title: 'Kite', quantity: 1 },
    priceSet: { shopMoney: { amount: '10.00', currencyCode: 'EUR' } },
  };
  const create = async (order: object): Promise<Data> => {
    const { orderCreate } = await fixture.call(
      `mutation ($order: OrderCreateOrderInput!) { orderCreate(order: $order) {
        order { id fulfillmentOrders(first: 1) { nodes { id } } }
        userErrors { field message code } } }`,
      { order: { lineItems: [LINE], ...order } },
    );
    return orderCreate!;
  };
  const ordered = async (order: object = {}): Promise<string> =>
    ((await create(order))['order'] as Data)['id'] as string;
  const customer = async (input: object): Promise<string> => {
    const { customerCreate } = await fixture.call(
      'mutation ($input: CustomerInput!) { customerCreate(input: $input) { customer { id } } }',
      { input },
    );
    return (customerCreate!['customer'] as Data)['id'] as string;
  };
  const unknown = 'gid://shopify/Order/999999999999999';

  it('creates no order in the future, without lines, or for two customers', async () => {
    const refused = (field: string[], message: string, code: string): object => ({
      order: null,
      userErrors: [{ field, message, code }],
    });
    expect(await create({ lineItems: [] })).toEqual(
      refused(['order', 'lineItems'], 'Line items must have at least one line item', 'INVALID'),
    );
    expect(await create({ processedAt: '2099-01-01T00:00:00Z' })).toEqual(
      refused(['order', 'processedAt'], 'Processed at is invalid', 'PROCESSED_AT_INVALID'),
    );
    expect(
      await create({
        customerId: 'gid://shopify/Customer/1',
        customer: { toUpsert: { email: 'ada@example.com' } },
      }),
    ).toEqual(refused(['order'], 'Customer fields are redundant', 'REDUNDANT_CUSTOMER_FIELDS'));
  });

  it('changes an order by what is valid only', async () => {
    const id = await ordered();
    const update = async (input: object): Promise<Data> => {
      const { orderUpdate } = await fixture.call(
        `mutation ($input: OrderInput!) { orderUpdate(input: $input) { order { id note }
          userErrors { field message } } }`,
        { input: { id, ...input } },
      );
      return orderUpdate!;
    };
    const order = { id, note: null };
    expect(await update({})).toEqual({
      order,
      userErrors: [{ field: null, message: 'No valid update parameters have been provided' }],
    });
    expect(await update({ phone: 'not a phone' })).toEqual({
      order,
      userErrors: [{ field: ['phone'], message: 'Phone is invalid' }],
    });
    expect(await update({ shippingAddress: { countryCode: 'US', city: 'Chicago' } })).toEqual({
      order,
      userErrors: [
        { field: ['shippingAddress', 'lastName'], message: 'Enter a last name' },
        { field: ['shippingAddress', 'zip'], message: 'Enter a ZIP code' },
      ],
    });
    expect(await update({ note: 'careful' })).toEqual({
      order: { id, note: 'careful' },
      userErrors: [],
    });
  });

  it('leaves an order that is closed as it is', async () => {
    const id = await ordered();
    const close = async (): Promise<unknown> => {
      const { orderClose } = await fixture.call(
        `mutation ($id: ID!) { orderClose(input: { id: $id }) { order { closed closedAt }
          userErrors { message } } }`,
        { id },
      );
      return orderClose!;
    };
    const first = await close();
    expect(first).toMatchObject({ order: { closed: true }, userErrors: [] });
    fixture.devStore.advance(60_000);
    expect(await close()).toEqual(first);
  });

  it('cancels no order with too long a note', async () => {
    const { orderCancel } = await fixture.call(
      `mutation ($id: ID!, $staffNote: String) { orderCancel(orderId: $id restock: false
        reason: OTHER staffNote: $staffNote) { job { id }
        orderCancelUserErrors { field message code } } }`,
      { id: await ordered(), staffNote: 'x'.repeat(256) },
    );
    expect(orderCancel).toEqual({
      job: null,
      orderCancelUserErrors: [
        {
          ...{ field: ['staffNote'], code: 'INVALID' },
          message: 'Staff note is too long. Maximum length is 255 characters.',
        },
      ],
    });
  });

  it('names the customer of an order, and forgets them', async () => {
    const id = await ordered();
    const ada = await customer({ firstName: 'Ada' });
    const set = async (customerId: string, orderId = id): Promise<unknown> => {
      const { orderCustomerSet } = await fixture.call(
        `mutation ($orderId: ID!, $customerId: ID!) {
          orderCustomerSet(orderId: $orderId, customerId: $customerId) {
            order { customer { id } } userErrors { field message code } } }`,
        { orderId, customerId },
      );
      return orderCustomerSet!;
    };
    const remove = async (orderId = id): Promise<unknown> => {
      const { orderCustomerRemove } = await fixture.call(
        `mutation ($orderId: ID!) { orderCustomerRemove(orderId: $orderId) {
          order { customer { id } } userErrors { field message code } } }`,
        { orderId },
      );
      return orderCustomerRemove!;
    };
    const refused = (field: string, message: string, code: string): object => ({
      order: null,
      userErrors: [{ field: [field], message, code }],
    });
    expect(await set(ada)).toEqual({ order: { customer: { id: ada } }, userErrors: [] });
    expect(await remove()).toEqual({ order: { customer: null }, userErrors: [] });
    expect(await set(ada, unknown)).toEqual(
      refused('orderId', 'Order does not exist', 'NOT_FOUND'),
    );
    expect(await set('gid://shopify/Customer/999')).toEqual(
      refused('customerId', 'Customer does not exist', 'NOT_FOUND'),
    );
    const { nodes } = fixture.shop;
    const company = nodes.create('Company', { name: 'Atlas' }).id;
    const { draftOrderCreate } = await fixture.call(
      `mutation ($company: ID!) { draftOrderCreate(input: {
        lineItems: [{ title: "Kite", quantity: 1, originalUnitPrice: "1" }]
        purchasingEntity: { purchasingCompany: { companyId: $company
          companyContactId: $company, companyLocationId: $company } } }) { draftOrder { id } } }`,
      { company },
    );
    const { draftOrderComplete } = await fixture.call(
      `mutation ($id: ID!) { draftOrderComplete(id: $id) { draftOrder { order { id
        purchasingEntity { ... on PurchasingCompany { company { id } } } } } } }`,
      { id: (draftOrderCreate!['draftOrder'] as Data)['id'] },
    );
    const { order } = draftOrderComplete!['draftOrder'] as { order: Data };
    expect(order['purchasingEntity']).toEqual({ company: { id: company } });
    expect(await set(ada, order['id'] as string)).toEqual(
      refused(
        'customerId',
        'Customer does not have the permissions to place this order',
        'NOT_PERMITTED',
      ),
    );
    expect(await remove(order['id'] as string)).toEqual(
      refused('orderId', 'Action not permitted on B2B Orders', 'INVALID'),
    );
  });

  it('sends an invoice to who can be reached', async () => {
    const send = async (id: string, email?: object): Promise<unknown> => {
      const { orderInvoiceSend } = await fixture.call(
        `mutation ($id: ID!, $email: EmailInput) { orderInvoiceSend(id: $id, email: $email) {
          order { id } userErrors { field message code } } }`,
        { id, email },
      );
      return orderInvoiceSend!;
    };
    const refused = (message: string): object => ({
      order: null,
      userErrors: [{ field: null, message, code: 'ORDER_INVOICE_SEND_UNSUCCESSFUL' }],
    });
    const id = await ordered();
    expect(await send(id)).toEqual(refused('No recipient email address was provided'));
    expect(await send(id, { to: 'not an email' })).toEqual(refused('To is invalid'));
    const other = await ordered({ email: 'ada@example.com' });
    expect(await send(other)).toEqual({ order: { id: other }, userErrors: [] });
  });

  it('keeps what an app tells of the risk of an order', async () => {
    const id = await ordered();
    const assess = async (orderId: string): Promise<unknown> => {
      const { orderRiskAssessmentCreate } = await fixture.call(
        `mutation ($input: OrderRiskAssessmentCreateInput!) {
          orderRiskAssessmentCreate(orderRiskAssessmentInput: $input) {
            orderRiskAssessment { riskLevel facts { description sentiment } }
            userErrors { field code } } }`,
        {
          input: {
            ...{ orderId, riskLevel: 'HIGH' },
            facts: [{ description: 'Seen before', sentiment: 'NEGATIVE' }],
          },
        },
      );
      return orderRiskAssessmentCreate!;
    };
    expect(await assess(unknown)).toEqual({
      orderRiskAssessment: null,
      userErrors: [{ field: ['orderRiskAssessmentInput', 'orderId'], code: 'NOT_FOUND' }],
    });
    expect(await assess(id)).toEqual({
      orderRiskAssessment: {
        riskLevel: 'HIGH',
        facts: [{ description: 'Seen before', sentiment: 'NEGATIVE' }],
      },
      userErrors: [],
    });
    const { order } = await fixture.call(
      'query ($id: ID!) { order(id: $id) { risk { recommendation assessments { riskLevel } } } }',
      { id },
    );
    expect(order!['risk']).toEqual({
      recommendation: 'CANCEL',
      assessments: [{ riskLevel: 'HIGH' }],
    });
  });

  it('lets only apps that calculate taxes send summaries of them', async () => {
    const { errors } = await fixture.answer(
      'mutation { taxSummaryCreate { userErrors { message } } }',
    );
    expect(errors).toMatchObject([
      {
        message:
          'Access denied for taxSummaryCreate field. Required access: `write_taxes` access scope. Also: The caller must be a tax calculations app and the relevant feature must be on.',
        extensions: { code: 'ACCESS_DENIED' },
      },
    ]);
  });

  it('knows which abandonments and customizations of delivery there are', async () => {
    const answer = await fixture.call(
      `mutation { abandonmentUpdateActivitiesDeliveryStatuses(
          abandonmentId: "gid://shopify/Abandonment/1" marketingActivityId:
          "gid://shopify/MarketingActivity/1" deliveryStatus: SENT) {
          abandonment { id } userErrors { field message } }
        deliveryCustomizationActivation(ids: ["gid://shopify/DeliveryCustomization/1"] enabled: true) {
          ids userErrors { field message code } } }`,
    );
    expect(answer).toEqual({
      abandonmentUpdateActivitiesDeliveryStatuses: {
        abandonment: null,
        userErrors: [{ field: ['abandonmentId'], message: 'abandonment_not_found' }],
      },
      deliveryCustomizationActivation: {
        ids: [],
        userErrors: [
          {
            field: ['ids'],
            message:
              'Could not find delivery customizations with IDs: gid://shopify/DeliveryCustomization/1',
            code: 'DELIVERY_CUSTOMIZATION_NOT_FOUND',
          },
        ],
      },
    });
    const { id } = fixture.shop.nodes.create('Abandonment', { emailState: 'NOT_SENT' });
    const { sent } = await fixture.call(
      `mutation ($id: ID!) { sent: abandonmentUpdateActivitiesDeliveryStatuses(abandonmentId: $id
        marketingActivityId: "gid://shopify/MarketingActivity/1" deliveryStatus: SENT) {
        abandonment { emailState emailSentAt } userErrors { message } } }`,
      { id },
    );
    expect(sent).toEqual({
      abandonment: { emailState: 'SENT', emailSentAt: expect.any(String) },
      userErrors: [],
    });
  });

  it('follows a parcel, and moves what waits to another location', async () => {
    const { order } = await create({});
    const { fulfillmentOrders } = order as { fulfillmentOrders: { nodes: Array<{ id: string }> } };
    const { id } = fulfillmentOrders.nodes[0]!;
    const reroute = async (): Promise<Data> => {
      const { fulfillmentOrdersReroute } = await fixture.call(
        `mutation ($ids: [ID!]!) { fulfillmentOrdersReroute(fulfillmentOrderIds: $ids) {
          movedFulfillmentOrders { assignedLocation { name } } userErrors { code } } }`,
        { ids: [id] },
      );
      return fulfillmentOrdersReroute!;
    };
    expect(await reroute()).toMatchObject({
      userErrors: [{ code: 'CANNOT_REASSIGN_LOCATION_FOR_FULFILLMENT_ORDERS' }],
    });
    fixture.shop.nodes.create('Location', { name: 'Depot', isActive: true });
    expect(await reroute()).toEqual({
      movedFulfillmentOrders: [{ assignedLocation: { name: 'Depot' } }],
      userErrors: [],
    });
    const { fulfillmentOrderLineItemsPreparedForPickup: prepared } = await fixture.call(
      `mutation ($id: ID!) { fulfillmentOrderLineItemsPreparedForPickup(input: {
        lineItemsByFulfillmentOrder: [{ fulfillmentOrderId: $id }] }) { userErrors { code } } }`,
      { id },
    );
    expect(prepared).toEqual({ userErrors: [{ code: 'FULFILLMENT_ORDER_INVALID' }] });
    const { fulfillmentCreate } = await fixture.call(
      `mutation ($id: ID!) { fulfillmentCreate(fulfillment: {
        lineItemsByFulfillmentOrder: [{ fulfillmentOrderId: $id }] }) { fulfillment { id } } }`,
      { id },
    );
    const event = async (fulfillmentId: unknown): Promise<unknown> => {
      const { fulfillmentEventCreate } = await fixture.call(
        `mutation ($event: FulfillmentEventInput!) {
          fulfillmentEventCreate(fulfillmentEvent: $event) {
            fulfillmentEvent { status message } userErrors { field message } } }`,
        { event: { fulfillmentId, status: 'IN_TRANSIT', message: 'On its way' } },
      );
      return fulfillmentEventCreate!;
    };
    const parcel = (fulfillmentCreate!['fulfillment'] as Data)['id'];
    expect(await event(parcel)).toEqual({
      fulfillmentEvent: { status: 'IN_TRANSIT', message: 'On its way' },
      userErrors: [],
    });
    const { fulfillment } = await fixture.call(
      `query ($id: ID!) { fulfillment(id: $id) { displayStatus inTransitAt
        events(first: 2) { nodes { status } } } }`,
      { id: parcel },
    );
    expect(fulfillment).toEqual({
      ...{ displayStatus: 'IN_TRANSIT', inTransitAt: expect.any(String) },
      events: { nodes: [{ status: 'IN_TRANSIT' }] },
    });
    expect(await event('gid://shopify/Fulfillment/9')).toMatchObject({
      userErrors: [{ message: 'Fulfillment does not exist.' }],
    });
  });
});
