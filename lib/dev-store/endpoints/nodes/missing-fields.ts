import { demandOneOf } from '../../graphql/graphql-access.js';
import { NotSimulatedError } from '../../graphql/graphql.errors.js';
import type { GraphqlContext } from '../../graphql/graphql-execution.js';
import { connectionNode, fieldsOf, namedType } from '../../graphql/schema-types.js';
import { mutationShape } from './mutation-shape.js';
import { targetOf, type MutationRun } from './mutation-target.js';
import { demandAccess } from './node-access.js';
import { NodeMutations } from './node-mutations.js';
import { nodeQueries } from './node-queries.js';
import { typeOfId, type NodeReader } from './node-reader.js';
import type { NodeWriter } from './node-writer.js';
import { ON_DEMAND_FIELDS } from './on-demand-fields.js';
import { unknownTarget } from './unknown-targets.js';

/** What the resolution of missing fields depends on. */
interface MissingFieldsOptions {
  readonly reader: NodeReader;
  readonly writer: NodeWriter;
  /** Whether the call covers a scope. */
  readonly mayUse: (scope: string) => boolean;
}

type Missing = GraphqlContext['missing'];
type Info = Parameters<Missing>[3];

/**
 * Resolves the fields that no resolver and no view has: root fields by the platform's conventions,
 * those of objects from the stored nodes. Mutations of which the conventions do not say what they
 * do refuse what is not there, and else fail with a {@link NotSimulatedError}.
 */
export function missingFields({ reader, writer, mayUse }: MissingFieldsOptions): Missing {
  const queries = nodeQueries(reader);
  const mutations = new NodeMutations(reader, writer.changed, writer.apiKey);
  const demand = (info: Info, verb: 'read' | 'write', args: object = {}): void => {
    demandAccess(info.fieldName, [subjectOf(info, args), verb], mayUse);
  };
  const conventional: Missing = (source, args, context, info) => {
    const { fieldName, parentType, schema } = info;
    if (parentType === schema.getQueryType()) {
      demand(info, 'read');
      return queries(source, args, context, info);
    }
    demand(info, 'write', args as object);
    const field = parentType.getFields()[fieldName];
    const result =
      mutations.run(source, args, context, info) ??
      (field && unknownTarget(reader, field, args as object));
    if (result) return result;
    throw new NotSimulatedError('mutations', fieldName);
  };
  return (source, args, context, info) => {
    const { fieldName, parentType, schema } = info;
    const isQuery = parentType === schema.getQueryType();
    if (!isQuery && parentType !== schema.getMutationType())
      return reader.resolve(source, args, context, info);
    const ruled = ON_DEMAND_FIELDS.find(({ names }) => names.test(fieldName));
    if (writer.apiKey === undefined || !ruled) return conventional(source, args, context, info);
    return import('./on-demand-root.js').then(({ onDemandRoot }) => {
      const resolve = onDemandRoot(ruled.area, writer)[fieldName];
      if (!resolve) return conventional(source, args, context, info);
      const scopes = ruled.scopes.map((handle) => `${isQuery ? 'read' : 'write'}_${handle}`);
      demandOneOf(fieldName, scopes, mayUse);
      return resolve(args as object, context, info);
    });
  };
}

/** The type that a root field is about; that of the node itself where the schema leaves it open. */
function subjectOf({ fieldName, parentType, returnType, schema }: Info, args: object): string {
  const field = parentType.getFields()[fieldName];
  const shape =
    parentType === schema.getMutationType() && field ? mutationShape(schema, field) : undefined;
  if (field && shape?.type.name === 'Node') {
    const run = { shape, args: args as MutationRun['args'], known: field.args, schema };
    return typeOfId(targetOf(run)?.ids[0] ?? '');
  }
  if (shape) return shape.type.name;
  const type = namedType(returnType);
  const list = fieldsOf(parentType)[fieldName.replace(/Count$/, '')];
  const counted = type.name === 'Count' && list ? namedType(list.type) : type;
  return (connectionNode(counted) ?? counted).name;
}
