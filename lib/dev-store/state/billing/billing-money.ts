/** An amount of money, exact as text with one decimal at least, e.g. `9.99` or `10.0`. */
export interface Money {
  readonly amount: string;
  readonly currencyCode: string;
}

const DECIMALS = 6;
const SHAPE = /^(\d{1,12})(?:\.(\d{1,6}))?$/;

/**
 * Money in an API call, with its amount as number or text; undefined when that is not a plain
 * decimal, or is negative.
 */
export function moneyOf({
  amount,
  currencyCode,
}: {
  amount: unknown;
  currencyCode: string;
}): Money | undefined {
  const text = typeof amount === 'number' || typeof amount === 'string' ? String(amount) : '';
  return SHAPE.test(text) ? { amount: amountText(unitsOf(text)), currencyCode } : undefined;
}

/** An amount in millionths, for arithmetic: sums of decimals are not exact in floating point. */
export function unitsOf(amount: string): bigint {
  const [, whole = '0', fraction = ''] = SHAPE.exec(amount) ?? [];
  return BigInt(whole + fraction.padEnd(DECIMALS, '0'));
}

/** Millionths as the platform writes an amount. */
export function amountText(units: bigint): string {
  const digits = units.toString().padStart(DECIMALS + 1, '0');
  const fraction = digits.slice(-DECIMALS).replace(/(?<!0)0+$/, '');
  return `${digits.slice(0, -DECIMALS)}.${fraction || '0'}`;
}

/** Millionths to the nearest hundredth. */
export function rounded(units: bigint): bigint {
  const hundredth = 10n ** BigInt(DECIMALS - 2);
  return ((units + hundredth / 2n) / hundredth) * hundredth;
}

/** Money for a person: `$9.99`. */
export function formatMoney({ amount, currencyCode }: Money): string {
  return new Intl.NumberFormat('en', { style: 'currency', currency: currencyCode }).format(
    Number(amount),
  );
}
