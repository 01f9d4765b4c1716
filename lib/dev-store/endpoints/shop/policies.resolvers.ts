import type { NodeWriter } from '../nodes/node-writer.js';

interface PolicyArgs {
  shopPolicy: { type: string; body: string };
}

/** What the platform calls the policies of a shop. */
const TITLES: Readonly<Record<string, string>> = {
  CONTACT_INFORMATION: 'Contact',
  LEGAL_NOTICE: 'Legal notice',
  PRIVACY_POLICY: 'Privacy policy',
  REFUND_POLICY: 'Refund policy',
  SHIPPING_POLICY: 'Shipping policy',
  SUBSCRIPTION_POLICY: 'Cancellation policy',
  TERMS_OF_SALE: 'Terms of sale',
  TERMS_OF_SERVICE: 'Terms of service',
};

/** In bytes. */
const LONGEST_BODY = 512 * 1024;

/** The tags of Liquid that a privacy policy may have. */
const TAGS: ReadonlySet<string> = new Set(
  'assign break capture case comment continue cycle decrement echo else elsif endcase endcapture endcomment endfor endif endraw endtablerow endunless for if include increment liquid raw render tablerow unless when'.split(
    ' ',
  ),
);

/**
 * The resolver of the mutation that writes the policies of a shop, one of each type.
 * @see https://shopify.dev/docs/api/admin-graphql/latest/mutations/shopPolicyUpdate
 */
export function policiesRoot({ reader, changed, view }: NodeWriter): Record<string, unknown> {
  const { nodes } = reader.store;
  return {
    shopPolicyUpdate: ({ shopPolicy: { type, body } }: PolicyArgs) => {
      const problem = problemOf(type, body);
      if (problem) {
        const [message, code] = problem;
        const error = { field: ['shopPolicy', 'body'], message, code };
        return { shopPolicy: null, userErrors: [error] };
      }
      const known = nodes.all(['ShopPolicy']).find(({ fields }) => fields['type'] === type);
      const { id, number } = known ?? nodes.create('ShopPolicy', { type, title: TITLES[type] });
      const url = `${reader.store.defaults.url}/policies/${number}.html?locale=en`;
      nodes.update(id, { body, url });
      changed(known ? 'update' : 'create', id, nodes.fieldsOf(id));
      return { shopPolicy: view(id), userErrors: [] };
    },
  };
}

/** Why a text is no policy: the platform's message, and its code if it has one. */
function problemOf(type: string, body: string): [message: string, code: string | null] | undefined {
  if (Buffer.byteLength(body) > LONGEST_BODY)
    return ['Body is too big (maximum is 512 KB)', 'TOO_BIG'];
  if (type === 'SUBSCRIPTION_POLICY' && body.trim() === '')
    return ['Purchase options cancellation policy required', null];
  const tags = type === 'PRIVACY_POLICY' ? body.matchAll(/\{%-?\s*(\w+)/g) : [];
  for (const [, tag = ''] of tags)
    if (!TAGS.has(tag)) return [`Body Liquid syntax error: Unknown tag '${tag}'`, null];
  return undefined;
}
