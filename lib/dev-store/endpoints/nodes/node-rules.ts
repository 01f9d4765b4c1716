import { randomBytes } from 'node:crypto';
import { capital, cleanTags } from '../../base/text-values.js';
import type { NodeFields } from '../../state/nodes/node-store.js';
import { cleanContacts, contactProblems, isNobody, NOBODY } from '../customers/contact-values.js';
import { discountFields } from '../discounts/discount-fields.js';
import { METHODS } from '../discounts/discount-kinds.js';
import { createFulfillmentOrder } from '../orders/fulfillment-orders.js';
import { orderFields, draftOrderFields } from '../orders/order-totals.js';
import { LOCALE } from './contact-values.js';
import { processFile, uploadedFile } from './file-processing.js';
import type { NodeError } from './mutation-shape.js';
import type { NodeReader } from './node-reader.js';
import { isBlank } from './user-errors.js';

/** Where a node is written, and which one; without an id, a new one. */
interface Place {
  readonly reader: NodeReader;
  readonly id: string | undefined;
}

/** What the platform does with the input of one type beyond keeping it. */
interface NodeRule {
  /** The values that are kept. */
  readonly prepared?: (fields: NodeFields, place: Place) => NodeFields;
  /** Adds what comes with a new node. */
  readonly created?: (id: string, place: Place) => void;
  /** Why an input is refused. */
  readonly problems?: (fields: Readonly<NodeFields>, place: Place) => NodeError[];
}

/** The fields of an input as they are kept: tags sorted, the rest as the rule of its type says. */
export function preparedFields(type: string, fields: NodeFields, place: Place): NodeFields {
  const { tags } = fields;
  const sorted = Array.isArray(tags) ? { ...fields, tags: cleanTags(tags) } : fields;
  return RULES[type]?.prepared?.(sorted, place) ?? sorted;
}

/** Adds what comes with a new node, such as the fulfillment order of an order. */
export function completeNode(type: string, id: string, place: Place): void {
  RULES[type]?.created?.(id, place);
}

/** Why an input is refused, in the platform's words. */
export function nodeProblems(
  type: string,
  fields: Readonly<NodeFields>,
  place: Place,
): NodeError[] {
  return [...textProblems(fields), ...(RULES[type]?.problems?.(fields, place) ?? [])];
}

const customer: NodeRule = {
  prepared: (fields) => {
    const kept: NodeFields = cleanContacts({ ...fields });
    for (const name of ['firstName', 'lastName', 'phone', 'email'])
      if (isBlank(kept[name]) && name in kept) kept[name] = null;
    if (kept['addresses'] === null) delete kept['addresses'];
    if (Array.isArray(kept['addresses'])) kept['defaultAddress'] = kept['addresses'][0] ?? null;
    return kept;
  },
  problems: (fields, place) => [
    ...contactProblems(fields),
    ...malformed(fields, 'locale', LOCALE),
    ...taken('Customer', cleanContacts(fields), 'email', place),
    ...taken('Customer', cleanContacts(fields), 'phone', place),
    ...(place.id === undefined && isNobody(fields) ? [{ field: null, message: NOBODY }] : []),
  ],
};

const titled: NodeRule = {
  problems: (fields, { id }) =>
    typeof fields['title'] !== 'string' && (id === undefined || 'title' in fields)
      ? textProblems({ title: '' })
      : [],
};

/** The longest title, in characters. */
const LONGEST_TEXT = 255;

/** Why the titles of objects are refused, of whatever type. */
function textProblems(fields: Readonly<NodeFields>): NodeError[] {
  return ['title', 'name'].flatMap((name) => {
    const text = fields[name];
    if (typeof text !== 'string') return [];
    const about = { field: [name] };
    if (isBlank(text))
      return { ...about, message: `${capital(name)} can't be blank`, code: 'BLANK' };
    const message = `${capital(name)} is too long (maximum is ${LONGEST_TEXT} characters)`;
    return text.length > LONGEST_TEXT ? { ...about, message, code: 'TOO_LONG' } : [];
  });
}

/** Files are processed after the call that uploads them. */
const file: NodeRule = {
  prepared: ({ originalSource, ...fields }, { id }) => {
    const kept = { ...fields, ...(originalSource ? { originalSource } : {}) };
    return id === undefined ? uploadedFile(kept) : kept;
  },
  created: (id, { reader: { store } }) => processFile(store.nodes, id),
};

/** Discounts stand in a field of their node. */
const discounts = Object.values(METHODS).map(({ type, part }): [string, NodeRule] => [
  type,
  {
    prepared: (fields, { reader }) => {
      const discount = Object(fields[part]) as NodeFields;
      return { ...fields, [part]: discountFields(discount, reader.store.defaults.now()) };
    },
  },
]);

const RULES: Readonly<Record<string, NodeRule>> = {
  ...Object.fromEntries(discounts),
  Customer: customer,
  DraftOrder: {
    prepared: (fields, { reader, id }) => ({
      ...draftOrderFields(fields, reader, id),
      ...(id === undefined ? { invoiceUrl: invoiceUrl(reader) } : {}),
    }),
  },
  Order: {
    prepared: (fields, { reader, id }) => orderFields(fields, reader, id),
    created: (id, { reader: { store } }) => {
      createFulfillmentOrder(store.nodes, id);
      const { inventoryBehaviour = 'BYPASS' } = store.nodes.fieldsOf(id);
      if (inventoryBehaviour !== 'BYPASS') store.stock.commit(id);
    },
  },
  Collection: titled,
  Page: titled,
  Blog: titled,
  MediaImage: file,
  GenericFile: file,
  Video: file,
  ExternalVideo: file,
  Model3d: file,
};

/** Where a customer pays for a draft. */
function invoiceUrl({ store }: NodeReader): string {
  return `${store.defaults.url}/invoices/${randomBytes(16).toString('hex')}`;
}

function malformed(fields: Readonly<NodeFields>, name: string, pattern: RegExp): NodeError[] {
  const value = fields[name];
  if (isBlank(value) || pattern.test(String(value))) return [];
  return [{ field: [name], message: `${capital(name)} is invalid` }];
}

function taken(
  type: string,
  fields: Readonly<NodeFields>,
  name: string,
  { reader, id }: Place,
): NodeError[] {
  const value = fields[name];
  const other = reader.store.nodes
    .all([type])
    .find((node) => node.fields[name] === value && node.id !== id);
  if (isBlank(value) || !other) return [];
  return [{ field: [name], message: `${capital(name)} has already been taken` }];
}
