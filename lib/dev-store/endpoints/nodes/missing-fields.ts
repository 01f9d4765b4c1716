import { defaultValue, type DefaultsContext } from '../../graphql/default-values.js';
import type { GraphqlContext } from '../../graphql/graphql-execution.js';
import { NotSimulatedError } from '../../graphql/graphql.errors.js';

/**
 * Resolves the fields of objects for which the store has no value with the default of their type.
 * Root fields without a resolver fail with a {@link NotSimulatedError}.
 */
export function missingFields(defaults: DefaultsContext): GraphqlContext['missing'] {
  return (_source, _args, _context, { fieldName, parentType, returnType, schema }) => {
    if (parentType === schema.getQueryType()) throw new NotSimulatedError('queries', fieldName);
    if (parentType === schema.getMutationType())
      throw new NotSimulatedError('mutations', fieldName);
    return defaultValue(defaults, returnType, { schema });
  };
}
