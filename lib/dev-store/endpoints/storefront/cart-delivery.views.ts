import { globalId } from '../../base/vendor.js';
import type { NodeFields } from '../../state/nodes/node-store.js';
import type { Cart } from '../../state/carts/cart.js';

/** How every shop delivers; the first is the usual one. */
export const DELIVERY_OPTIONS = [
  { handle: 'standard', code: 'Standard', title: 'Standard', price: 0 },
  { handle: 'express', code: 'Express', title: 'Express', price: 10 },
] as const;

/** The global id of the one group in which the lines of a cart are delivered. */
export function deliveryGroupId({ token }: Cart): string {
  return `${globalId('CartDeliveryGroup', token)}?cart=${token}`;
}

/** What the delivery of a cart costs: nothing as long as it has no address. */
export function deliveryPrice(cart: Cart): number {
  return cart.addresses.some(({ selected }) => selected) ? chosenOption(cart).price : 0;
}

/** The group in which the lines of a cart are delivered; none without an address or lines. */
export function deliveryGroups(
  cart: Cart,
  lines: NodeFields['lines'],
  money: (amount: number) => object,
): Array<{ id: number; view: object }> {
  const selected = cart.addresses.find((one) => one.selected);
  if (!selected || cart.lines.length === 0) return [];
  const { address } = selected;
  const options = DELIVERY_OPTIONS.map(({ handle, code, title, price }) => ({
    ...{ handle, code, title, description: null, deliveryMethodType: 'SHIPPING' },
    estimatedCost: money(price),
  }));
  const chosen = chosenOption(cart).handle;
  const view = {
    __typename: 'CartDeliveryGroup',
    id: deliveryGroupId(cart),
    groupType: 'ONE_TIME_PURCHASE',
    deliveryAddress: {
      __typename: 'MailingAddress',
      id: globalId('MailingAddress', selected.id),
      ...addressView(address),
    },
    deliveryOptions: options,
    selectedDeliveryOption: options.find(({ handle }) => handle === chosen),
    discountAllocations: [],
    cartLines: lines,
  };
  return [{ id: 1, view }];
}

/** An address of a cart, in the fields of both of its types. */
export function addressView(address: Readonly<NodeFields>): NodeFields {
  const { firstName, lastName, countryCode, provinceCode, city } = address;
  const name = [firstName, lastName].filter(Boolean).join(' ') || null;
  return {
    ...address,
    name,
    countryCodeV2: countryCode ?? null,
    formattedArea: [city, provinceCode, countryCode].filter(Boolean).join(', ') || null,
    formatted: ({ withName, withCompany }: { withName?: boolean; withCompany?: boolean }) =>
      [
        withName ? name : null,
        withCompany ? address['company'] : null,
        address['address1'],
        address['address2'],
        [address['zip'], city].filter(Boolean).join(' '),
        countryCode,
      ].filter(Boolean),
  };
}

function chosenOption({ deliveryOption }: Cart): (typeof DELIVERY_OPTIONS)[number] {
  return DELIVERY_OPTIONS.find(({ handle }) => handle === deliveryOption) ?? DELIVERY_OPTIONS[0];
}
