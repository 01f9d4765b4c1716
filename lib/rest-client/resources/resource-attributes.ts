/** What a resource knows of itself, by the platform's names; also what nobody declared. */
export type Attributes = Record<string, unknown>;

/** Those of the attributes that are named. */
export function picked(attributes: Readonly<Attributes>, names: readonly string[]): Attributes {
  return Object.fromEntries(
    names.flatMap((name) => (Object.hasOwn(attributes, name) ? [[name, attributes[name]]] : [])),
  );
}
