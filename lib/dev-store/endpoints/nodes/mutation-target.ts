import type { GraphQLArgument, GraphQLSchema } from 'graphql';
import { capital, singular } from '../../base/text-values.js';
import { isComposite, isList, namedType, possibleTypes } from '../../graphql/schema-types.js';
import type { MutationShape } from './mutation-shape.js';
import { typeOfId } from './node-reader.js';

/** One run of a mutation by convention. */
export interface MutationRun {
  readonly shape: MutationShape;
  readonly args: Readonly<Record<string, unknown>>;
  readonly known: readonly GraphQLArgument[];
  readonly schema: GraphQLSchema;
}

/** Where the ids of the nodes stand that a mutation is about, and which these are. */
interface MutationTarget {
  /** The name of the argument, or of the field of an input. */
  readonly name: string;
  /** Whether there are any, of whatever type. */
  readonly isGiven: boolean;
  /** Those that are given, and of a type that the mutation is about. */
  readonly ids: readonly string[];
}

/**
 * What a mutation is about: the ids in `id`, `customerId` and the like, or in another argument with
 * ids of its type. Undefined when the schema has no place for them, or has no such ids in it.
 */
export function targetOf(run: MutationRun): MutationTarget | undefined {
  const { shape, args } = run;
  const places = placesOfIds(run.known);
  const names = namesOfIds(shape);
  const named = names.flatMap((name) => places.filter((place) => place.at(-1) === name));
  const given = (place: readonly string[]): string[] => idsAt(args, place);
  const place =
    named.find((one) => given(one).length > 0) ??
    (shape.type.name === 'Node'
      ? undefined
      : places.find((one) => given(one).some((id) => isAbout(run, id)))) ??
    named[0];
  if (!place) return undefined;
  const all = given(place);
  const ids = all.filter((id) => isAbout(run, id));
  return { name: String(place.at(-1)), isGiven: all.length > 0, ids };
}

/** Whether a node is of a type that a mutation is about, by its id. */
export function isAbout({ shape, schema }: MutationRun, id: string): boolean {
  const type = typeOfId(id);
  const { name } = shape.type;
  if (name === 'Node') return singular(type).endsWith(capital(lastWord(shape.noun)));
  return type === `${name}Node` || possibleTypes(schema, shape.type).includes(type);
}

/** Whether a mutation adds to a node of the type that it seems to create. */
export function addsToOwner({ shape, known }: MutationRun): boolean {
  return known.some(({ name }) => name === `${uncapital(shape.type.name)}Id`);
}

/** The names that an id has: `id`, `customerId`; `addressId` where a `customerAddress` goes. */
function namesOfIds({ noun, type }: MutationShape): readonly string[] {
  const nouns =
    type.name === 'Node'
      ? [noun, singular(noun), uncapital(lastWord(noun))]
      : [noun, uncapital(type.name)];
  return ['id', 'ids', ...nouns.flatMap((name) => [`${name}Id`, `${name}Ids`])];
}

/** The ids at a place of the arguments. */
export function idsAt(args: object, place: readonly string[]): string[] {
  const value = place.reduce<unknown>((at, key) => Object(at)[key], args);
  return [value].flat().filter((one): one is string => typeof one === 'string');
}

/** Every place of ids: arguments, and the fields of inputs in them. */
export function placesOfIds(known: readonly GraphQLArgument[]): readonly (readonly string[])[] {
  return known.flatMap(({ name, type }) => {
    const named = namedType(type);
    if (named.name === 'ID') return [[name]];
    const isInput = 'getFields' in named && !isComposite(named) && !isList(type);
    return isInput && name !== 'identifier'
      ? Object.entries(named.getFields()).flatMap(([field, { type: inner }]) =>
          namedType(inner).name === 'ID' ? [[name, field]] : [],
        )
      : [];
  });
}

/** `Address` of `customerAddress`, in the singular. */
function lastWord(noun: string): string {
  return singular(noun.split(/(?=[A-Z])/).at(-1) ?? noun);
}

function uncapital(word: string): string {
  return word.charAt(0).toLowerCase() + word.slice(1);
}
