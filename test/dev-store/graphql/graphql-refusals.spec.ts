import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createAdminApiClient } from '../../../lib/graphql-client/index.js';
import { DevStore, type DevShop } from '../../../lib/dev-store/index.js';

interface Refusal {
  message: string;
  path?: Array<string | number>;
  locations?: Array<{ line: number; column: number }>;
  extensions?: Record<string, unknown>;
}

describe('A call that the platform refuses', () => {
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

  const answer = async (body: object): Promise<Record<string, unknown>> => {
    const reply = await fetch(`${shop.origin}/admin/api/2026-07/graphql.json`, {
      method: 'POST',
      headers: { 'X-Shopify-Access-Token': token, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(reply.status).toBe(200);
    return (await reply.json()) as Record<string, unknown>;
  };
  /** The errors of a call of which nothing is executed: there is neither data nor a cost. */
  const refusalsOf = async (query: string, variables: object = {}): Promise<Refusal[]> => {
    const { errors, ...rest } = await answer({ query, variables });
    expect(rest).toEqual({});
    return errors as Refusal[];
  };

  // As recorded, but for the names.
  it.each<[string, string, Refusal]>([
    [
      'its syntax',
      'query Cut {\n  shop {\n    id\n',
      {
        message: 'syntax error, unexpected end of file at [3, 5]',
        locations: [{ line: 3, column: 5 }],
        extensions: { code: 'PARSE_ERROR' },
      },
    ],
    [
      'an object without selections',
      'query Bare {\n  shop\n}\n',
      {
        message:
          "Field must have selections (field 'shop' returns Shop but has no selections. Did you mean 'shop { ... }'?)",
        locations: [{ line: 2, column: 3 }],
        path: ['query Bare', 'shop'],
        extensions: { code: 'selectionMismatch', nodeName: "field 'shop'", typeName: 'Shop' },
      },
    ],
    [
      'a field of a query that does not exist',
      'query Odd {\n  noField {\n    id\n  }\n}\n',
      {
        message: "Field 'noField' doesn't exist on type 'QueryRoot'",
        locations: [{ line: 2, column: 3 }],
        path: ['query Odd', 'noField'],
        extensions: { code: 'undefinedField', typeName: 'QueryRoot', fieldName: 'noField' },
      },
    ],
    [
      'a mutation that does not exist',
      'mutation Odd {\n  noField(input: {}) {\n    id\n  }\n}\n',
      {
        message: "Field 'noField' doesn't exist on type 'Mutation'",
        locations: [{ line: 2, column: 3 }],
        path: ['mutation Odd', 'noField'],
        extensions: { code: 'undefinedField', typeName: 'Mutation', fieldName: 'noField' },
      },
    ],
    [
      'a field of an item that does not exist',
      'query Odd {\n  products(first: 1) {\n    nodes {\n      id\n      noField\n    }\n  }\n}\n',
      {
        message: "Field 'noField' doesn't exist on type 'Product'",
        locations: [{ line: 5, column: 7 }],
        path: ['query Odd', 'products', 'nodes', 'noField'],
        extensions: { code: 'undefinedField', typeName: 'Product', fieldName: 'noField' },
      },
    ],
    [
      'an enum value that does not exist',
      'mutation Odd {\n  webhookSubscriptionCreate(topic: NO_TOPIC, webhookSubscription: {}) { userErrors { message } }\n}',
      {
        message:
          "Argument 'topic' on Field 'webhookSubscriptionCreate' has an invalid value (NO_TOPIC). Expected type 'WebhookSubscriptionTopic!'.",
        locations: [{ line: 2, column: 3 }],
        path: ['mutation Odd', 'webhookSubscriptionCreate', 'topic'],
        extensions: {
          code: 'argumentLiteralsIncompatible',
          typeName: 'Field',
          argumentName: 'topic',
        },
      },
    ],
    [
      'an id that is none',
      'query Odd {\n  bulkOperation(id: "not-a-gid") {\n    id\n  }\n}\n',
      {
        message: "Invalid global id 'not-a-gid'",
        locations: [{ line: 2, column: 3 }],
        path: ['query Odd', 'bulkOperation', 'id'],
        extensions: { code: 'argumentLiteralsIncompatible', typeName: 'CoercionError' },
      },
    ],
  ])('for %s is told so', async (_, query, refusal) => {
    expect(await refusalsOf(query)).toEqual([refusal]);
  });

  // In the words of the library that the platform runs.
  it.each<[string, string, Array<string | number> | undefined, Record<string, unknown>]>([
    [
      '{ shop { name { first } } }',
      `Selections can't be made on scalars (field 'name' returns String but has selections ["first"])`,
      ['query', 'shop', 'name'],
      { code: 'selectionMismatch', nodeName: "field 'name'", typeName: 'String' },
    ],
    [
      '{ shop { currencyCode { ... on Shop { id } } } }',
      `Selections can't be made on enums (field 'currencyCode' returns CurrencyCode but has selections ["... on Shop { ... }"])`,
      ['query', 'shop', 'currencyCode'],
      { code: 'selectionMismatch', nodeName: "field 'currencyCode'", typeName: 'CurrencyCode' },
    ],
    [
      '{ webhookSubscriptions(first: 1) { nodes { endpoint { arn } } } }',
      "Selections can't be made directly on unions (see selections on WebhookSubscriptionEndpoint)",
      ['query', 'webhookSubscriptions', 'nodes', 'endpoint', 'arn'],
      { code: 'selectionMismatch', nodeName: 'WebhookSubscriptionEndpoint' },
    ],
    [
      '{ node(id: "gid://shopify/Product/1") { ... on Product { noField } } }',
      "Field 'noField' doesn't exist on type 'Product'",
      ['query', 'node', '... on Product', 'noField'],
      { code: 'undefinedField', typeName: 'Product', fieldName: 'noField' },
    ],
    [
      'query A { shop { ...B } } fragment B on Shop { noField }',
      "Field 'noField' doesn't exist on type 'Shop'",
      ['fragment B', 'noField'],
      { code: 'undefinedField', typeName: 'Shop', fieldName: 'noField' },
    ],
    [
      '{ all: products(first: 1, color: "red") { nodes { id } } }',
      "Field 'products' doesn't accept argument 'color'",
      ['query', 'all', 'color'],
      {
        code: 'argumentNotAccepted',
        name: 'products',
        typeName: 'Field',
        argumentName: 'color',
      },
    ],
    [
      '{ shop { name @include(unless: true, if: true) } }',
      "Directive 'include' doesn't accept argument 'unless'",
      ['query', 'shop', 'name', 'unless'],
      {
        code: 'argumentNotAccepted',
        name: 'include',
        typeName: 'Directive',
        argumentName: 'unless',
      },
    ],
    [
      'mutation { productCreate(product: { title: "A", color: "red" }) { product { id } } }',
      "InputObject 'ProductCreateInput' doesn't accept argument 'color'",
      ['mutation', 'productCreate', 'product', 'color'],
      {
        code: 'argumentNotAccepted',
        name: 'ProductCreateInput',
        typeName: 'InputObject',
        argumentName: 'color',
      },
    ],
    [
      'mutation M { webhookSubscriptionCreate { userErrors { message } } }',
      "Field 'webhookSubscriptionCreate' is missing required arguments: topic, webhookSubscription",
      ['mutation M', 'webhookSubscriptionCreate'],
      {
        code: 'missingRequiredArguments',
        className: 'Field',
        name: 'webhookSubscriptionCreate',
        arguments: 'topic, webhookSubscription',
      },
    ],
    [
      'mutation { productDelete(input: {}) { deletedProductId } }',
      "Argument 'id' on InputObject 'ProductDeleteInput' is required. Expected type ID!",
      ['mutation', 'productDelete', 'input', 'id'],
      {
        code: 'missingRequiredInputObjectAttribute',
        argumentName: 'id',
        argumentType: 'ID!',
        inputObjectType: 'ProductDeleteInput',
      },
    ],
    [
      'mutation { stagedUploadsCreate(input: [{ resource: FILE, filename: "a.txt" }]) { userErrors { message } } }',
      "Argument 'mimeType' on InputObject 'StagedUploadInput' is required. Expected type String!",
      ['mutation', 'stagedUploadsCreate', 'input', 0, 'mimeType'],
      {
        code: 'missingRequiredInputObjectAttribute',
        argumentName: 'mimeType',
        argumentType: 'String!',
        inputObjectType: 'StagedUploadInput',
      },
    ],
    [
      '{ products(first: "two") { nodes { id } } }',
      `Argument 'first' on Field 'products' has an invalid value ("two"). Expected type 'Int'.`,
      ['query', 'products', 'first'],
      { code: 'argumentLiteralsIncompatible', typeName: 'Field', argumentName: 'first' },
    ],
    [
      '{ product(id: null) { id } }',
      "Argument 'id' on Field 'product' has an invalid value (null). Expected type 'ID!'.",
      ['query', 'product', 'id'],
      { code: 'argumentLiteralsIncompatible', typeName: 'Field', argumentName: 'id' },
    ],
    [
      'mutation { productCreate(product: { tags: ["a", 2] }) { product { id } } }',
      `Argument 'tags' on InputObject 'ProductCreateInput' has an invalid value (["a", 2]). Expected type '[String!]'.`,
      ['mutation', 'productCreate', 'product', 'tags'],
      { code: 'argumentLiteralsIncompatible', typeName: 'InputObject', argumentName: 'tags' },
    ],
    [
      'mutation { stagedUploadsCreate(input: [{ filename: "a", mimeType: 1, resource: BULK_MUTATION_VARIABLES }]) { userErrors { message } } }',
      "Argument 'mimeType' on InputObject 'StagedUploadInput' has an invalid value (1). Expected type 'String!'.",
      ['mutation', 'stagedUploadsCreate', 'input', 0, 'mimeType'],
      { code: 'argumentLiteralsIncompatible', typeName: 'InputObject', argumentName: 'mimeType' },
    ],
    [
      '{ nodes(ids: ["gid://shopify/Product/1", "7"]) { id } }',
      "Invalid global id '7'",
      ['query', 'nodes', 'ids'],
      { code: 'argumentLiteralsIncompatible', typeName: 'CoercionError' },
    ],
    [
      '{ shop { ... on Shape { id } } }',
      "No such type Shape, so it can't be a fragment condition",
      ['query', 'shop', '... on Shape'],
      { code: 'undefinedType', typeName: 'Shape' },
    ],
    [
      'query Q($id: Id!) { product(id: $id) { id } }',
      "Id isn't a defined input type (on $id)",
      ['query Q'],
      { code: 'variableRequiresValidType', typeName: 'Id', variableName: 'id' },
    ],
    [
      'query Q($id: Shop!) { product(id: $id) { id } }',
      "Shop isn't a valid input type (on $id)",
      ['query Q'],
      { code: 'variableRequiresValidType', typeName: 'Shop', variableName: 'id' },
    ],
    [
      'query Q($id: String!) { product(id: $id) { id } }',
      'Type mismatch on variable $id and argument id (String! / ID!)',
      ['query Q', 'product', 'id'],
      {
        code: 'variableMismatch',
        variableName: 'id',
        typeName: 'String!',
        argumentName: 'id',
        errorMessage: 'Type mismatch',
      },
    ],
    [
      'query Q($id: ID) { product(id: $id) { id } }',
      'Nullability mismatch on variable $id and argument id (ID / ID!)',
      ['query Q', 'product', 'id'],
      {
        code: 'variableMismatch',
        variableName: 'id',
        typeName: 'ID',
        argumentName: 'id',
        errorMessage: 'Nullability mismatch',
      },
    ],
    [
      'query Q($ids: [ID!]) { product(id: $ids) { id } }',
      'List dimension mismatch on variable $ids and argument id ([ID!] / ID!)',
      ['query Q', 'product', 'id'],
      {
        code: 'variableMismatch',
        variableName: 'ids',
        typeName: '[ID!]',
        argumentName: 'id',
        errorMessage: 'List dimension mismatch',
      },
    ],
    [
      'query Q($id: ID!, $more: Int) { product(id: $id) { id } }',
      'Variable $more is declared by Q but not used',
      ['query Q'],
      { code: 'variableNotUsed', variableName: 'more' },
    ],
    [
      'query { product(id: $id) { id } }',
      'Variable $id is used by anonymous query but not declared',
      ['query', 'product', 'id'],
      { code: 'variableNotDefined', variableName: 'id' },
    ],
    [
      '{ shop { ...Gone } }',
      'Fragment Gone was used, but not defined',
      ['query', 'shop', '... Gone'],
      { code: 'useAndDefineFragment', fragmentName: 'Gone' },
    ],
    [
      '{ shop { id } } fragment Idle on Shop { id }',
      'Fragment Idle was defined, but not used',
      ['fragment Idle'],
      { code: 'useAndDefineFragment', fragmentName: 'Idle' },
    ],
    [
      '{ shop { ...Loop } } fragment Loop on Shop { ...Loop }',
      'Fragment Loop contains an infinite loop',
      ['fragment Loop', '... Loop'],
      { code: 'infiniteLoop', fragmentName: 'Loop' },
    ],
    [
      '{ shop { ... on Product { id } } }',
      "Fragment on Product can't be spread inside Shop",
      ['query', 'shop', '... on Product'],
      {
        code: 'cannotSpreadFragment',
        typeName: 'Product',
        fragmentName: 'unknown',
        parentName: 'Shop',
      },
    ],
    [
      '{ shop { ...P } } fragment P on Product { id }',
      "Fragment P on Product can't be spread inside Shop",
      ['query', 'shop', '... P'],
      { code: 'cannotSpreadFragment', typeName: 'Product', fragmentName: 'P', parentName: 'Shop' },
    ],
    [
      '{ shop { a: name a: email } }',
      "Field 'a' has a field conflict: name or email?",
      ['query', 'shop', 'a'],
      { code: 'fieldConflict', fieldName: 'a', conflicts: 'name or email' },
    ],
    [
      '{ shop { name @upper } }',
      'Directive @upper is not defined',
      ['query', 'shop', 'name'],
      { code: 'undefinedDirective', directiveName: 'upper' },
    ],
    [
      'query A { shop { id } } query A { shop { name } }',
      'Operation name "A" must be unique',
      undefined,
      { code: 'uniquelyNamedOperations', operationName: 'A' },
    ],
    [
      '{ products(first: 1, first: 2) { nodes { id } } }',
      'There can be only one argument named "first"',
      ['query', 'products', 'first'],
      { code: 'argumentNotUnique', name: 'first' },
    ],
  ])('as %s is told: %s', async (query, message, path, extensions) => {
    const [refusal] = await refusalsOf(query);
    expect(refusal).toMatchObject({ message, extensions, locations: [expect.anything()] });
    if (path) expect(refusal?.path).toEqual(path);
    expect(refusal?.extensions).toEqual(extensions);
  });

  it.each([
    ['mutation { productDelete(input: {}) { deletedProductId } }', 33],
    ['mutation { productDelete(input: { id: [1] }) { deletedProductId } }', 33],
    ['{ products(first: "two") { nodes { id } } }', 3],
  ])('as %s is shown at its object, else at its field', async (query, column) => {
    const [refusal] = await refusalsOf(query);
    expect(refusal?.locations).toEqual([{ line: 1, column }]);
  });

  it('for several reasons is told all of them', async () => {
    const query = 'query ($a: Int) { shop { noField } products(last: "x") { nodes { other } } }';
    expect((await refusalsOf(query)).map(({ extensions }) => extensions?.['code'])).toEqual(
      expect.arrayContaining([
        'undefinedField',
        'argumentLiteralsIncompatible',
        'undefinedField',
        'variableNotUsed',
      ]),
    );
  });

  it.each([
    ['{ shop { } }', 'syntax error, unexpected RCURLY ("}") at [1, 10]'],
    ['{ shop { name: } }', 'syntax error, unexpected RCURLY ("}") at [1, 16]'],
    ['query ($id) { shop { id } }', 'syntax error, unexpected RPAREN (")") at [1, 11]'],
    ['{ shop { name } } }', 'syntax error, unexpected RCURLY ("}") at [1, 19]'],
    ['select', 'syntax error, unexpected IDENTIFIER ("select") at [1, 1]'],
    ['{ shop { ? } }', 'syntax error, unexpected invalid token ("?") at [1, 10]'],
    [' ', 'syntax error, unexpected end of file'],
    [`{ ${'shop { id } '.repeat(4000)} }`, 'This query is too large to execute.'],
  ])('as its syntax is, %j, gets a parse error', async (query, message) => {
    const [refusal, ...others] = await refusalsOf(query);
    expect([refusal?.message, others]).toEqual([message, []]);
    expect(refusal?.extensions).toEqual({ code: 'PARSE_ERROR' });
    expect(refusal).not.toHaveProperty('path');
  });

  describe('for its variables', () => {
    const CREATE = `mutation Create(
  $webhookSubscription: PubSubWebhookSubscriptionInput!
) {
  pubSubWebhookSubscriptionCreate(topic: ORDERS_CREATE, webhookSubscription: $webhookSubscription) {
    userErrors { field message }
  }
}`;
    const variable = 'Variable $webhookSubscription of type PubSubWebhookSubscriptionInput!';

    // As recorded, but for the values.
    it.each<[object, string, unknown, object[]]>([
      [
        {},
        `${variable} was provided invalid value`,
        null,
        [{ path: [], explanation: 'Expected value to not be null' }],
      ],
      [
        { webhookSubscription: { pubSubProject: 'mine' } },
        `${variable} was provided invalid value for pubSubTopic (Expected value to not be null)`,
        { pubSubProject: 'mine' },
        [{ path: ['pubSubTopic'], explanation: 'Expected value to not be null' }],
      ],
      [
        { webhookSubscription: { pubSubProject: 'mine', pubSubTopic: 't', color: 'red' } },
        `${variable} was provided invalid value for color (Field is not defined on PubSubWebhookSubscriptionInput)`,
        { pubSubProject: 'mine', pubSubTopic: 't', color: 'red' },
        [
          {
            path: ['color'],
            explanation: 'Field is not defined on PubSubWebhookSubscriptionInput',
          },
        ],
      ],
      [
        { webhookSubscription: { pubSubProject: 7, pubSubTopic: 't', format: 'CSV' } },
        `${variable} was provided invalid value for format (Expected "CSV" to be one of: JSON, XML), pubSubProject (Could not coerce value 7 to String)`,
        { pubSubProject: 7, pubSubTopic: 't', format: 'CSV' },
        [
          { path: ['format'], explanation: 'Expected "CSV" to be one of: JSON, XML' },
          { path: ['pubSubProject'], explanation: 'Could not coerce value 7 to String' },
        ],
      ],
      [
        { webhookSubscription: 'mine' },
        `${variable} was provided invalid value`,
        'mine',
        [{ path: [], explanation: 'Expected "mine" to be a key-value object.' }],
      ],
      [
        { webhookSubscription: { pubSubProject: 'a', pubSubTopic: 'b', includeFields: ['c', 1] } },
        `${variable} was provided invalid value for includeFields.1 (Could not coerce value 1 to String)`,
        { pubSubProject: 'a', pubSubTopic: 'b', includeFields: ['c', 1] },
        [{ path: ['includeFields', 1], explanation: 'Could not coerce value 1 to String' }],
      ],
    ])('%j is told what is wrong with each', async (variables, message, value, problems) => {
      expect(await refusalsOf(CREATE, variables)).toEqual([
        {
          message,
          locations: [{ line: 2, column: 3 }],
          extensions: { code: 'INVALID_VARIABLE', value, problems },
        },
      ]);
    });

    it('of which scalars are not what they should be is told so', async () => {
      const query = `mutation ($url: URL!, $price: MoneyInput!) {
        appPurchaseOneTimeCreate(name: "A", returnUrl: $url, price: $price) {
          userErrors { message } } }`;
      const price = (amount: unknown): object => ({ amount, currencyCode: 'USD' });
      const url = "Invalid url 'not-a-url', missing scheme";
      expect(await refusalsOf(query, { url: 'not-a-url', price: price('many') })).toMatchObject([
        {
          message: 'Variable $url of type URL! was provided invalid value',
          extensions: { problems: [{ path: [], explanation: url, message: url }] },
        },
        {
          extensions: {
            problems: [
              { path: ['amount'], explanation: 'Could not coerce value "many" to Decimal' },
            ],
          },
        },
      ]);
      expect(await refusalsOf(query, { url: 'https://', price: price('1') })).toMatchObject([
        { extensions: { problems: [{ message: "Invalid url 'https://', missing host" }] } },
      ]);
      const written = (address: string, amount: string): string => `mutation {
        appPurchaseOneTimeCreate(
          name: "A", returnUrl: "${address}", price: { amount: ${amount}, currencyCode: USD }
        ) { userErrors { message } } }`;
      expect(await refusalsOf(written('', '1.5'))).toMatchObject([
        {
          message: "Invalid url '', missing scheme",
          extensions: { code: 'argumentLiteralsIncompatible', typeName: 'CoercionError' },
        },
      ]);
      expect(await refusalsOf(written('https://app.example/', '"1,5"'))).toMatchObject([
        {
          message:
            "Argument 'amount' on InputObject 'MoneyInput' has an invalid value (\"1,5\"). Expected type 'Decimal!'.",
          extensions: { code: 'argumentLiteralsIncompatible', typeName: 'InputObject' },
        },
      ]);
    });

    it('of which one is no global id is told so', async () => {
      const query =
        'query ($id: ID!, $n: Int) { product(id: $id) { id } products(first: $n) { nodes { id } } }';
      const explanation = "Invalid global id '123'";
      expect(await refusalsOf(query, { id: '123', n: 'many' })).toMatchObject([
        {
          message: 'Variable $id of type ID! was provided invalid value',
          extensions: {
            code: 'INVALID_VARIABLE',
            value: '123',
            problems: [{ path: [], explanation, message: explanation }],
          },
        },
        {
          message: 'Variable $n of type Int was provided invalid value',
          extensions: {
            problems: [{ path: [], explanation: 'Could not coerce value "many" to Int' }],
          },
        },
      ]);
    });
  });

  it('for a list of more than 250 items is told where it is', async () => {
    const tags = Array.from({ length: 251 }, (_, index) => `t${index}`);
    const query =
      'mutation ($product: ProductCreateInput) {\n  made: productCreate(product: $product) { product { id } }\n}';
    expect(await refusalsOf(query, { product: { title: 'A', tags } })).toEqual([
      {
        message: 'The input array size of 251 is greater than the maximum allowed of 250.',
        locations: [{ line: 2, column: 3 }],
        path: ['made', 'product', 'tags'],
        extensions: { code: 'MAX_INPUT_SIZE_EXCEEDED' },
      },
    ]);
    const ids = tags.map((_, index) => `"gid://shopify/Product/${index}"`);
    expect(await refusalsOf(`{ nodes(ids: [${ids.join(' ')}]) { id } }`)).toMatchObject([
      { path: ['nodes', 'ids'], extensions: { code: 'MAX_INPUT_SIZE_EXCEEDED' } },
    ]);
    expect(
      await answer({ query: `{ nodes(ids: [${ids.slice(1).join(' ')}]) { id } }` }),
    ).not.toHaveProperty('errors');
  });

  it('for its operation is told which is missing', async () => {
    const query = 'query A { shop { id } } query B { shop { name } }';
    expect(await answer({ query })).toEqual({
      errors: [{ message: 'An operation name is required' }],
    });
    expect(await answer({ query, operationName: 'C' })).toEqual({
      errors: [{ message: 'No operation named "C"' }],
    });
    expect(await answer({ query, operationName: 'B' })).toMatchObject({
      data: { shop: { name: 'Dev Shop' } },
    });
  });

  it('while it runs is told the place, and charged', async () => {
    expect(
      await answer({ query: '{\n  bulkOperation(id: "gid://shopify/Product/1") { id }\n}' }),
    ).toEqual({
      data: { bulkOperation: null },
      errors: [
        {
          message: 'Invalid id: gid://shopify/Product/1',
          locations: [{ line: 2, column: 3 }],
          path: ['bulkOperation'],
          extensions: { code: 'RESOURCE_NOT_FOUND' },
        },
      ],
      extensions: { cost: expect.objectContaining({ requestedQueryCost: 1, actualQueryCost: 1 }) },
    });
    for (const args of ['', '(product: { title: "A" }, input: { title: "A" })'])
      expect(
        await answer({ query: `mutation {\n  productCreate${args} { product { id } }\n}` }),
      ).toEqual({
        data: { productCreate: null },
        errors: [
          {
            message:
              'productCreate must include exactly one of the following arguments: input, product.',
            locations: [{ line: 2, column: 3 }],
            path: ['productCreate'],
            extensions: { code: 'INVALID_FIELD_ARGUMENTS' },
          },
        ],
        extensions: { cost: expect.objectContaining({ requestedQueryCost: 10 }) },
      });
  });

  it('reaches the caller of the toolkit as it is', async () => {
    const client = createAdminApiClient({
      storeDomain: shop.domain,
      apiVersion: '2026-07',
      accessToken: token,
      customFetchApi: devStore.fetch,
    });
    const { data, errors } = await client.request('{ shop { noField } }');
    expect(data).toBeUndefined();
    expect(errors).toMatchObject({
      networkStatusCode: 200,
      graphQLErrors: [
        {
          message: "Field 'noField' doesn't exist on type 'Shop'",
          path: ['query', 'shop', 'noField'],
          extensions: { code: 'undefinedField', typeName: 'Shop', fieldName: 'noField' },
        },
      ],
    });
  });
});
