import type {
  CustomerAddressPayload,
  CustomerPayload,
  OrderCustomerPayload,
} from '../../webhooks/payloads/customer-payload.js';
import { CREATED, CURRENCY, UPDATED, globalId } from './sample-values.js';

const CUSTOMER = 706405506930;

const address: CustomerAddressPayload = {
  id: 312123123,
  customer_id: CUSTOMER,
  first_name: 'Erin',
  last_name: 'Example',
  name: 'Erin Example',
  company: null,
  address1: '123 Elm Street',
  address2: null,
  city: 'Ottawa',
  province: 'Ontario',
  province_code: 'ON',
  country: 'Canada',
  country_code: 'CA',
  country_name: 'Canada',
  zip: 'K2H 7A8',
  phone: '+1 613 555 0100',
  default: true,
};

/** The customer of an order. */
export const orderCustomerSample: OrderCustomerPayload = {
  id: CUSTOMER,
  admin_graphql_api_id: globalId('Customer', CUSTOMER),
  created_at: CREATED,
  updated_at: UPDATED,
  first_name: 'Erin',
  last_name: 'Example',
  email: 'erin@example.com',
  phone: '+1 613 555 0100',
  state: 'disabled',
  note: null,
  verified_email: true,
  multipass_identifier: null,
  tax_exempt: false,
  tax_exemptions: [],
  currency: CURRENCY,
  default_address: address,
};

/** A customer with one address. */
export const customerSample: CustomerPayload = {
  ...orderCustomerSample,
  created_at: CREATED,
  updated_at: UPDATED,
  addresses: [address],
};
