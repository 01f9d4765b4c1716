import { randomUUID } from 'node:crypto';
import { globalId } from '../../base/vendor.js';
import type { NodeStore } from '../../state/nodes/node-store.js';

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

/** The resolver of the query for a job: null for an id that no mutation has answered. */
export function jobRoot(nodes: NodeStore): Record<string, unknown> {
  return {
    job: ({ id }: { readonly id: string }) =>
      'done' in nodes.fieldsOf(id) ? { __typename: 'Job', id } : null,
  };
}
