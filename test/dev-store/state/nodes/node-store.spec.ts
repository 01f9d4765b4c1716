import { describe, expect, it } from '@jest/globals';
import { IdSequence } from '../../../../lib/dev-store/state/id-sequence.js';
import { NodeStore } from '../../../../lib/dev-store/state/nodes/node-store.js';

describe('the nodes of a simulated shop', () => {
  it('get what was left by a call, even when a change before it fails', () => {
    const failed: unknown[] = [];
    const nodes = new NodeStore(() => new Date(), new IdSequence(0), {
      onFailure: (error) => failed.push(error),
    });
    const { id } = nodes.create('Job', { done: false });
    const error = new Error('No such thing');
    nodes.afterCall(() => {
      throw error;
    });
    nodes.afterCall(() => nodes.update(id, { done: true }));
    nodes.beginCall();
    expect(nodes.fieldsOf(id)).toEqual({ done: true });
    expect(failed).toEqual([error]);
    nodes.beginCall();
    expect(failed).toHaveLength(1);
  });
});
