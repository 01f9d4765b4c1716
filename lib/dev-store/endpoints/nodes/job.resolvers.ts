import { randomUUID } from 'node:crypto';
import { globalId } from '../../base/vendor.js';
import { ForeignIdError } from '../../graphql/graphql.errors.js';
import type { NodeStore } from '../../state/nodes/node-store.js';
import { typeOfId } from './node-reader.js';

/**
 * The job that a mutation answers. Its work is done at once; it says so to the calls after that of
 * the mutation.
 * @see https://shopify.dev/docs/api/admin-graphql/latest/objects/Job
 */
export function startedJob(nodes: NodeStore): object {
  const id = globalId('Job', randomUUID());
  nodes.update(id, { done: false });
  nodes.afterCall(() => nodes.update(id, { done: true }));
  return { __typename: 'Job', id };
}

/**
 * The resolver of the query for a job. The platform forgets jobs, and answers that one which it
 * does not know is done.
 */
export function jobRoot(nodes: NodeStore): Record<string, unknown> {
  return {
    job: ({ id }: { readonly id: string }) => {
      if (typeOfId(id) !== 'Job') throw new ForeignIdError(id);
      return { __typename: 'Job', id, done: nodes.fieldsOf(id)['done'] ?? true, query: {} };
    },
  };
}
