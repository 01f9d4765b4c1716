import { idOf } from '../../base/vendor.js';
import { AccessDenied } from '../../graphql/graphql-access.js';
import type { NodeFields } from '../../state/nodes/node-store.js';
import type { NodeWriter } from '../nodes/node-writer.js';

interface FeedbackFields {
  readonly productId: string;
  readonly messages?: readonly string[] | null;
  readonly state: 'ACCEPTED' | 'REQUIRES_ACTION';
  readonly feedbackGeneratedAt: unknown;
  readonly productUpdatedAt?: unknown;
}

const SCOPE = 'write_resource_feedbacks';

/**
 * The resolvers of what a sales channel tells a merchant about a product or the shop, and of the
 * feeds of products.
 * @see https://shopify.dev/docs/apps/build/sales-channels/product-feedback
 */
export function feedbackRoot(
  { reader, catalog }: NodeWriter,
  mayUse: (scope: string) => boolean,
): Record<string, unknown> {
  const { nodes } = reader.store;
  const demand = (field: string): void => {
    if (!mayUse(SCOPE)) throw new AccessDenied(field, SCOPE, REQUIRED);
  };
  const unknownFeed = (id: string): readonly object[] =>
    nodes.find(id)?.type === 'ProductFeed'
      ? []
      : [{ field: ['id'], message: 'ProductFeed does not exist', code: null }];
  return {
    bulkProductResourceFeedbackCreate: (args: { feedbackInput: readonly FeedbackFields[] }) => {
      demand('bulkProductResourceFeedbackCreate');
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
      for (const one of feedback)
        nodes.update(String(one['productId']), { resourceFeedbackOfApp: one });
      return { feedback, userErrors };
    },

    productResourceFeedback: ({ id }: { id: string }) =>
      nodes.fieldsOf(id)['resourceFeedbackOfApp'] ?? null,

    shopResourceFeedbackCreate: ({ input }: { input: Omit<FeedbackFields, 'productId'> }) => {
      demand('shopResourceFeedbackCreate');
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
      const userErrors = unknownFeed(id);
      if (userErrors.length === 0) nodes.delete(id);
      return { deletedId: userErrors.length > 0 ? null : id, userErrors };
    },
  };
}

const REQUIRED = `\`${SCOPE}\` access scope. Also: App must be configured to use the Storefront API or as a Sales Channel.`;
