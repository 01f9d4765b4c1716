import type { NodeFields } from '../../state/nodes/node-store.js';
import type { NodeError } from '../nodes/mutation-shape.js';
import { inputError } from '../nodes/user-errors.js';
import type { DiscountKind } from './discount-kinds.js';

/** What the input of a discount is checked against. */
export interface DiscountPlace {
  /** The name of the argument, e.g. `basicCodeDiscount`. */
  readonly argument: string;
  readonly method: 'Code' | 'Automatic';
  readonly kind: DiscountKind;
  readonly isNew: boolean;
  /** Whether there is an object with an id. */
  readonly knows: (id: string) => boolean;
  /** Whether another discount has a code. */
  readonly isTaken: (code: string) => boolean;
}

/** What one part of an input is refused for. */
export type Part = (input: NodeFields, place: DiscountPlace) => readonly NodeError[];

/** The user error about a place in the input. */
export function at(
  { argument }: Pick<DiscountPlace, 'argument'>,
  path: string,
  message: string,
  code?: string,
): NodeError[] {
  return [inputError(`${argument}.${path}`, message, code)];
}

/** The value at a place in an input. */
export function within(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((from, key) => Object(from ?? {})[key], value);
}
