import type { GraphQLField } from 'graphql';
import { errorFields, notFound } from './mutation-shape.js';
import { idsAt, placesOfIds } from './mutation-target.js';
import { typeOfId, type NodeReader } from './node-reader.js';

/**
 * The payload of a mutation that names an object which is not there, whatever it would do: a user
 * error about the first such id, in the words that the platform has for most of them. Undefined
 * when everything that it names is there.
 * @param isLooked which places of ids count, by their names; all by default
 */
export function unknownTarget(
  reader: NodeReader,
  field: GraphQLField<unknown, unknown>,
  args: object,
  isLooked: (place: readonly string[]) => boolean = () => true,
): object | undefined {
  const errors = errorFields(field);
  if (errors.length === 0) return undefined;
  // The schema has arguments in the order of the alphabet; what the mutation is about comes first.
  const places = placesOfIds(field.args)
    .filter(isLooked)
    .sort((a, b) => distance(field.name, a) - distance(field.name, b));
  for (const place of places) {
    const missing = idsAt(args, place).find((id) => !reader.view(id));
    if (missing === undefined) continue;
    const error = notFound({ noun: typeOfId(missing), errors }, place.slice(-1));
    return Object.fromEntries(errors.map(({ name }, index) => [name, index === 0 ? [error] : []]));
  }
  return undefined;
}

/**
 * The payload of a mutation that would create something for an object which is not there: an
 * argument names it, such as `customerId`.
 */
export function unknownOwner(
  reader: NodeReader,
  field: GraphQLField<unknown, unknown>,
  args: object,
): object | undefined {
  return unknownTarget(reader, field, args, (place) => place.length === 1);
}

/** How late the name of a mutation has that of an id: `companyId` before `customerId`. */
function distance(mutation: string, place: readonly string[]): number {
  const subject = place.at(-1)?.replace(/Ids?$/, '').toLowerCase() ?? '';
  if (/^ids?$/.test(subject)) return 0;
  const at = mutation.toLowerCase().indexOf(subject);
  return at < 0 ? mutation.length + place.length : at;
}
