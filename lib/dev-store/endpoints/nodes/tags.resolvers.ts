import { idOf } from '../../base/vendor.js';
import { demandAccess } from './node-access.js';
import { typeOfId } from './node-reader.js';
import { cleanTags } from '../../base/text-values.js';
import type { NodeWriter } from './node-writer.js';

interface TagsArgs {
  id: string;
  tags: readonly string[];
}

/** The resolvers of the mutations that add tags to nodes and take them off. */
export function tagsRoot(
  { reader, catalog, changed, view }: NodeWriter,
  mayUse: (scope: string) => boolean,
): Record<string, unknown> {
  const { nodes } = reader.store;
  const change =
    (field: string, changedTags: (before: string[], tags: string[]) => string[]) =>
    ({ id, tags }: TagsArgs): object => {
      const type = typeOfId(id);
      demandAccess(field, [type, 'write'], mayUse);
      const product = catalog.find(idOf('Product', id) ?? NaN);
      const stored = nodes.find(id);
      const node = stored && reader.store.hides(stored) ? undefined : stored;
      if (!node && !product) {
        const words = type.replace(
          /(.)([A-Z])/g,
          (_, before: string, letter: string) => `${before} ${letter.toLowerCase()}`,
        );
        const error = { field: ['id'], message: `${words} does not exist` };
        return { node: null, userErrors: [error] };
      }
      const before = (product?.tags ?? node?.fields['tags'] ?? []) as string[];
      const after = cleanTags(changedTags(before, cleanTags(tags)));
      if (product) catalog.update(product.id, { tags: after });
      else {
        nodes.update(id, { tags: after });
        changed('update', id, nodes.fieldsOf(id));
      }
      return { node: view(id), userErrors: [] };
    };
  return {
    tagsAdd: change('tagsAdd', (before, tags) => [...before, ...tags]),
    tagsRemove: change('tagsRemove', (before, tags) => {
      const removed = tags.map((tag) => tag.toLowerCase());
      return before.filter((tag) => !removed.includes(tag.toLowerCase()));
    }),
  };
}
