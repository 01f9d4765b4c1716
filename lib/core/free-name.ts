/**
 * The name, numbered when one of `others` has it already. Every process of an app adds its handlers
 * in the same order, so that a name stays the same.
 */
export function freeName(name: string, others: readonly { readonly name: string }[]): string {
  const taken = new Set(others.map((other) => other.name));
  let free = name;
  for (let number = 2; taken.has(free); number++) free = `${name} (${number})`;
  return free;
}
