import type { NodeStore, StoredNode } from '../../state/nodes/node-store.js';
import { DEFINITION } from './metafield-input.js';
import type { DefinitionError } from './definition-input.js';

const MOST_PINNED = 20;

/** The definitions of one kind of owner that are pinned. */
function pinned(nodes: NodeStore, ownerType: unknown): StoredNode[] {
  return nodes
    .all([DEFINITION])
    .filter(({ fields }) => fields['ownerType'] === ownerType && fields['pinnedPosition'] != null);
}

/** Why a definition cannot be pinned; undefined when it can. */
export function unpinnable(
  nodes: NodeStore,
  ownerType: unknown,
  isConstrained: boolean,
  field: readonly string[] | null,
): DefinitionError | undefined {
  if (isConstrained)
    return {
      field,
      message: 'Constrained metafield definitions do not support pinning.',
      code: 'UNSUPPORTED_PINNING',
    };
  return pinned(nodes, ownerType).length >= MOST_PINNED
    ? {
        field,
        message: `Limit of ${MOST_PINNED} pinned definitions.`,
        code: 'PINNED_LIMIT_REACHED',
      }
    : undefined;
}

/** Pins a definition after those that are. */
export function pin(nodes: NodeStore, { id, fields }: StoredNode): void {
  nodes.update(id, { pinnedPosition: pinned(nodes, fields['ownerType']).length + 1 });
}

/** Takes a definition out of those that are pinned, and moves up the ones after it. */
export function unpin(nodes: NodeStore, { id, fields }: StoredNode): void {
  const position = Number(fields['pinnedPosition']);
  for (const other of pinned(nodes, fields['ownerType'])) {
    const at = Number(other.fields['pinnedPosition']);
    if (at > position) nodes.update(other.id, { pinnedPosition: at - 1 });
  }
  nodes.update(id, { pinnedPosition: null });
}
