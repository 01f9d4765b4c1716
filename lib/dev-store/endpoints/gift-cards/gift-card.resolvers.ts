import { randomBytes } from 'node:crypto';
import { cents } from '../../base/amounts.js';
import type { NodeFields } from '../../state/nodes/node-store.js';
import type { NodeError } from '../nodes/mutation-shape.js';
import type { NodeWriter } from '../nodes/node-writer.js';
import { idsOf, nodeOf } from '../orders/fulfillment-orders.js';
import { amountOf } from '../orders/order-totals.js';
import {
  giftCardProblem,
  initialValueOf,
  ISSUE_LIMIT,
  issueProblem,
  OTHER_CURRENCY,
  type GiftCardInput,
} from './gift-card-input.js';

interface MoneyInput {
  readonly amount: unknown;
  readonly currencyCode: string;
}

interface ChangeInput {
  readonly creditAmount?: MoneyInput;
  readonly debitAmount?: MoneyInput;
  readonly note?: string | null;
  readonly processedAt?: string | null;
}

/** What of a gift card nobody may change after it was deactivated, in the order of the refusals. */
const PROTECTED = ['expiresOn', 'customerId', 'recipientAttributes'];

/** The highest value of all gift cards of one purchase. */
const PURCHASE_LIMIT = 14_000;

/**
 * The resolvers of gift cards: issued, changed, credited, debited, sent and deactivated.
 * @see https://shopify.dev/docs/api/admin-graphql/latest/objects/GiftCard
 */
export function giftCardRoot({ reader, changed, view }: NodeWriter): Record<string, unknown> {
  const { nodes, defaults } = reader.store;
  const money = (amount: number): object => ({ amount, currencyCode: defaults.currency });
  const payload = (result: string, made: object | null, ...userErrors: NodeError[]): object => ({
    [result]: userErrors.length > 0 ? null : made,
    userErrors,
  });
  const told = (id: string): void => changed('update', id, nodes.fieldsOf(id));

  /** Why nothing can be done with a card any more. */
  const unusable = (id: string): NodeError | undefined => {
    const card = nodeOf(nodes, 'GiftCard', id);
    const field = ['id'];
    if (!card) return { field, message: NOT_FOUND, code: 'GIFT_CARD_NOT_FOUND' };
    if (card['enabled'] === false) return { field, message: DEACTIVATED, code: 'INVALID' };
    const { expiresOn } = card;
    const today = defaults.now().toISOString().slice(0, 10);
    return typeof expiresOn === 'string' && expiresOn < today
      ? { field, message: 'The gift card has expired.', code: 'INVALID' }
      : undefined;
  };

  const moved = (kind: 'credit' | 'debit', id: string, input: ChangeInput): object => {
    const type = kind === 'credit' ? 'GiftCardCreditTransaction' : 'GiftCardDebitTransaction';
    const result = type.charAt(0).toLowerCase() + type.slice(1);
    const place = `${kind}Input`;
    const given = input[`${kind}Amount`];
    const refused = (path: readonly string[], message: string, code: string): object =>
      payload(result, null, { field: [place, ...path], message, code });
    const problem = unusable(id);
    if (problem) return payload(result, null, problem);
    const amount = cents(Number(given?.amount));
    const path = [`${kind}Amount`];
    if (!(amount > 0))
      return refused(
        [...path, 'amount'],
        'A positive amount must be used.',
        'NEGATIVE_OR_ZERO_AMOUNT',
      );
    if (given?.currencyCode !== defaults.currency)
      return refused([...path, 'currencyCode'], OTHER_CURRENCY, 'MISMATCHING_CURRENCY');
    const at = input.processedAt == null ? defaults.now() : new Date(input.processedAt);
    if (at > defaults.now())
      return refused(['processedAt'], 'The processed date must not be in the future.', 'INVALID');
    if (!(at.getTime() >= 0))
      return refused(['processedAt'], 'A valid processed date must be used.', 'INVALID');
    const card = nodes.fieldsOf(id);
    const signed = kind === 'credit' ? amount : -amount;
    const balance = cents(amountOf(card['balance']) + signed);
    if (balance < 0) return refused([...path, 'amount'], TOO_LITTLE, 'INSUFFICIENT_FUNDS');
    if (kind === 'credit' && balance > ISSUE_LIMIT)
      return refused([...path, 'amount'], TOO_MUCH, 'GIFT_CARD_LIMIT_EXCEEDED');
    const { id: made } = nodes.create(type, {
      ...{ giftCard: id, amount: money(signed), note: input.note ?? null },
      processedAt: at,
    });
    const transactions = [...idsOf(card['transactions']), made];
    nodes.update(id, { balance: money(balance), transactions });
    told(id);
    return payload(result, view(made));
  };

  const sent = (id: string, whom: 'customer' | 'recipient'): object => {
    const problem = unusable(id);
    if (problem) return payload('giftCard', null, problem);
    const card = nodes.fieldsOf(id);
    const { recipient } = Object(card['recipientAttributes']) as NodeFields;
    const person = whom === 'customer' ? card['customer'] : recipient;
    const refused = (message: string): object =>
      payload('giftCard', null, { field: null, message, code: 'INVALID' });
    if (typeof person !== 'string') return refused(`The gift card has no ${whom}.`);
    const { email, phone } = nodes.fieldsOf(person);
    if (!(email ?? phone)) return refused(`The ${whom} has no ${CONTACT}`);
    return payload('giftCard', view(id));
  };

  return {
    giftCardConfiguration: () =>
      reader.objectOf({ issueLimit: money(ISSUE_LIMIT), purchaseLimit: money(PURCHASE_LIMIT) }),

    giftCardCreate: ({ input }: { input: GiftCardInput }) => {
      const problem = giftCardProblem(input, reader) ?? issueProblem(input, reader);
      if (problem) return { ...payload('giftCard', null, problem), giftCardCode: null };
      const code = (input.code ?? randomBytes(8).toString('hex')).toLowerCase();
      const value = money(initialValueOf(input));
      const { id } = nodes.create('GiftCard', {
        ...kept(input),
        ...{ code, enabled: true, initialValue: value, balance: value, transactions: [] },
        lastCharacters: code.slice(-4),
        maskedCode: `•••• •••• •••• ${code.slice(-4)}`,
      });
      changed('create', id, nodes.fieldsOf(id));
      return { ...payload('giftCard', view(id)), giftCardCode: code };
    },

    giftCardUpdate: ({ id, input }: { id: string; input: GiftCardInput }) => {
      const refused = (field: readonly string[], message: string): object =>
        payload('giftCard', null, { field, message });
      const card = nodeOf(nodes, 'GiftCard', id);
      if (!card) return refused(['id'], NOT_FOUND);
      if (Object.keys(input).length === 0)
        return refused(['input'], 'At least one argument is required in the input.');
      const locked =
        card['enabled'] === false ? PROTECTED.find((name) => name in input) : undefined;
      if (locked) return refused(['input', locked], DEACTIVATED);
      const problem = giftCardProblem(input, reader);
      if (problem) return payload('giftCard', null, problem);
      nodes.update(id, kept(input));
      told(id);
      return payload('giftCard', view(id));
    },

    giftCardDeactivate: ({ id }: { id: string }) => {
      const card = nodeOf(nodes, 'GiftCard', id);
      const error = { field: ['id'], message: NOT_FOUND, code: 'GIFT_CARD_NOT_FOUND' };
      if (!card) return payload('giftCard', null, error);
      if (card['enabled'] !== false) {
        nodes.update(id, { enabled: false, deactivatedAt: defaults.now() });
        told(id);
      }
      return payload('giftCard', view(id));
    },

    giftCardCredit: ({ id, creditInput }: { id: string; creditInput: ChangeInput }) =>
      moved('credit', id, creditInput),
    giftCardDebit: ({ id, debitInput }: { id: string; debitInput: ChangeInput }) =>
      moved('debit', id, debitInput),
    giftCardSendNotificationToCustomer: ({ id }: { id: string }) => sent(id, 'customer'),
    giftCardSendNotificationToRecipient: ({ id }: { id: string }) => sent(id, 'recipient'),
  };
}

/** The fields of a gift card that an input sets. */
function kept(input: GiftCardInput): NodeFields {
  const {
    customerId,
    recipientAttributes: given,
    initialAmount: _a,
    initialValue: _v,
    ...rest
  } = input;
  const { id: recipient, ...present } = given ?? {};
  return {
    ...rest,
    ...('customerId' in input ? { customer: customerId ?? null } : {}),
    ...('recipientAttributes' in input
      ? { recipientAttributes: given ? { ...present, recipient } : null }
      : {}),
  };
}

const NOT_FOUND = 'The gift card could not be found.';
const DEACTIVATED = 'The gift card is deactivated.';
const TOO_LITTLE = 'The gift card does not have sufficient funds to satisfy the request.';
const TOO_MUCH = "The gift card's value exceeds the allowed limits.";
const CONTACT = 'contact information (e.g. email address or phone number).';
