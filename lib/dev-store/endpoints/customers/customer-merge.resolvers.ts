import { idOf } from '../../base/vendor.js';
import { cleanTags } from '../../base/text-values.js';
import type { NodeFields, StoredNode } from '../../state/nodes/node-store.js';
import { startedJob } from '../nodes/job.resolvers.js';
import type { NodeError } from '../nodes/mutation-shape.js';
import type { NodeWriter } from '../nodes/node-writer.js';
import { InputError } from '../nodes/refusals.js';
import { inputError } from '../nodes/user-errors.js';
import { MOST_TAGS } from './customer-checks.js';

interface MergeArgs {
  readonly customerOneId: string;
  readonly customerTwoId: string;
  readonly overrideFields?: Readonly<Record<string, unknown>> | null;
}

/** Which customer each field is kept of, as the input says. */
const KEPT = [
  ['email', 'customerIdOfEmailToKeep'],
  ['phone', 'customerIdOfPhoneNumberToKeep'],
  ['firstName', 'customerIdOfFirstNameToKeep'],
  ['lastName', 'customerIdOfLastNameToKeep'],
  ['defaultAddress', 'customerIdOfDefaultAddressToKeep'],
] as const;

const LONGEST_NOTE = 5000;

/**
 * The resolvers of the merge of two customers into the second, or the one whose email is kept. It
 * is done at once; its job says so to the calls after that of the mutation. Customers with what the
 * platform does not move, such as store credit, are not merged.
 * @see https://shopify.dev/docs/api/admin-graphql/latest/mutations/customerMerge
 */
export function mergeRoot({ reader, changed, view }: NodeWriter): Record<string, unknown> {
  const { nodes } = reader.store;
  const customer = (id: string): StoredNode | undefined => {
    const node = nodes.find(id);
    return node?.type === 'Customer' ? node : undefined;
  };
  const plan = ({ customerOneId, customerTwoId, overrideFields }: MergeArgs): Plan | undefined => {
    const [one, two] = [customer(customerOneId), customer(customerTwoId)];
    return one && two && planOf([one, two], Object(overrideFields ?? {}) as NodeFields);
  };
  const problems = (args: MergeArgs): Blocked[] => {
    const ids = ['customerOneId', 'customerTwoId'] as const;
    if (args.customerOneId === args.customerTwoId)
      return [blocked(inputError(null, 'Customers IDs should not match', 'INVALID_CUSTOMER_ID'))];
    return ids.flatMap((name) => {
      const node = customer(args[name]);
      const number = idOf('Customer', args[name]) ?? args[name];
      const unknown = `Customer does not exist with ID ${number}`;
      if (!node) return [blocked(inputError(name, unknown, 'INVALID_CUSTOMER_ID'), 'DELETED_AT')];
      const found = BLOCKERS.find(({ type }) => nodes.naming(node.id, [type]).some(isLeft));
      if (!found) return [];
      const words = `${displayName(node)} ${found.words} and can’t be merged.`;
      return [blocked(inputError(name, words, 'INVALID_CUSTOMER'), found.errorField)];
    });
  };
  return {
    customerMerge: (args: MergeArgs) => {
      const merge = plan(args);
      const userErrors = [
        ...problems(args).map(({ error }) => error),
        ...(merge ? overflow(merge) : []),
      ];
      if (!merge || userErrors.length > 0)
        return { resultingCustomerId: null, job: null, userErrors };
      const { result, source, fields } = merge;
      const job = startedJob(nodes) as { readonly id: string };
      for (const { id, fields: own } of nodes.naming(source.id, MOVED))
        nodes.update(id, ownedBy(own, source.id, result.id));
      nodes.update(result.id, { ...fields, addresses: addressesOf([result, source]) });
      for (const { id } of nodes.naming(source.id, ['StoreCreditAccount'])) nodes.delete(id);
      nodes.delete(source.id);
      changed('delete', source.id, source.fields);
      changed('update', result.id, nodes.fieldsOf(result.id));
      const request = { resultingCustomerId: result.id, customerMergeErrors: [] };
      nodes.update(job.id, { merge: { ...request, jobId: job.id, status: 'IN_PROGRESS' } });
      nodes.afterCall(() =>
        nodes.update(job.id, { merge: { ...request, jobId: job.id, status: 'COMPLETED' } }),
      );
      return { resultingCustomerId: result.id, job, userErrors };
    },
    customerMergePreview: (args: MergeArgs) => {
      if (args.customerOneId === args.customerTwoId)
        throw new InputError('Customers must be different.');
      const merge = plan(args);
      const errors = problems(args);
      if (!merge || errors.length > 0)
        return {
          resultingCustomerId: null,
          defaultFields: null,
          alternateFields: null,
          blockingFields: null,
          customerMergeErrors: errors.map(({ error: { message }, errorFields }) => ({
            errorFields,
            message,
          })),
        };
      const { result, source, fields } = merge;
      const isTooMuch = overflow(merge).length > 0;
      const { note, tags } = joined([result, source]);
      return {
        resultingCustomerId: result.id,
        defaultFields: reader.objectOf(previewed(fields, { note, tags }, view)),
        alternateFields: reader.objectOf(previewed(otherFields(merge), {}, view)),
        blockingFields: isTooMuch ? { note, tags } : null,
        customerMergeErrors: null,
      };
    },
    customerMergeJobStatus: ({ jobId }: { readonly jobId: string }) =>
      nodes.fieldsOf(jobId)['merge'] ?? null,
  };
}

/** What belongs to customers, and to the one that is left. */
const MOVED = ['Order', 'DraftOrder', 'Metafield'];

/**
 * What the platform does not move.
 * @see https://shopify.dev/docs/api/admin-graphql/latest/enums/CustomerMergeErrorFieldType
 */
const BLOCKERS = [
  { type: 'GiftCard', words: 'has gift cards', errorField: 'GIFT_CARDS' },
  { type: 'StoreCreditAccount', words: 'has store credit', errorField: 'STORE_CREDIT' },
  { type: 'SubscriptionContract', words: 'has subscriptions', errorField: 'SUBSCRIPTIONS' },
  { type: 'CompanyContact', words: 'is a company contact', errorField: 'COMPANY_CONTACT' },
  {
    type: 'CustomerPaymentMethod',
    words: 'has payment methods',
    errorField: 'CUSTOMER_PAYMENT_METHODS',
  },
] as const;

/** Whether something keeps its customer: an account with nothing on it does not. */
function isLeft({ type, fields }: StoredNode): boolean {
  if (type !== 'StoreCreditAccount') return true;
  return Number((Object(fields['balance']) as NodeFields)['amount'] ?? 0) > 0;
}

/** Why customers cannot be merged, as the mutation and its preview say it. */
interface Blocked {
  readonly error: NodeError;
  readonly errorFields: readonly string[];
}

function blocked(error: NodeError, ...errorFields: string[]): Blocked {
  return { error, errorFields };
}

interface Plan {
  readonly result: StoredNode;
  readonly source: StoredNode;
  readonly fields: NodeFields;
}

function planOf([one, two]: readonly [StoredNode, StoredNode], chosen: NodeFields): Plan {
  const isFirst = chosen['customerIdOfEmailToKeep'] === one.id;
  const hasEmail = (node: StoredNode): boolean => node.fields['email'] != null;
  const [result, source] = isFirst || (!hasEmail(two) && hasEmail(one)) ? [one, two] : [two, one];
  const kept = KEPT.map(([field, choice]): [string, unknown] => {
    const wanted = chosen[choice] === source.id ? source : result;
    const value = wanted.fields[field] ?? (chosen[choice] == null ? source.fields[field] : null);
    return [field, value ?? null];
  });
  const { note, tags } = joined([result, source]);
  const fields: NodeFields = { ...Object.fromEntries(kept), note, tags };
  if (typeof chosen['note'] === 'string') fields['note'] = chosen['note'];
  if (Array.isArray(chosen['tags'])) fields['tags'] = cleanTags(chosen['tags']);
  return { result, source, fields };
}

function joined(nodes: readonly StoredNode[]): { note: string | null; tags: string[] } {
  const notes = nodes.map(({ fields }) => fields['note']).filter(Boolean);
  const tags = nodes.flatMap(({ fields }) => (fields['tags'] ?? []) as string[]);
  return { note: notes.join(' ') || null, tags: [...new Set(tags)] };
}

function addressesOf(nodes: readonly StoredNode[]): unknown[] {
  return nodes.flatMap(({ fields }) => [fields['addresses'] ?? []].flat() as unknown[]);
}

function otherFields({ result, source, fields }: Plan): NodeFields {
  const others = KEPT.map(([field]): [string, unknown] => {
    const other = [source, result].find((node) => node.fields[field] !== fields[field]);
    return [field, other?.fields[field] ?? null];
  });
  return Object.fromEntries(others);
}

/** The fields of a merge as its preview calls them. */
function previewed(
  { email, phone, ...fields }: NodeFields,
  more: NodeFields,
  view: (id: string) => object | null,
): NodeFields {
  const address = fields['defaultAddress'];
  return {
    ...fields,
    ...more,
    displayName: displayName({ fields: { email, phone, ...fields } }),
    defaultAddress: typeof address === 'string' ? view(address) : null,
    email: email == null ? null : { emailAddress: email },
    phoneNumber: phone == null ? null : { phoneNumber: phone },
  };
}

/** What of two customers does not fit into one. */
function overflow({ fields: { note, tags } }: Plan): NodeError[] {
  const most = `Customers must have ${MOST_TAGS} tags or less.`;
  const longest = `Customer notes must be ${LONGEST_NOTE} characters or less.`;
  return [
    ...(Array.isArray(tags) && tags.length > MOST_TAGS
      ? [inputError(null, most, 'INVALID_CUSTOMER')]
      : []),
    ...(typeof note === 'string' && note.length > LONGEST_NOTE
      ? [inputError(null, longest, 'INVALID_CUSTOMER')]
      : []),
  ];
}

function ownedBy(fields: NodeFields, before: string, after: string): NodeFields {
  const names = Object.entries(fields).filter(([, value]) => value === before);
  return Object.fromEntries(names.map(([name]) => [name, after]));
}

function displayName({ fields }: Pick<StoredNode, 'fields'>): string {
  const names = [fields['firstName'], fields['lastName']].filter(Boolean).join(' ');
  return names || String(fields['email'] ?? fields['phone'] ?? '');
}
