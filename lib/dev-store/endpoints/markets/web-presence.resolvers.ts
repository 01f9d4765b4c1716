import type { NodeWriter } from '../nodes/node-writer.js';
import { userError } from '../nodes/user-errors.js';
import {
  mainDomain,
  presenceErrors,
  presenceFields,
  presenceInput,
  type PresenceInput,
} from './web-presence-input.js';

const NONE = userError(['id'], "The market web presence wasn't found.", 'WEB_PRESENCE_NOT_FOUND');
const MAIN = userError(
  ['id'],
  'The shop must have a web presence that uses the primary domain.',
  'SHOP_MUST_HAVE_PRIMARY_DOMAIN_WEB_PRESENCE',
);

/**
 * The resolvers of the mutations of web presences: the addresses and languages of markets.
 * @see https://shopify.dev/docs/api/admin-graphql/latest/mutations/webPresenceCreate
 */
export function webPresenceRoot({ reader, view }: NodeWriter): Record<string, unknown> {
  const { nodes, defaults } = reader.store;
  const isThere = (id: string): boolean => nodes.find(id)?.type === 'MarketWebPresence';
  return {
    webPresenceCreate: ({ input }: { readonly input: PresenceInput }) => {
      const userErrors = presenceErrors(nodes, input);
      if (userErrors.length > 0) return { webPresence: null, userErrors };
      const { id } = nodes.create('MarketWebPresence', presenceFields(nodes, input, defaults));
      return { webPresence: view(id), userErrors };
    },
    webPresenceUpdate: ({ id, input }: { readonly id: string; readonly input: PresenceInput }) => {
      const before = presenceInput(nodes, id);
      const userErrors = isThere(id) ? presenceErrors(nodes, input, { id, input: before }) : [NONE];
      if (userErrors.length > 0) return { webPresence: null, userErrors };
      const place = { url: defaults.url, main: mainDomain(nodes, id) };
      nodes.update(id, presenceFields(nodes, { ...before, ...input }, place));
      return { webPresence: view(id), userErrors };
    },
    webPresenceDelete: ({ id }: { readonly id: string }) => {
      const error = !isThere(id) ? NONE : mainDomain(nodes, id) ? MAIN : undefined;
      if (error) return { deletedId: null, userErrors: [error] };
      nodes.delete(id);
      return { deletedId: id, userErrors: [] };
    },
  };
}
