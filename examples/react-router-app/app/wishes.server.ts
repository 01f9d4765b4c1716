/** What the visitors of each shop have wished for. An app that is deployed keeps it in a database. */
const wishes = new Map<string, string[]>();

/** The latest first. */
export function wishesOf(shop: string): readonly string[] {
  return wishes.get(shop) ?? [];
}

/** Keeps the latest few: anybody may wish. */
export function addWish(shop: string, wish: string): void {
  wishes.set(shop, [wish.slice(0, 80), ...wishesOf(shop)].slice(0, 10));
}
