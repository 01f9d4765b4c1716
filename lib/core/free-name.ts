/**
 * Returns the name, with a number appended when one of `others` has it already. Every process of an
 * app adds its handlers in the same order, so names are stable.
 */
export function freeName(name: string, others: readonly { readonly name: string }[]): string {
  const taken = new Set(others.map((other) => other.name));
  let free = name;
  for (let number = 2; taken.has(free); number++) free = `${name} (${number})`;
  return free;
}
