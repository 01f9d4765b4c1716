import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DevStore, type DevShop } from '../../../../lib/dev-store/index.js';

const ARN = 'arn:aws:events:us-east-1::event-source/aws.partner/shopify.com/1/source';

interface Payload {
  webhookSubscription: { id: string; uri: string; filter: string | null } | null;
  userErrors: Array<{ field: string[]; message: string }>;
}

describe('A webhook subscription of a simulated shop', () => {
  let devStore: DevStore;
  let shop: DevShop;
  let token: string;

  beforeAll(async () => {
    devStore = await DevStore.open({
      apps: [{ apiKey: 'key', apiSecretKey: 'hush', appUrl: 'http://localhost:3000' }],
      limits: { graphql: 'off' },
    });
    shop = devStore.shop();
    token = shop.install('key', { scopes: ['write_products'] });
  });
  afterAll(() => devStore.close());

  const run = async (mutation: string, input: string, variables: object): Promise<Payload> => {
    const isUpdate = mutation.endsWith('Update');
    const query = `mutation (${isUpdate ? '$id: ID!' : '$topic: WebhookSubscriptionTopic!'}, $input: ${input}!) {
      result: ${mutation}(${isUpdate ? 'id: $id' : 'topic: $topic'}, webhookSubscription: $input) {
        webhookSubscription { id uri filter }
        userErrors { field message }
      }
    }`;
    const reply = await fetch(`${shop.origin}/admin/api/2026-07/graphql.json`, {
      method: 'POST',
      headers: { 'X-Shopify-Access-Token': token, 'Content-Type': 'application/json' },
      body: JSON.stringify({ query, variables }),
    });
    const { data, errors } = (await reply.json()) as { data: { result: Payload }; errors?: object };
    expect(errors).toBeUndefined();
    return data.result;
  };
  const create = (input: object, topic = 'SHOP_UPDATE'): Promise<Payload> =>
    run('webhookSubscriptionCreate', 'WebhookSubscriptionInput', { topic, input });
  const refused = (field: string[], ...messages: string[]): Payload => ({
    webhookSubscription: null,
    userErrors: messages.map((message) => ({ field: ['webhookSubscription', ...field], message })),
  });

  // The fields and the texts are the platform's.
  it.each<[object, Payload]>([
    [{}, refused(['callbackUrl'], "Address can't be blank")],
    [{ uri: '   ' }, refused(['callbackUrl'], "Address can't be blank")],
    [{ uri: 'https://' }, refused(['callbackUrl'], 'Address is invalid')],
    [
      { uri: 'https://example.com/'.padEnd(65_536, 'a') },
      refused(['callbackUrl'], 'Address is too big (maximum is 64 KB)'),
    ],
    [
      { uri: 'https://example.com/', filter: `${'id:1 '.repeat(13_107)}2` },
      refused([], 'The specified filter exceeds the maximum allowed size.'),
    ],
    [
      { uri: 'http://example.com/hook' },
      refused(['callbackUrl'], 'Address protocol http:// is not supported'),
    ],
    [
      { uri: 'ftp://example.com/hook' },
      refused(['callbackUrl'], 'Address protocol ftp:// is not supported'),
    ],
    [
      { uri: 'https://another.myshopify.com/hook' },
      refused(['callbackUrl'], 'Address cannot be a Shopify or an internal domain'),
    ],
    [
      { uri: 'https://shopify.com/hook' },
      refused(['callbackUrl'], 'Address cannot be a Shopify or an internal domain'),
    ],
    [
      { uri: 'kafka://broker/topic' },
      refused(
        ['callbackUrl'],
        'Address protocol kafka:// is not supported',
        'Address is not a valid kafka topic',
      ),
    ],
    [
      { uri: 'pubsub://my-project' },
      refused(
        ['callbackUrl'],
        'Address protocol pubsub:// is not supported',
        'Address is not a valid GCP pub/sub format. Format should be pubsub://project:topic',
      ),
    ],
    [
      { uri: 'pubsub://-bad:topic' },
      refused(['callbackUrl'], 'Address is invalid', 'Address is not a valid GCP project id.'),
    ],
    [
      { uri: 'pubsub://valid-project:goog-prefixed' },
      refused(['callbackUrl'], 'Address is invalid', 'Address is not a valid GCP topic id.'),
    ],
    [
      { uri: 'pubsub://valid-project:1topic' },
      refused(['callbackUrl'], 'Address is invalid', 'Address is not a valid GCP topic id.'),
    ],
    [
      { uri: 'arn:aws:events:us-east-1::event-source/aws.partner/shopify.com/1' },
      refused(['callbackUrl'], 'Address is invalid', 'Address is not a valid AWS ARN'),
    ],
    [
      { uri: 'arn:aws:events:bogus' },
      refused(['callbackUrl'], 'Address is invalid', 'Address is not a valid AWS ARN'),
    ],
    [
      { uri: 'pubsub://valid-project:topic', format: 'XML' },
      refused(['format'], "Format can only be used with format: 'json'"),
    ],
    [
      { uri: ARN, format: 'XML' },
      refused(['format'], "Format can only be used with format: 'json'"),
    ],
    [
      { uri: 'https://example.com/hook', name: '' },
      refused(
        ['name'],
        'Name is too short (minimum is 1 character)',
        'Name name field can only contain alphanumeric characters, underscores, and hyphens',
      ),
    ],
    [
      { uri: 'https://example.com/hook', name: 'has spaces' },
      refused(
        ['name'],
        'Name name field can only contain alphanumeric characters, underscores, and hyphens',
      ),
    ],
    [
      { uri: 'https://example.com/hook', filter: 'customer_id:7 bareword' },
      refused(
        [],
        'The specified filter is invalid, please ensure you specify the field(s) you wish to filter on.',
      ),
    ],
  ])('is refused with %.100j', async (input, payload) => {
    expect(await create(input)).toEqual(payload);
  });

  it.each([
    [{ uri: 'https://example.com/a', name: 'all_of-them7' }],
    [{ uri: 'https://notshopify.com/a', format: 'XML' }],
    [{ uri: 'https://example.com/b', filter: 'customer_id:7 AND (status:open OR -total:>9)' }],
    [{ uri: 'https://example.com/c', filter: '' }],
    [{ uri: 'http://localhost:3000/hooks' }],
    [{ uri: 'pubsub://123456789012:topic%25' }],
    [{ uri: ARN }],
  ])('is created with %j', async (input) => {
    expect(await create(input)).toMatchObject({
      webhookSubscription: { uri: input.uri },
      userErrors: [],
    });
  });

  it('takes texts of the largest size, an address without the spaces around it, and no XML where there is none', async () => {
    const uri = 'https://example.com/'.padEnd(65_535, 'a');
    const filter = 'id:1 '.repeat(13_107);
    expect(await create({ uri, filter })).toMatchObject({
      webhookSubscription: { uri, filter },
      userErrors: [],
    });
    expect(await create({ uri: '  https://example.com/h  ' })).toMatchObject({
      webhookSubscription: { uri: 'https://example.com/h' },
    });
    expect(
      await create({ uri: 'https://example.com/x', format: 'XML' }, 'RETURNS_APPROVE'),
    ).toEqual(
      refused(['format'], "Format 'xml' is invalid for this webhook topic. Allowed formats: json"),
    );
  });

  it('is found by its id, its dates and its format, and names the app in its namespaces', async () => {
    const input = { uri: 'https://example.com/found', metafieldNamespaces: ['$app:own', 'custom'] };
    const { webhookSubscription } = await create(input, 'PRODUCTS_UPDATE');
    const number = webhookSubscription!.id.split('/').at(-1);
    const query = `query ($id: String!) {
      webhookSubscriptions(first: 9, query: $id) { nodes { id metafieldNamespaces } }
      later: webhookSubscriptions(first: 9, query: "created_at:>2100-01-01") { nodes { id } }
      before: webhookSubscriptionsCount(query: "updated_at:<=2100-01-01") { precision }
      one: webhookSubscriptionsCount(query: $id) { count precision }
      none: webhookSubscriptionsCount(query: "id:1") { count precision }
      xml: webhookSubscriptions(first: 9, format: XML, topics: [PRODUCTS_UPDATE]) { nodes { id } }
    }`;
    const reply = await fetch(`${shop.origin}/admin/api/2026-07/graphql.json`, {
      method: 'POST',
      headers: { 'X-Shopify-Access-Token': token, 'Content-Type': 'application/json' },
      body: JSON.stringify({ query, variables: { id: `id:${number}` } }),
    });
    const { data } = (await reply.json()) as { data: unknown };
    expect(data).toEqual({
      webhookSubscriptions: {
        nodes: [
          {
            id: webhookSubscription!.id,
            metafieldNamespaces: [expect.stringMatching(/^app--\d+--own$/), 'custom'],
          },
        ],
      },
      later: { nodes: [] },
      before: { precision: 'EXACT' },
      one: { count: 1, precision: 'EXACT' },
      none: { count: 0, precision: 'EXACT' },
      xml: { nodes: [] },
    });
  });

  it('to a queue is refused in the fields of its own mutations', async () => {
    const pubSub = {
      topic: 'SHOP_UPDATE',
      input: { pubSubProject: '-bad', pubSubTopic: '1topic' },
    };
    expect(
      await run('pubSubWebhookSubscriptionCreate', 'PubSubWebhookSubscriptionInput', pubSub),
    ).toEqual({
      webhookSubscription: null,
      userErrors: [
        {
          field: ['webhookSubscription', 'pubSubProject'],
          message: 'Google Cloud Pub/Sub project ID is not valid',
        },
        {
          field: ['webhookSubscription', 'pubSubTopic'],
          message: 'Google Cloud Pub/Sub topic ID is not valid',
        },
      ],
    });
    const bridge = { topic: 'SHOP_UPDATE', input: { arn: 'arn:aws:events:bogus' } };
    expect(
      await run(
        'eventBridgeWebhookSubscriptionCreate',
        'EventBridgeWebhookSubscriptionInput',
        bridge,
      ),
    ).toEqual(refused(['arn'], 'Address is invalid', 'Address is not a valid AWS ARN'));
  });

  it('that is refused a change stays as it was', async () => {
    const filter = 'customer_id:7';
    const { webhookSubscription } = await create({ uri: 'https://example.com/kept', filter });
    const id = webhookSubscription?.id;
    const update = (input: object): Promise<Payload> =>
      run('webhookSubscriptionUpdate', 'WebhookSubscriptionInput', { id, input });
    expect(await update({ filter: 'bareword' })).toEqual(
      refused(
        [],
        'The specified filter is invalid, please ensure you specify the field(s) you wish to filter on.',
      ),
    );
    expect(await update({ uri: 'ftp://example.com/' })).toEqual(
      refused(['callbackUrl'], 'Address protocol ftp:// is not supported'),
    );
    expect(await update({ uri: 'pubsub://my-project:topic', format: 'XML' })).toEqual(
      refused(['format'], "Format can only be used with format: 'json'"),
    );
    expect(await update({ name: 'named' })).toEqual({
      webhookSubscription: { id, uri: 'https://example.com/kept', filter },
      userErrors: [],
    });
  });

  it('of another type is no subscription', async () => {
    const query = '{ webhookSubscription(id: "gid://shopify/Product/1") { id } }';
    const reply = await fetch(`${shop.origin}/admin/api/2026-07/graphql.json`, {
      method: 'POST',
      headers: { 'X-Shopify-Access-Token': token, 'Content-Type': 'application/json' },
      body: JSON.stringify({ query }),
    });
    expect(await reply.json()).toMatchObject({
      data: { webhookSubscription: null },
      errors: [{ extensions: { code: 'RESOURCE_NOT_FOUND' } }],
    });
  });
});
