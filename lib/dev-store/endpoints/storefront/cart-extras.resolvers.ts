import { randomUUID } from 'node:crypto';
import { isFieldType, problemOfValue } from '../../base/typed-values.js';
import { globalId } from '../../base/vendor.js';
import type { NodeFields } from '../../state/nodes/node-store.js';
import type { Cart, CartAddress, CartMetafield } from '../../state/carts/cart.js';
import { DELIVERY_OPTIONS, deliveryGroupId } from './cart-delivery.views.js';
import { giftCardId, giftCardOf } from './cart-gift-cards.js';
import { addressId, cartId, type CartShop } from './cart.views.js';

/** Why a change of a cart is refused. */
export interface CartError {
  readonly field: readonly string[];
  readonly message: string;
  readonly code: string;
}

/** An address in an input. */
export interface AddressFields {
  readonly id?: string;
  readonly address?: { readonly deliveryAddress?: NodeFields | null } | null;
  readonly oneTimeUse?: boolean | null;
  readonly selected?: boolean | null;
}

/** A metafield in an input. */
export interface MetafieldFields {
  readonly ownerId?: string;
  readonly key: string;
  readonly type: string;
  readonly value: string;
}

interface OptionFields {
  readonly deliveryGroupId: string;
  readonly deliveryOptionHandle: string;
}

/** Makes the resolver of a mutation of a cart that is there. */
type Changing = <Args>(
  field: string,
  change: (cart: Cart, args: Args) => readonly CartError[],
) => (args: Args & { cartId: string }) => object;

/** The most addresses of a cart. */
const MOST_ADDRESSES = 20;

/** The resolvers of the mutations about delivery, gift cards and metafields of carts. */
export function cartExtrasRoot(
  { nodes }: CartShop,
  changing: Changing,
  find: (field: string, id: string) => Cart | undefined,
  now: () => Date,
): Record<string, unknown> {
  const codesProblems = (codes: readonly string[]): CartError[] =>
    codes.flatMap((code, index) =>
      giftCardOf(code, nodes)
        ? []
        : [
            {
              field: ['giftCardCodes', String(index)],
              message: 'The gift card code is invalid.',
              code: 'INVALID',
            },
          ],
    );
  const setCodes =
    (keepsOthers: boolean) =>
    (cart: Cart, { giftCardCodes }: { giftCardCodes: readonly string[] }): CartError[] => {
      const errors = codesProblems(giftCardCodes);
      const ids = giftCardCodes.flatMap((code) => giftCardOf(code, nodes)?.id ?? []);
      if (errors.length === 0)
        cart.giftCards = [...new Set([...(keepsOthers ? cart.giftCards : []), ...ids])];
      return errors;
    };
  const added =
    (keepsOthers: boolean) =>
    (cart: Cart, { addresses }: { addresses: readonly AddressFields[] }): CartError[] => {
      const before = keepsOthers ? cart.addresses : [];
      const errors = addressProblems(addresses, before.length);
      if (errors.length === 0) cart.addresses = withAddresses(before, addresses);
      return errors;
    };

  return {
    cartDeliveryAddressesAdd: changing('cartDeliveryAddressesAdd', added(true)),
    cartDeliveryAddressesReplace: changing('cartDeliveryAddressesReplace', added(false)),
    cartDeliveryAddressesUpdate: changing(
      'cartDeliveryAddressesUpdate',
      (cart, { addresses }: { addresses: readonly AddressFields[] }) => {
        const errors = [
          ...addresses.flatMap(({ id }, index) =>
            addressAt(cart, id) ? [] : [noAddress(['addresses', String(index), 'id'])],
          ),
          ...addressProblems(addresses, 0),
        ];
        if (errors.length > 0) return errors;
        for (const { id, address, oneTimeUse, selected } of addresses) {
          if (selected) for (const one of cart.addresses) one.selected = false;
          Object.assign(addressAt(cart, id) ?? {}, {
            ...(address?.deliveryAddress ? { address: address.deliveryAddress } : {}),
            ...(oneTimeUse == null ? {} : { oneTimeUse }),
            ...(selected == null ? {} : { selected }),
          });
        }
        return [];
      },
    ),
    cartDeliveryAddressesRemove: changing(
      'cartDeliveryAddressesRemove',
      (cart, { addressIds }: { addressIds: readonly string[] }) => {
        const gone = addressIds.map((id) => addressAt(cart, id));
        const errors = gone.flatMap((one, index) =>
          one ? [] : [noAddress(['addressIds', String(index)])],
        );
        if (errors.length === 0)
          cart.addresses = cart.addresses.filter((one) => !gone.includes(one));
        return errors;
      },
    ),
    cartSelectedDeliveryOptionsUpdate: changing(
      'cartSelectedDeliveryOptionsUpdate',
      (cart, { selectedDeliveryOptions }: { selectedDeliveryOptions: readonly OptionFields[] }) => {
        const errors = selectedDeliveryOptions.flatMap((one, index): CartError[] => {
          const field = ['selectedDeliveryOptions', String(index)];
          const hasGroup = cart.addresses.some(({ selected }) => selected);
          if (!hasGroup || one.deliveryGroupId !== deliveryGroupId(cart))
            return [{ field, message: 'Invalid delivery group.', code: 'INVALID_DELIVERY_GROUP' }];
          return DELIVERY_OPTIONS.some(({ handle }) => handle === one.deliveryOptionHandle)
            ? []
            : [{ field, message: 'Invalid delivery option.', code: 'INVALID_DELIVERY_OPTION' }];
        });
        const [chosen] = selectedDeliveryOptions;
        if (errors.length === 0 && chosen) cart.deliveryOption = chosen.deliveryOptionHandle;
        return errors;
      },
    ),
    cartGiftCardCodesAdd: changing('cartGiftCardCodesAdd', setCodes(true)),
    cartGiftCardCodesUpdate: changing('cartGiftCardCodesUpdate', setCodes(false)),
    cartGiftCardCodesRemove: changing(
      'cartGiftCardCodesRemove',
      (cart, { appliedGiftCardIds }: { appliedGiftCardIds: readonly string[] }) => {
        const errors = appliedGiftCardIds.flatMap((id, index) =>
          cart.giftCards.some((card) => giftCardId(card) === id)
            ? []
            : [
                {
                  field: ['appliedGiftCardIds', String(index)],
                  message: 'The gift card is not applied to the cart.',
                  code: 'INVALID',
                },
              ],
        );
        if (errors.length === 0)
          cart.giftCards = cart.giftCards.filter(
            (card) => !appliedGiftCardIds.includes(giftCardId(card)),
          );
        return errors;
      },
    ),
    cartMetafieldsSet: ({ metafields }: { metafields: readonly MetafieldFields[] }) => {
      const found = metafields.map(({ ownerId }) => find('cartMetafieldsSet', ownerId ?? ''));
      const userErrors = metafields.flatMap((one, index) => {
        const [field, message, code] = found[index]
          ? (metafieldProblem(one) ?? [])
          : ['ownerId', 'Owner does not exist', 'INVALID_OWNER'];
        const place = ['metafields', String(index), field];
        return message ? [{ field: place, message, code, elementIndex: index }] : [];
      });
      if (userErrors.length > 0) return { metafields: null, userErrors };
      const set = metafields.map((one, index) => ({
        ...setMetafield(found[index] as Cart, one, now()),
        __typename: 'Metafield',
      }));
      return { metafields: set, userErrors: [] };
    },
    cartMetafieldDelete: ({ input }: { input: { key: string; ownerId: string } }) => {
      const cart = find('cartMetafieldDelete', input.ownerId);
      const [namespace, key] = namesOf(input.key);
      const known = cart?.metafields.find((one) => one.namespace === namespace && one.key === key);
      if (!cart || !known) {
        const [field, code] = cart
          ? ['key', 'METAFIELD_DOES_NOT_EXIST']
          : ['ownerId', 'INVALID_OWNER'];
        const message = cart ? 'Metafield does not exist' : 'Owner does not exist';
        return { deletedId: null, userErrors: [{ field: ['input', field], message, code }] };
      }
      cart.metafields = cart.metafields.filter((one) => one !== known);
      return { deletedId: known.id, userErrors: [] };
    },
  };
}

/** Why addresses in an input are refused. @param before how many the cart keeps */
export function addressProblems(
  addresses: readonly AddressFields[],
  before: number,
  ...place: readonly string[]
): CartError[] {
  const refused = (message: string, code: string): CartError[] => [
    { field: [...place, 'addresses'], message, code },
  ];
  if (addresses.filter(({ selected }) => selected).length > 1)
    return refused(
      'Only one delivery address can be selected.',
      'ONLY_ONE_DELIVERY_ADDRESS_CAN_BE_SELECTED',
    );
  return before + addresses.length > MOST_ADDRESSES
    ? refused(
        `A cart has at most ${MOST_ADDRESSES} delivery addresses.`,
        'TOO_MANY_DELIVERY_ADDRESSES',
      )
    : [];
}

/** The addresses of a cart and those of an input, of which the last selected one stays selected. */
export function withAddresses(
  before: readonly CartAddress[],
  inputs: readonly AddressFields[],
): CartAddress[] {
  const isMoved = inputs.some(({ selected }) => selected);
  return [
    ...before.map((one) => (isMoved ? { ...one, selected: false } : one)),
    ...inputs.map(({ address, oneTimeUse, selected }) => ({
      id: randomUUID(),
      address: address?.deliveryAddress ?? {},
      oneTimeUse: oneTimeUse ?? false,
      selected: selected ?? false,
    })),
  ];
}

/** Why a metafield in an input is refused: the field, the message and the code. */
export function metafieldProblem({
  key,
  type,
  value,
}: MetafieldFields): readonly [string, string, string] | undefined {
  if (key.trim() === '') return ['key', "Key can't be blank", 'BLANK'];
  if (!isFieldType(type)) return ['type', 'Type is invalid', 'INVALID_TYPE'];
  const problem = problemOfValue(type, value);
  return problem === undefined ? undefined : ['value', problem, 'INVALID_VALUE'];
}

/** Sets a metafield of a cart. */
export function setMetafield(
  cart: Cart,
  { key: named, type, value }: MetafieldFields,
  at: Date,
): CartMetafield {
  const [namespace, key] = namesOf(named);
  const known = cart.metafields.find((one) => one.namespace === namespace && one.key === key);
  const time = at.toISOString();
  const id = known?.id ?? `${globalId('Metafield', randomUUID())}?owner=${cartId(cart)}`;
  const createdAt = known?.createdAt ?? time;
  const set = { id, namespace, key, type, value, createdAt, updatedAt: time };
  cart.metafields = [...cart.metafields.filter((one) => one !== known), set];
  return set;
}

/** `custom.size` as namespace and key; a key alone is in the namespace `custom`. */
function namesOf(name: string): [namespace: string, key: string] {
  const at = name.indexOf('.');
  return at < 0 ? ['custom', name] : [name.slice(0, at), name.slice(at + 1)];
}

function addressAt(cart: Cart, id: string | undefined): CartAddress | undefined {
  return cart.addresses.find((one) => addressId(cart, one) === id);
}

function noAddress(field: readonly string[]): CartError {
  const message = 'The delivery address with the specified id does not exist.';
  return { field, message, code: 'INVALID_DELIVERY_ADDRESS_ID' };
}
