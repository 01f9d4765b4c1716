import { createHash } from 'node:crypto';
import { globalId } from '../../base/vendor.js';
import { jsonOf, jsonReply, type StoreReply, type StoreRequest } from '../../http/store-request.js';
import type { NodeFields, StoredNode } from '../../state/nodes/node-store.js';
import { addressesOf } from '../payloads/customer-payload.js';
import { listOf as partsOf } from '../payloads/payload-values.js';
import { addressFields } from './rest-input.js';
import { refusedFor } from './rest-mutations.js';
import { pageReply } from './rest-pages.js';
import {
  listOf,
  notFound,
  objectOf,
  rootOf,
  unprocessable,
  type RestCall,
  type RestEndpoint,
} from './rest.endpoint.js';

type Address = Record<string, unknown> & { readonly id: number };

/** The addresses of customers, and their invitations. */
export const REST_CUSTOMERS: readonly RestEndpoint[] = [
  {
    method: 'GET',
    pattern: /^customers\/(\d{1,15})\/addresses$/,
    scope: 'read_customers',
    answer: withCustomer((call, customer, request) =>
      pageReply<Address>(request, {
        ...{ key: 'addresses', all: addresses(call, customer), origin: call.shop.origin },
        ...{ filter: () => () => true, view: (one) => one },
      }),
    ),
  },
  {
    method: 'POST',
    pattern: /^customers\/(\d{1,15})\/addresses$/,
    scope: 'write_customers',
    answer: withCustomer((call, customer, request) => {
      const { nodes } = call.shop;
      const { id } = nodes.create('MailingAddress', addressFields(posted(request)));
      const before = partsOf(customer.fields['addresses']);
      nodes.update(customer.id, { addresses: [...before, id] });
      if (isRepeated(call, customer)) {
        nodes.update(customer.id, { addresses: before });
        nodes.delete(id);
        return unprocessable([{ field: 'signature', message: 'has already been taken' }]);
      }
      change(call, customer, {});
      const made = addresses(call, customer).at(-1);
      return jsonReply(201, { customer_address: made });
    }),
  },
  {
    method: 'GET',
    pattern: /^customers\/(\d{1,15})\/addresses\/(\d{1,15})$/,
    scope: 'read_customers',
    answer: withCustomer((call, customer, _request, id) => addressReply(call, customer, id)),
  },
  {
    method: 'PUT',
    pattern: /^customers\/(\d{1,15})\/addresses\/(\d{1,15})$/,
    scope: 'write_customers',
    answer: withCustomer((call, customer, request, id) => {
      const part = partAt(call, customer, id);
      if (part === undefined) return notFound();
      const fields = addressFields(posted(request));
      if (typeof part === 'string') call.shop.nodes.update(part, fields);
      else Object.assign(Object(part), fields);
      change(call, customer, {});
      return addressReply(call, customer, id);
    }),
  },
  {
    method: 'PUT',
    pattern: /^customers\/(\d{1,15})\/addresses\/(\d{1,15})\/default$/,
    scope: 'write_customers',
    answer: withCustomer((call, customer, _request, id) => {
      const part = partAt(call, customer, id);
      if (part === undefined) return notFound();
      change(call, customer, { defaultAddress: part });
      return addressReply(call, customer, id);
    }),
  },
  {
    method: 'PUT',
    pattern: /^customers\/(\d{1,15})\/addresses\/set$/,
    scope: 'write_customers',
    answer: withCustomer((call, customer, { url: { searchParams } }) => {
      const ids = [
        ...searchParams.getAll('address_ids[]'),
        ...listOf(searchParams.get('address_ids')),
      ];
      if (searchParams.get('operation') !== 'destroy')
        return jsonReply(400, { errors: { operation: 'Required parameter missing or invalid' } });
      return removed(call, customer, ids.map(Number));
    }),
  },
  {
    method: 'DELETE',
    pattern: /^customers\/(\d{1,15})\/addresses\/(\d{1,15})$/,
    scope: 'write_customers',
    answer: withCustomer((call, customer, _request, id) => removed(call, customer, [id])),
  },
  {
    method: 'POST',
    pattern: /^customers\/(\d{1,15})\/account_activation_url$/,
    scope: 'write_customers',
    answer: withCustomer(({ shop }, { id, number, fields }) => {
      if (fields['state'] === 'ENABLED') return refusedFor('account already enabled');
      const token = createHash('sha256').update(id).digest('hex');
      const url = `https://${shop.domain}/account/activate/${number}/${token}`;
      return jsonReply(200, { account_activation_url: url });
    }),
  },
  {
    method: 'POST',
    pattern: /^customers\/(\d{1,15})\/send_invite$/,
    scope: 'write_customers',
    answer: withCustomer((call, customer, request) => {
      const invite = objectOf(jsonOf(request), 'customer_invite');
      const { to = customer.fields['email'], from = call.shop.email } = invite;
      const { subject = null, custom_message = null, bcc = [] } = invite;
      change(call, customer, { state: 'INVITED' });
      return jsonReply(201, { customer_invite: { to, from, subject, custom_message, bcc } });
    }),
  },
];

function withCustomer(
  answer: (call: RestCall, customer: StoredNode, request: StoreRequest, id: number) => StoreReply,
): RestEndpoint['answer'] {
  return (call, request, customerId, id = NaN) => {
    const customer = call.shop.nodes.find(globalId('Customer', customerId));
    return customer ? answer(call, customer, request, id) : notFound();
  };
}

function posted(request: StoreRequest): Record<string, unknown> {
  const body = jsonOf(request);
  return rootOf(body, 'customer_address' in body ? 'customer_address' : 'address');
}

function change(call: RestCall, { id }: StoredNode, fields: NodeFields): void {
  const { nodes } = call.shop;
  nodes.update(id, fields);
  call.writer().changed('update', id, nodes.fieldsOf(id));
}

function addresses({ shop }: RestCall, customer: StoredNode): Address[] {
  return addressesOf(customer, shop) as Address[];
}

function addressReply(call: RestCall, customer: StoredNode, id: number): StoreReply {
  const found = addresses(call, customer).find((one) => one.id === id);
  return found ? jsonReply(200, { customer_address: found }) : notFound();
}

/** What the customer has as an address: the id of a node, or its values. */
function partAt(call: RestCall, customer: StoredNode, id: number): unknown {
  const at = addresses(call, customer).findIndex((one) => one.id === id);
  return partsOf(customer.fields['addresses'])[at];
}

/** The default address stays as long as there are others. */
function removed(call: RestCall, customer: StoredNode, ids: readonly number[]): StoreReply {
  const all = addresses(call, customer);
  if (ids.length === 0 || ids.some((id) => !all.some((one) => one.id === id))) return notFound();
  const left = all.filter(({ id }) => !ids.includes(id));
  if (left.length > 0 && !left.some((one) => one['default']))
    return unprocessable([
      { field: 'base', message: 'Cannot delete the customer’s default address' },
    ]);
  const parts = partsOf(customer.fields['addresses']);
  change(call, customer, {
    addresses: parts.filter((_, at) => !ids.includes(all[at]?.id ?? NaN)),
    ...(left.length > 0 ? {} : { defaultAddress: null }),
  });
  return jsonReply(200, {});
}

/** Whether a customer has one address twice. */
function isRepeated(call: RestCall, customer: StoredNode): boolean {
  const texts = addresses(call, customer).map(({ id: _id, default: _default, ...values }) =>
    JSON.stringify(values),
  );
  return new Set(texts).size < texts.length;
}
