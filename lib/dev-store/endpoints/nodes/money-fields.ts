/** An amount with its currency, as the schema's types of money take it. */
interface Amount {
  readonly amount: string;
  readonly currencyCode: string;
}

/**
 * The fields of a value whose type is one of money, whether it was set as an amount, as an amount
 * with a currency, or in two currencies; undefined when the type is another.
 */
export function moneyFields(
  type: string,
  value: unknown,
  currency: string,
): Record<string, unknown> | undefined {
  if (type === 'MoneyV2') return { ...amountOf(value, currency) };
  if (type !== 'MoneyBag') return undefined;
  const { shopMoney, presentmentMoney } = Object(value) as Record<string, unknown>;
  const own = amountOf(shopMoney ?? value, currency);
  return {
    shopMoney: own,
    presentmentMoney: presentmentMoney ? amountOf(presentmentMoney, currency) : own,
  };
}

function amountOf(value: unknown, currency: string): Amount {
  const { amount = value, currencyCode = currency } = Object(value) as Partial<Amount>;
  return { amount: decimalText(amount), currencyCode };
}

/** The platform writes an amount with at least one decimal and without trailing zeros. */
export function decimalText(amount: unknown): string {
  const number = Number(amount);
  if (Number.isNaN(number)) return '0.0';
  return Number.isInteger(number) ? number.toFixed(1) : String(number);
}
