import type { GraphQLResolveInfo } from 'graphql';
import type { GraphqlContext } from '../../graphql/graphql-execution.js';
import type { OwnResolverContext, OwnResolvers } from '../../state/nodes/own-resolvers.js';
import type { NodeReader } from './node-reader.js';

type Field = (args: object, context: GraphqlContext, info: GraphQLResolveInfo) => unknown;

/** A root whose fields the resolvers of an app's tests come before. */
export function withOwnResolvers(
  root: Readonly<Record<string, unknown>>,
  { queries, mutations }: OwnResolvers,
  call: OwnResolverContext,
  reader: NodeReader,
): Record<string, unknown> {
  const own: Record<string, Field> = {};
  for (const name of [...Object.keys(queries), ...Object.keys(mutations)]) {
    const stores = root[name] as Field | undefined;
    own[name] = async (args, context, info) => {
      const table = info.operation.operation === 'mutation' ? mutations : queries;
      const value: unknown = await table[name]?.({ ...args }, call);
      if (value !== undefined)
        return reader.shaped(value, info.returnType, { args, context, info });
      return stores ? stores(args, context, info) : context.missing(root, args, context, info);
    };
  }
  return { ...root, ...own };
}
