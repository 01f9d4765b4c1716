import { idOf } from '../base/vendor.js';

/** A global id of another type than the field looks up. */
export class ForeignIdError extends Error {
  readonly extensions = { code: 'RESOURCE_NOT_FOUND' };

  constructor(id: string) {
    super(`Invalid id: ${id}`);
  }
}

/** What a mutation changes is not in the shop, and its payload has no user error for that. */
export class UnknownTargetError extends Error {
  readonly extensions = { code: 'RESOURCE_NOT_FOUND' };

  constructor() {
    super('invalid id');
  }
}

/** An object is looked up by a metafield, of which no definition makes an id. */
export class NoCustomIdError extends Error {
  readonly extensions = { code: 'NOT_FOUND' };

  constructor() {
    super("Metafield definition of type 'id' is required when using custom ids.");
  }
}

/** A field was called with none, or several, of the arguments of which it takes one. */
export class FieldArgumentsError extends Error {
  readonly extensions = { code: 'INVALID_FIELD_ARGUMENTS' };

  constructor(field: string, names: readonly string[]) {
    super(
      `${field} must include exactly one of the following arguments: ${[...names].sort().join(', ')}.`,
    );
  }
}

/** The value of an argument is refused before the field does anything. */
export class InvalidArgumentError extends Error {
  readonly extensions = { code: 'INVALID_FIELD_ARGUMENTS' };
}

/** The number in a global id of a type. @throws ForeignIdError for the id of another type */
export function typedId(type: string, id: string): number {
  const number = idOf(type, id);
  if (number === undefined) throw new ForeignIdError(id);
  return number;
}

/** A root field that the store does not simulate. */
export class NotSimulatedError extends Error {
  readonly extensions = { code: 'NOT_SIMULATED' };

  /** @param kind `queries` or `mutations` */
  constructor(kind: 'queries' | 'mutations', field: string) {
    super(
      `The DevStore does not simulate "${field}". Give it a resolver in your test: devStore.${kind}.${field} = (args, context) => ({ … });`,
    );
  }
}
