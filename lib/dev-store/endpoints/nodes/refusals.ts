import type { GraphQLResolveInfo } from 'graphql';
import type { GraphqlContext } from '../../graphql/graphql-execution.js';
import { fieldsOf, namedType } from '../../graphql/schema-types.js';
import type { NodeError } from './mutation-shape.js';

/** Something in the input of a mutation for which the platform has no user error. */
export class InputError extends Error {
  readonly extensions: { readonly code: string };

  constructor(message: string, code = 'BAD_REQUEST') {
    super(message);
    this.extensions = { code };
  }
}

/** Why a mutation is refused; nothing when it is not. */
export type Check<Args = Record<string, unknown>> = (
  args: Args,
  info: GraphQLResolveInfo,
) => readonly NodeError[];

type Resolve = (args: object, context: GraphqlContext, info: GraphQLResolveInfo) => unknown;

/** The payload of a mutation that does nothing but tell why. */
export function refusedPayload(
  info: Pick<GraphQLResolveInfo, 'returnType'>,
  userErrors: readonly NodeError[],
): object {
  const fields = Object.entries(fieldsOf(namedType(info.returnType)));
  return Object.fromEntries(
    fields.flatMap(([name, { type }]): Array<[string, unknown]> => {
      if ('message' in fieldsOf(namedType(type))) return [[name, userErrors]];
      return type.toString().endsWith('!') ? [] : [[name, null]];
    }),
  );
}

/** Resolvers that refuse what a check says, and do the rest by the platform's conventions. */
export function checkedRoot(
  checks: Readonly<Record<string, Check<never>>>,
): Record<string, Resolve> {
  return Object.fromEntries(
    Object.entries(checks).map(([name, check]): [string, Resolve] => [
      name,
      (args, context, info) => {
        const errors = check(args as never, info);
        if (errors.length > 0) return refusedPayload(info, errors);
        return context.missing({}, args, context, info);
      },
    ]),
  );
}
