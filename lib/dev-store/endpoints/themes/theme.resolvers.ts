import { connection, type ConnectionArgs } from '../../graphql/graphql.connection.js';
import type { GraphqlContext } from '../../graphql/graphql-execution.js';
import { matchesPattern } from '../../faults/pattern.js';
import type { NodeFields, StoredNode } from '../../state/nodes/node-store.js';
import type { ThemeFiles } from '../../state/themes/theme-files.js';
import type { NodeWriter } from '../nodes/node-writer.js';

const TYPE = 'OnlineStoreTheme';

interface ThemesArgs extends ConnectionArgs {
  roles?: readonly string[] | null;
  names?: readonly string[] | null;
}

interface CreateArgs {
  name?: string | null;
  role?: string | null;
}

type Args = { readonly id: string };

/**
 * The resolvers of themes: one is the main theme at any time.
 * @see https://shopify.dev/docs/api/admin-graphql/latest/objects/OnlineStoreTheme
 */
export function themesRoot(
  { reader, changed, view }: NodeWriter,
  themes: ThemeFiles,
): Record<string, unknown> {
  const { nodes } = reader.store;
  const find = (id: string): StoredNode | undefined => {
    const node = nodes.find(id);
    return node?.type === TYPE ? node : undefined;
  };
  const refused = (result: string, message: string, code: string | null): object => ({
    [result]: null,
    userErrors: [{ field: ['id'], message, code }],
  });
  const missing = (result: string): object => refused(result, 'Theme does not exist', 'NOT_FOUND');
  /** A theme whose files are copied after the call. */
  const created = (fields: NodeFields, from: string | undefined): string => {
    const { id } = nodes.create(TYPE, { processing: true, ...fields });
    themes.fill(id, from);
    nodes.afterCall(() => nodes.update(id, { processing: false }));
    changed('create', id, nodes.fieldsOf(id));
    return id;
  };
  return {
    themes: ({ roles, names, ...args }: ThemesArgs, context: GraphqlContext) => {
      const found = nodes
        .all([TYPE])
        .filter(({ fields: { role, name } }) => {
          const isOfRole = !roles?.length || roles.includes(String(role));
          return (
            isOfRole && (!names?.length || names.some((one) => matchesPattern(one, String(name))))
          );
        })
        .map(({ id, number }) => ({ id: number, gid: id }));
      return connection(found, args, context, ({ gid }) => view(gid) ?? {});
    },
    themeCreate: ({ name, role }: CreateArgs) => {
      if (role && role !== 'UNPUBLISHED' && role !== 'DEVELOPMENT') {
        const message = `Theme role ${role} is not allowed for theme creation`;
        return {
          theme: null,
          userErrors: [{ field: ['role'], message, code: 'INVALID_THEME_ROLE_FOR_THEME_CREATION' }],
        };
      }
      const id = created({ name: name ?? 'Theme', role: role ?? 'UNPUBLISHED' }, undefined);
      return { theme: view(id), userErrors: [] };
    },
    themeDuplicate: ({ id, name }: Args & { name?: string | null }) => {
      const node = find(id);
      if (!node) return missing('newTheme');
      const copy = { name: name ?? `Copy of ${String(node.fields['name'])}`, role: 'UNPUBLISHED' };
      return { newTheme: view(created(copy, id)), userErrors: [] };
    },
    themeUpdate: ({ id, input }: Args & { input: { name?: string | null } }) => {
      if (!find(id)) return missing('theme');
      if (input.name != null && !input.name.trim()) {
        const field = ['input', 'name'];
        return {
          theme: null,
          userErrors: [{ field, message: "Name can't be blank", code: 'INVALID' }],
        };
      }
      if (input.name != null) nodes.update(id, { name: input.name });
      changed('update', id, nodes.fieldsOf(id));
      return { theme: view(id), userErrors: [] };
    },
    themePublish: ({ id }: Args) => {
      if (!find(id)) return missing('theme');
      for (const other of nodes.all([TYPE]))
        if (other.id !== id && other.fields['role'] === 'MAIN')
          nodes.update(other.id, { role: 'UNPUBLISHED' });
      nodes.update(id, { role: 'MAIN' });
      changed('update', id, nodes.fieldsOf(id));
      changed.topic('themes/publish', id);
      return { theme: view(id), userErrors: [] };
    },
    themeDelete: ({ id }: Args) => {
      const node = find(id);
      if (!node) return missing('deletedThemeId');
      if (node.fields['role'] === 'MAIN')
        return refused('deletedThemeId', 'The main theme cannot be deleted', null);
      nodes.delete(id);
      changed('delete', id, node.fields);
      return { deletedThemeId: id, userErrors: [] };
    },
  };
}
