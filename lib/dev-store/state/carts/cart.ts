/** A name with a value that an app adds to a cart or one of its lines. */
export interface CartAttribute {
  readonly key: string;
  readonly value: string | null;
}

/** One line of a cart. */
export interface CartLine {
  /** Unique in its cart. */
  readonly id: string;
  /** The number of the variant. */
  variantId: number;
  quantity: number;
  attributes: readonly CartAttribute[];
}

/** Who buys. */
export interface CartBuyer {
  readonly countryCode?: string | null;
  readonly email?: string | null;
  readonly phone?: string | null;
}

/** An address to which a cart may be delivered. */
export interface CartAddress {
  /** Unique in its cart. */
  readonly id: string;
  address: Readonly<Record<string, unknown>>;
  oneTimeUse: boolean;
  selected: boolean;
}

/** A metafield of a cart. */
export interface CartMetafield {
  readonly id: string;
  readonly namespace: string;
  readonly key: string;
  readonly type: string;
  readonly value: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** A cart of the storefront. */
export interface Cart {
  readonly token: string;
  /** Grants access together with the token. */
  readonly key: string;
  readonly createdAt: Date;
  updatedAt: Date;
  lines: CartLine[];
  note: string;
  attributes: readonly CartAttribute[];
  buyer: CartBuyer;
  /** As the buyer has entered them. */
  discountCodes: readonly string[];
  /** The ids of the gift cards, in the order in which they pay. */
  giftCards: readonly string[];
  addresses: CartAddress[];
  /** The handle of the delivery option; undefined for the usual one. */
  deliveryOption: string | undefined;
  metafields: readonly CartMetafield[];
}
