import { DevStore } from '../../../lib/dev-store/index.js';
import type { DeclaredDefinitions, DevApp, DevStoreOptions } from '../../../lib/dev-store/index.js';

/** What a field answered: each test knows the shape of what it has asked for. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Data = any;

/** What a call answered. */
export interface Answer {
  readonly data: Data;
  readonly errors?: readonly { message: string; extensions?: { code?: string } }[];
}

/** Calls the Admin API of the shop as one app. */
export type Call = (query: string, variables?: Record<string, unknown>) => Promise<Answer>;

/** As the configuration file of the official template has them. */
export const DEFINITIONS: DeclaredDefinitions = {
  product: {
    metafields: {
      app: { demo_info: { type: 'single_line_text_field', name: 'Demo Source Info' } },
    },
  },
  metaobjects: {
    app: {
      example: {
        name: 'Example',
        display_name_field: 'title',
        fields: {
          title: { name: 'Title', type: 'single_line_text_field', required: true },
          description: 'multi_line_text_field',
          rank: 'number_integer',
        },
      },
    },
  },
};

const app = (apiKey: string, definitions?: DeclaredDefinitions): DevApp => ({
  apiKey,
  apiSecretKey: `secret of ${apiKey}`,
  appUrl: 'http://localhost:3000',
  ...(definitions ? { definitions } : {}),
});

/** A store with an app that has definitions, and another app. */
export async function openStore({
  definitions = DEFINITIONS,
  limits = {},
}: {
  readonly definitions?: DeclaredDefinitions;
  readonly limits?: DevStoreOptions['limits'];
} = {}): Promise<{
  devStore: DevStore;
  call: (apiKey: string, scopes: string) => Call;
}> {
  const devStore = await DevStore.open({
    apps: [app('own', definitions), app('other')],
    deliveryRetries: [],
    limits,
  });
  const { domain } = devStore.shop();
  return {
    devStore,
    call: (apiKey, scopes) => {
      const token = devStore.shop().install(apiKey, { scopes });
      return async (query, variables = {}) => {
        const answer = await devStore.fetch(`https://${domain}/admin/api/2026-07/graphql.json`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-shopify-access-token': token },
          body: JSON.stringify({ query, variables }),
        });
        return (await answer.json()) as Answer;
      };
    },
  };
}
