import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openNodeShop, type NodeShopFixture } from '../nodes/node-shop.fixture.js';

describe('the customers of a simulated shop', () => {
  let fixture: NodeShopFixture;
  let id: string;
  beforeAll(async () => {
    fixture = await openNodeShop(['customers', 'orders']);
    const { customerCreate } = await fixture.call(`mutation {
      customerCreate(input: {
        email: "ada@a.test", phone: "+35312345678"
        emailMarketingConsent: { marketingState: SUBSCRIBED, marketingOptInLevel: SINGLE_OPT_IN }
      }) { customer { id } userErrors { message } }
    }`);
    ({ id } = customerCreate!['customer'] as { id: string });
  });
  afterAll(() => fixture.devStore.close());

  it('are found by their addresses, and have consented to what they were created with', async () => {
    const data = await fixture.call(`{
      email: customerByIdentifier(identifier: { emailAddress: "Ada@a.test" }) {
        id defaultEmailAddress { marketingState } defaultPhoneNumber { marketingState }
      }
      phone: customerByIdentifier(identifier: { phoneNumber: "+35312345678" }) { id }
      none: customerByIdentifier(identifier: { emailAddress: "nobody@a.test" }) { id }
    }`);
    expect(data).toEqual({
      email: {
        id,
        defaultEmailAddress: { marketingState: 'SUBSCRIBED' },
        defaultPhoneNumber: { marketingState: 'NOT_SUBSCRIBED' },
      },
      phone: { id },
      none: null,
    });
  });

  it('count their orders, and stay as long as they have some', async () => {
    const remove = `mutation ($id: ID!) { customerDelete(input: { id: $id }) {
      deletedCustomerId shop { id } userErrors { field message }
    } }`;
    const read = 'query ($id: ID!) { customer(id: $id) { numberOfOrders canDelete } }';
    const order = fixture.shop.nodes.create('Order', { customer: id });
    expect((await fixture.call(read, { id }))['customer']).toEqual({
      numberOfOrders: '1',
      canDelete: false,
    });
    expect((await fixture.call(remove, { id }))['customerDelete']).toMatchObject({
      deletedCustomerId: null,
      userErrors: [
        {
          field: ['id'],
          message: 'Customer can’t be deleted because they have associated orders',
        },
      ],
    });
    expect((await fixture.call(remove, { id: order.id }))['customerDelete']).toMatchObject({
      userErrors: [{ field: ['id'], message: "Customer can't be found" }],
    });
    fixture.shop.nodes.delete(order.id);
    expect((await fixture.call(read, { id }))['customer']).toEqual({
      numberOfOrders: '0',
      canDelete: true,
    });
    expect((await fixture.call(remove, { id }))['customerDelete']).toMatchObject({
      deletedCustomerId: id,
      userErrors: [],
    });
    expect((await fixture.call(read, { id }))['customer']).toBeNull();
  });
});
