/** An amount of money, as a number or its text, rounded to the cent. */
export function cents(amount: unknown): number {
  return Math.round(Number(amount) * 100) / 100;
}
