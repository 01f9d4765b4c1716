/** An amount of money, rounded to the cent. */
export function cents(amount: number): number {
  return Math.round(amount * 100) / 100;
}
