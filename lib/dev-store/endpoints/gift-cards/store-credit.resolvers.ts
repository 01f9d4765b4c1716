import type { NodeError } from '../nodes/mutation-shape.js';
import type { NodeWriter } from '../nodes/node-writer.js';
import { idsOf, nodeOf } from '../orders/fulfillment-orders.js';
import { amountOf } from '../orders/order-totals.js';

interface MoneyInput {
  readonly amount: unknown;
  readonly currencyCode: string;
}

interface CreditInput {
  readonly creditAmount: MoneyInput;
  readonly expiresAt?: string | null;
}

/** The most that one account may hold. */
const MOST = 100_000;

/**
 * The resolvers of the mutations of store credit. Crediting an owner opens the account of a
 * currency, if there is none.
 * @see https://shopify.dev/docs/api/admin-graphql/latest/objects/StoreCreditAccount
 */
export function storeCreditRoot({ reader, view }: NodeWriter): Record<string, unknown> {
  const { nodes, defaults } = reader.store;
  const refused = (
    path: string | readonly string[],
    message: string,
    code: string,
  ): { storeCreditAccountTransaction: null; userErrors: NodeError[] } => ({
    storeCreditAccountTransaction: null,
    userErrors: [{ field: [path].flat(), message, code }],
  });
  const noAccount = refused('id', 'Store credit account does not exist', 'ACCOUNT_NOT_FOUND');

  /** The account of an owner in a currency. */
  const accountOf = (owner: string, currency: string): string | undefined =>
    idsOf(nodes.fieldsOf(owner)['storeCreditAccounts']).find(
      (id) => Object(nodes.fieldsOf(id)['balance']).currencyCode === currency,
    );

  const opened = (owner: string, currencyCode: string): string => {
    const { id } = nodes.create('StoreCreditAccount', {
      ...{ owner, balance: { amount: 0, currencyCode }, transactions: [] },
    });
    const before = idsOf(nodes.fieldsOf(owner)['storeCreditAccounts']);
    nodes.update(owner, { storeCreditAccounts: [...before, id] });
    return id;
  };

  const moved = (
    type: string,
    account: string,
    amount: number,
    expiresAt?: string | null,
  ): object => {
    const { balance, transactions } = nodes.fieldsOf(account);
    const { currencyCode } = balance as MoneyInput;
    const after = { amount: Math.round((amountOf(balance) + amount) * 100) / 100, currencyCode };
    const { id } = nodes.create(type, {
      ...{ account, amount: { amount, currencyCode }, balanceAfterTransaction: after },
      ...{ event: 'ADJUSTMENT', origin: null },
      ...(amount > 0 ? { remainingAmount: { amount, currencyCode }, expiresAt } : {}),
    });
    nodes.update(account, { balance: after, transactions: [...idsOf(transactions), id] });
    return { storeCreditAccountTransaction: view(id), userErrors: [] };
  };

  /** Why an amount cannot be moved in an account that is there, or is to be opened. */
  const problem = (
    verb: 'credit' | 'debit',
    place: readonly string[],
    { amount, currencyCode }: MoneyInput,
    account: string | undefined,
  ): object | undefined => {
    const own = account && Object(nodes.fieldsOf(account)['balance']).currencyCode;
    if (own && own !== currencyCode)
      return refused([...place, 'currencyCode'], OTHER_CURRENCY, 'MISMATCHING_CURRENCY');
    return Number(amount) > 0
      ? undefined
      : refused(
          [...place, 'amount'],
          `A positive amount must be used to ${verb} a store credit account`,
          'NEGATIVE_OR_ZERO_AMOUNT',
        );
  };

  return {
    storeCreditAccountCredit: ({ id, creditInput }: { id: string; creditInput: CreditInput }) => {
      const { creditAmount: given, expiresAt } = creditInput;
      const isAccount = nodeOf(nodes, 'StoreCreditAccount', id) !== undefined;
      if (!isAccount && id.includes('/StoreCreditAccount/')) return noAccount;
      if (!nodes.find(id)) return refused('id', 'Owner does not exist', 'OWNER_NOT_FOUND');
      const place = ['creditInput', 'creditAmount'];
      if (expiresAt && new Date(expiresAt) <= defaults.now())
        return refused(
          ['creditInput', 'expiresAt'],
          'The expiry date must be in the future',
          'EXPIRES_AT_IN_PAST',
        );
      const account = isAccount ? id : accountOf(id, given.currencyCode);
      const wrong = problem('credit', place, given, account);
      if (wrong) return wrong;
      const amount = Number(given.amount);
      if (amountOf(nodes.fieldsOf(account ?? '')['balance']) + amount > MOST)
        return refused([...place, 'amount'], TOO_MUCH, 'CREDIT_LIMIT_EXCEEDED');
      const into = account ?? opened(id, given.currencyCode);
      return moved('StoreCreditAccountCreditTransaction', into, amount, expiresAt);
    },

    storeCreditAccountDebit: ({
      id,
      debitInput: { debitAmount: given },
    }: {
      id: string;
      debitInput: { debitAmount: MoneyInput };
    }) => {
      const isAccount = nodeOf(nodes, 'StoreCreditAccount', id) !== undefined;
      const account = isAccount ? id : accountOf(id, given.currencyCode);
      if (!account) return noAccount;
      const place = ['debitInput', 'debitAmount'];
      const wrong = problem('debit', place, given, account);
      if (wrong) return wrong;
      const amount = Number(given.amount);
      if (amount > amountOf(nodes.fieldsOf(account)['balance']))
        return refused([...place, 'amount'], TOO_LITTLE, 'INSUFFICIENT_FUNDS');
      return moved('StoreCreditAccountDebitTransaction', account, -amount);
    },
  };
}

const OTHER_CURRENCY =
  'The currency provided does not match the currency of the store credit account';
const TOO_LITTLE = 'The store credit account does not have sufficient funds to satisfy the request';
const TOO_MUCH = "The operation would cause the account's credit limit to be exceeded";
