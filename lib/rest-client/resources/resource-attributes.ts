/** The attributes of a resource, by the platform's names; undeclared ones are among them. */
export type Attributes = Record<string, unknown>;

/** The named attributes. */
export function picked(attributes: Readonly<Attributes>, names: readonly string[]): Attributes {
  return Object.fromEntries(
    names.flatMap((name) => (Object.hasOwn(attributes, name) ? [[name, attributes[name]]] : [])),
  );
}
