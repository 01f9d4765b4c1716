import { idOf } from '../../base/vendor.js';
import { AccessDenied } from '../../graphql/graphql-access.js';
import type { NodeFields } from '../../state/nodes/node-store.js';
import { demandAccess } from '../nodes/node-access.js';
import type { NodeWriter } from '../nodes/node-writer.js';

interface FeedbackFields {
  readonly productId: string;
  readonly messages?: readonly string[] | null;
  readonly state: 'ACCEPTED' | 'REQUIRES_ACTION';
  readonly feedbackGeneratedAt: unknown;
  readonly productUpdatedAt?: unknown;
}

/**
 * The resolvers of what a sales channel tells a merchant about a product or the shop, and of the
 * feeds of products.
 * @see https://shopify.dev/docs/apps/build/sales-channels/product-feedback
 */
export function feedbackRoot(
  { reader, catalog, apiKey }: NodeWriter,
  mayUse: (scope: string) => boolean,
): Record<string, unknown> {
  const { nodes } = reader.store;
  const demand = (field: string, verb: 'read' | 'write'): void => {
    const scope = `${verb}_resource_feedbacks`;
    if (!mayUse(scope)) throw new AccessDenied(field, scope, requiredOf(scope));
  };
  /** The field of a product that holds what the app says: others neither see nor replace it. */
  const ofApp = `resourceFeedbackOf ${String(apiKey)}`;
  const unknownFeed = (id: string): readonly object[] =>
    nodes.find(id)?.type === 'ProductFeed'
      ? []
      : [{ field: ['id'], message: 'ProductFeed does not exist', code: null }];
  return {
    bulkProductResourceFeedbackCreate: (args: { feedbackInput: readonly FeedbackFields[] }) => {
      demand('bulkProductResourceFeedbackCreate', 'write');
      const userErrors = args.feedbackInput.flatMap(({ productId }, index) =>
        catalog.find(idOf('Product', productId) ?? NaN)
          ? []
          : [
              {
                field: ['feedbackInput', String(index), 'productId'],
                ...{ message: 'Product does not exist', code: 'PRODUCT_NOT_FOUND' },
              },
            ],
      );
      if (userErrors.length > 0) return { feedback: [], userErrors };
      const feedback = args.feedbackInput.map(({ messages, ...fields }): NodeFields => ({
        ...{ __typename: 'ProductResourceFeedback', ...fields, messages: messages ?? [] },
        channel: null,
      }));
      for (const one of feedback) nodes.update(String(one['productId']), { [ofApp]: one });
      return { feedback, userErrors };
    },

    productResourceFeedback: ({ id }: { id: string }) => {
      demand('productResourceFeedback', 'read');
      return nodes.fieldsOf(id)[ofApp] ?? null;
    },

    shopResourceFeedbackCreate: ({ input }: { input: Omit<FeedbackFields, 'productId'> }) => {
      demand('shopResourceFeedbackCreate', 'write');
      const { messages, state, feedbackGeneratedAt } = input;
      if (state === 'REQUIRES_ACTION' && !messages?.length)
        return {
          feedback: null,
          userErrors: [
            { field: ['feedback', 'messages'], message: "Messages can't be blank", code: 'BLANK' },
          ],
        };
      return {
        feedback: {
          __typename: 'AppFeedback',
          ...{ state, feedbackGeneratedAt, channel: null, link: null },
          messages: (messages ?? []).map((message) => ({ field: null, message })),
        },
        userErrors: [],
      };
    },

    productFullSync: ({ id }: { id: string }) => {
      const userErrors = unknownFeed(id);
      return userErrors.length > 0 ? { id: null, userErrors } : undefined;
    },

    productFeedDelete: ({ id }: { id: string }) => {
      demandAccess('productFeedDelete', ['ProductFeed', 'write'], mayUse);
      const userErrors = unknownFeed(id);
      if (userErrors.length === 0) nodes.delete(id);
      return { deletedId: userErrors.length > 0 ? null : id, userErrors };
    },
  };
}

function requiredOf(scope: string): string {
  return `\`${scope}\` access scope. Also: App must be configured to use the Storefront API or as a Sales Channel.`;
}
