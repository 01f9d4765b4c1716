import type { Metaobject, MetaobjectDefinition } from '../../state/metaobjects/metaobject-store.js';
import type { NodeStore } from '../../state/nodes/node-store.js';

/** The address of the page of an object in the online store; undefined when it has none. */
export function pagePath(
  { capabilities: { onlineStore, publishable } }: MetaobjectDefinition,
  { handle, capabilities }: Metaobject,
): string | undefined {
  const { urlHandle } = Object(onlineStore?.data) as { readonly urlHandle?: unknown };
  const { status } = Object(capabilities['publishable']) as { readonly status?: unknown };
  const isPublic = !publishable?.enabled || status === 'ACTIVE';
  return onlineStore?.enabled && typeof urlHandle === 'string' && isPublic
    ? `/pages/${urlHandle}/${handle}`
    : undefined;
}

/**
 * Redirects the page of an object to where it is now, unless it is where it was. Older redirects of
 * either path are deleted, so that none lead in a circle.
 */
export function redirectPage(
  nodes: NodeStore,
  path: string | undefined,
  target: string | undefined,
): void {
  if (path === undefined || target === undefined || path === target) return;
  for (const { id, fields } of nodes.all(['UrlRedirect']))
    if (fields['path'] === path || fields['path'] === target) nodes.delete(id);
  nodes.create('UrlRedirect', { path, target });
}
