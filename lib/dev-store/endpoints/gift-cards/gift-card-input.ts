import { cents } from '../../base/amounts.js';
import { InvalidArgumentError, typedId } from '../../graphql/graphql.errors.js';
import type { NodeFields } from '../../state/nodes/node-store.js';
import type { NodeError } from '../nodes/mutation-shape.js';
import type { NodeReader } from '../nodes/node-reader.js';

/** The highest value of one gift card, in the currency of the shop. */
export const ISSUE_LIMIT = 3000;

/** Who gets a gift card as a present. */
interface RecipientInput {
  readonly id: string;
  readonly message?: string | null;
  readonly preferredName?: string | null;
  readonly sendNotificationAt?: string | null;
}

/** What is set of a gift card. */
export interface GiftCardInput extends Readonly<NodeFields> {
  readonly code?: string | null;
  readonly customerId?: string | null;
  readonly expiresOn?: string | null;
  readonly initialValue?: unknown;
  readonly initialAmount?: { readonly amount: unknown; readonly currencyCode: string } | null;
  readonly recipientAttributes?: RecipientInput | null;
}

/**
 * Why the input of a gift card is refused: the first reason that there is.
 * @throws InvalidArgumentError for texts to a recipient that are too long
 */
export function giftCardProblem(input: GiftCardInput, reader: NodeReader): NodeError | undefined {
  const { customerId, recipientAttributes: recipient } = input;
  if (customerId != null && !isCustomer(customerId, reader))
    return at(['customerId'], 'CUSTOMER_NOT_FOUND', 'The customer could not be found.');
  return recipient ? recipientProblem(recipient, reader) : undefined;
}

/** What a gift card is issued with, in the currency of the shop, to the cent. */
export function initialValueOf({ initialAmount, initialValue }: GiftCardInput): number {
  return cents(Number(initialAmount?.amount ?? initialValue));
}

/** Why a gift card cannot be issued with a value and a code. */
export function issueProblem(input: GiftCardInput, reader: NodeReader): NodeError | undefined {
  const { nodes, defaults } = reader.store;
  const place = input.initialAmount ? ['initialAmount', 'amount'] : ['initialValue'];
  const value = initialValueOf(input);
  if (!(value > 0)) return at(place, 'GREATER_THAN', 'must be greater than 0');
  const { currency } = defaults;
  if (input.initialAmount && input.initialAmount.currencyCode !== currency)
    return at(['initialAmount', 'currencyCode'], 'INVALID', OTHER_CURRENCY);
  if (value > ISSUE_LIMIT) {
    const style = { style: 'currency', currency, currencyDisplay: 'narrowSymbol' } as const;
    const limit = new Intl.NumberFormat('en', style).format(ISSUE_LIMIT);
    return at(place, 'GIFT_CARD_LIMIT_EXCEEDED', `can't exceed ${limit} ${currency}`);
  }
  const { code } = input;
  if (code == null) return undefined;
  const refused = (reason: string | undefined, words: string): NodeError => ({
    ...{ field: ['input', 'code'], message: `Code ${words}` },
    ...(reason ? { code: reason } : {}),
  });
  if (code.length < 8) return refused('TOO_SHORT', 'must be at least 8 characters long');
  if (code.length > 20) return refused('TOO_LONG', 'must be at most 20 characters long');
  if (!/^[a-z\d]+$/i.test(code))
    return refused('INVALID', 'can only contain letters(a-z) and numbers(0-9)');
  const isTaken = nodes
    .all(['GiftCard'])
    .some(({ fields }) => String(fields['code']).toLowerCase() === code.toLowerCase());
  return isTaken ? refused(undefined, 'has already been taken') : undefined;
}

/** Why money cannot be put on a gift card, or taken off it. */
export const OTHER_CURRENCY = 'The currency provided does not match the currency of the gift card.';
const DAY = 86_400_000;
/** How long a message to a recipient, and a name, may be. */
const LONGEST = { preferredName: 255, message: 200 } as const;

function recipientProblem(given: RecipientInput, reader: NodeReader): NodeError | undefined {
  const refused = (field: string, message: string, code = 'INVALID'): NodeError =>
    at(['recipientAttributes', field], code, message);
  if (!isCustomer(given.id, reader))
    return refused('id', 'Recipient could not be found', 'RECIPIENT_NOT_FOUND');
  for (const [field, words] of [
    ['preferredName', 'Preferred name'],
    ['message', 'Message'],
  ] as const) {
    const text = given[field];
    if (text == null) continue;
    if (text.length > LONGEST[field])
      throw new InvalidArgumentError(`${field} is too long (maximum is ${LONGEST[field]})`);
    if (text.trim() === '') return refused(field, `${words} can't be blank`);
    if (/<[a-z/!][^<>]*>/i.test(text)) return refused(field, `${words} cannot contain HTML tags`);
  }
  const { sendNotificationAt: sent } = given;
  const wait = sent == null ? 0 : Date.parse(sent) - reader.store.defaults.now().getTime();
  return wait >= 0 && wait <= 90 * DAY
    ? undefined
    : refused('sendNotificationAt', 'Send notification at must be within 90 days from now');
}

/** @throws ForeignIdError for an id that is none of a customer */
function isCustomer(id: string, { store }: NodeReader): boolean {
  typedId('Customer', id);
  return store.nodes.find(id) !== undefined;
}

function at(path: readonly string[], code: string, message: string): NodeError {
  return { field: ['input', ...path], code, message };
}
