import { cents } from '../../base/amounts.js';
import type { StoredNode } from '../../state/nodes/node-store.js';
import type { NodeError } from '../nodes/mutation-shape.js';
import { decimalText } from '../nodes/money-fields.js';
import type { NodeWriter } from '../nodes/node-writer.js';
import { InputError } from '../nodes/refusals.js';
import { inputError } from '../nodes/user-errors.js';

interface Amount {
  readonly amount: string;
  readonly currencyCode: string;
}

interface CreditArgs {
  readonly id: string;
  readonly creditInput: { readonly creditAmount: Amount; readonly expiresAt?: string | null };
}

interface DebitArgs {
  readonly id: string;
  readonly debitInput: { readonly debitAmount: Amount };
}

/** Currencies that the platform answers, and takes from nobody. */
const ONLY_ANSWERED: ReadonlySet<string> = new Set(['USDC', 'XXX']);
const OWNERS: ReadonlySet<string> = new Set(['Customer', 'CompanyLocation']);
const MOST_CREDIT = 100_000;

/**
 * The resolvers of the mutations that put store credit on an account, and take it off. An owner
 * has one account for each currency, from the first credit on.
 * @see https://shopify.dev/docs/api/admin-graphql/latest/mutations/storeCreditAccountCredit
 */
export function storeCreditRoot({ reader, view }: NodeWriter): Record<string, unknown> {
  const { nodes, defaults } = reader.store;
  const accountOf = (id: string, { currencyCode }: Amount): StoredNode | undefined => {
    const node = nodes.find(id);
    if (node?.type === 'StoreCreditAccount') return node;
    return nodes
      .all(['StoreCreditAccount'])
      .find((one) => one.fields['owner'] === id && balanceOf(one).currencyCode === currencyCode);
  };
  const refused = (error: NodeError): object => ({
    storeCreditAccountTransaction: null,
    userErrors: [error],
  });
  /** Why an amount cannot be moved, whatever the balance. */
  const problem = (
    place: string,
    { amount, currencyCode }: Amount,
    account: StoredNode | undefined,
    verb: string,
  ): NodeError | undefined => {
    if (account && balanceOf(account).currencyCode !== currencyCode)
      return inputError(`${place}.currencyCode`, OTHER_CURRENCY, 'MISMATCHING_CURRENCY');
    return Number(amount) > 0
      ? undefined
      : inputError(
          `${place}.amount`,
          `A positive amount must be used to ${verb} a store credit account`,
          'NEGATIVE_OR_ZERO_AMOUNT',
        );
  };
  const moved = (account: StoredNode, amount: number, type: string, more: object): object => {
    const { amount: before, currencyCode } = balanceOf(account);
    const money = (value: number): Amount => ({ amount: decimalText(value), currencyCode });
    const balance = money(cents(Number(before) + amount));
    nodes.update(account.id, { balance });
    const { id } = nodes.create(type, {
      ...{ account: account.id, amount: money(amount), balanceAfterTransaction: balance },
      ...{ event: 'ADJUSTMENT', origin: null },
      ...more,
    });
    return { storeCreditAccountTransaction: view(id), userErrors: [] };
  };
  return {
    storeCreditAccountCredit: ({ id, creditInput }: CreditArgs) => {
      const { creditAmount, expiresAt } = creditInput;
      demandCurrency(creditAmount);
      const known = accountOf(id, creditAmount);
      const owner = nodes.find(id);
      if (!known && !OWNERS.has(owner?.type ?? ''))
        return refused(id.includes('/StoreCreditAccount/') ? NO_ACCOUNT : NO_OWNER);
      if (expiresAt != null && new Date(expiresAt) <= defaults.now())
        return refused(
          inputError(
            'creditInput.expiresAt',
            'The expiry date must be in the future',
            'EXPIRES_AT_IN_PAST',
          ),
        );
      const error = problem('creditInput.creditAmount', creditAmount, known, 'credit');
      if (error) return refused(error);
      const amount = Number(creditAmount.amount);
      if (amount + (known ? Number(balanceOf(known).amount) : 0) > MOST_CREDIT)
        return refused(
          inputError(
            'creditInput.creditAmount.amount',
            "The operation would cause the account's credit limit to be exceeded",
            'CREDIT_LIMIT_EXCEEDED',
          ),
        );
      const balance = { amount: '0.0', currencyCode: creditAmount.currencyCode };
      const account = known ?? nodes.create('StoreCreditAccount', { owner: id, balance });
      return moved(account, amount, 'StoreCreditAccountCreditTransaction', {
        remainingAmount: creditAmount,
        expiresAt: expiresAt ?? null,
      });
    },
    storeCreditAccountDebit: ({ id, debitInput: { debitAmount } }: DebitArgs) => {
      demandCurrency(debitAmount);
      const account = accountOf(id, debitAmount);
      if (!account) return refused(NO_ACCOUNT);
      const error = problem('debitInput.debitAmount', debitAmount, account, 'debit');
      if (error) return refused(error);
      const amount = Number(debitAmount.amount);
      if (amount > Number(balanceOf(account).amount))
        return refused(
          inputError(
            'debitInput.debitAmount.amount',
            'The store credit account does not have sufficient funds to satisfy the request',
            'INSUFFICIENT_FUNDS',
          ),
        );
      return moved(account, -amount, 'StoreCreditAccountDebitTransaction', {});
    },
  };
}

const NO_OWNER = inputError('id', 'Owner does not exist', 'OWNER_NOT_FOUND');
const NO_ACCOUNT = inputError('id', 'Store credit account does not exist', 'ACCOUNT_NOT_FOUND');
const OTHER_CURRENCY =
  'The currency provided does not match the currency of the store credit account';

function balanceOf({ fields }: StoredNode): Amount {
  return Object(fields['balance']) as Amount;
}

function demandCurrency({ currencyCode }: Amount): void {
  if (ONLY_ANSWERED.has(currencyCode))
    throw new InputError(
      `CurrencyCode "${currencyCode}" is invalid. It can only be used as a result and not as an input value.`,
      'CURRENCY_CODE_INVALID',
    );
}
