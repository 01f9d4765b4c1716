import type { GraphQLResolveInfo } from 'graphql';
import type { GraphqlContext } from '../../graphql/graphql-execution.js';
import type { OwnResolverContext, OwnResolvers } from '../../state/nodes/own-resolvers.js';
import type { NodeReader } from './node-reader.js';

type Field = (args: object, context: GraphqlContext, info: GraphQLResolveInfo) => unknown;

/**
 * A root whose fields are looked up when they are asked for. The resolvers of an app's tests come
 * first, also those that they add later.
 * @param stores finds what the store resolves a field with; undefined for one that it has no rules
 * for
 */
export function lookedUpRoot(
  stores: (name: string) => unknown,
  { queries, mutations }: OwnResolvers,
  call: OwnResolverContext,
  reader: NodeReader,
): Readonly<Record<string, unknown>> {
  const own =
    (name: string): Field =>
    async (args, context, info) => {
      const table = info.operation.operation === 'mutation' ? mutations : queries;
      const value: unknown = await table[name]?.({ ...args }, call);
      if (value !== undefined)
        return reader.shaped(value, info.returnType, { args, context, info });
      const field = stores(name) as Field | undefined;
      return field ? field(args, context, info) : context.missing(root, args, context, info);
    };
  const root: Readonly<Record<string, unknown>> = new Proxy(
    {},
    {
      get: (_, name) => {
        if (typeof name !== 'string') return undefined;
        const isOwn = Object.hasOwn(queries, name) || Object.hasOwn(mutations, name);
        return isOwn ? own(name) : stores(name);
      },
    },
  );
  return root;
}
