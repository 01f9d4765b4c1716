/**
 * A customer. What the app may not see of protected customer data is `null` or absent.
 * @see https://shopify.dev/docs/api/webhooks
 */
export interface CustomerPayload extends OrderCustomerPayload {
  readonly created_at: string;
  readonly updated_at: string;
  readonly addresses: readonly CustomerAddressPayload[];
}

/** The customer of an order: without the addresses other than the default one. */
export interface OrderCustomerPayload {
  readonly id: number;
  readonly admin_graphql_api_id: string;
  readonly created_at: string | null;
  readonly updated_at: string | null;
  readonly first_name: string | null;
  readonly last_name: string | null;
  readonly email: string | null;
  readonly phone: string | null;
  /** `disabled`, `invited`, `enabled` or `declined`. */
  readonly state: string;
  readonly note: string | null;
  readonly verified_email: boolean;
  readonly multipass_identifier: string | null;
  readonly tax_exempt: boolean;
  readonly tax_exemptions: readonly string[];
  readonly currency: string;
  readonly default_address?: CustomerAddressPayload | null;
}

/** An address of a customer. */
export interface CustomerAddressPayload {
  readonly id: number | null;
  readonly customer_id: number;
  readonly first_name: string | null;
  readonly last_name: string | null;
  readonly name: string | null;
  readonly company: string | null;
  readonly address1: string | null;
  readonly address2: string | null;
  readonly city: string | null;
  readonly province: string | null;
  readonly province_code: string | null;
  readonly country: string | null;
  readonly country_code: string | null;
  readonly country_name: string | null;
  readonly zip: string | null;
  readonly phone: string | null;
  readonly default: boolean;
}

/** A customer that was deleted. */
export type DeletedCustomerPayload = Pick<
  CustomerPayload,
  'id' | 'admin_graphql_api_id' | 'tax_exemptions'
>;
