import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DevStore, type DevShop, type DevStoreOptions } from '../../../../lib/dev-store/index.js';
import { openReceiver, type AppReceiver } from '../../app-receiver.js';

const SEEDS = [
  { title: 'Anvil', price: '90.00', sku: 'A-1' },
  { title: 'Bellows', price: '30.00', sku: 'B-1' },
];
const RUN =
  'mutation ($query: String!) { bulkOperationRunQuery(query: $query) { bulkOperation { id status } userErrors { field message code } } }';
const RUN_GROUPED =
  'mutation ($query: String!) { bulkOperationRunQuery(query: $query, groupObjects: true) { bulkOperation { id } userErrors { message } } }';
const RUN_MUTATION = `mutation ($mutation: String!, $path: String!) {
  bulkOperationRunMutation(mutation: $mutation, stagedUploadPath: $path) { bulkOperation { id type } userErrors { field message code } }
}`;
const STAGE = `mutation ($input: [StagedUploadInput!]!) {
  stagedUploadsCreate(input: $input) { stagedTargets { url resourceUrl parameters { name value } } userErrors { field message } }
}`;
const TITLES = '{ products { edges { node { id title } } } }';
const NESTED =
  '{ products { edges { node { id title variants { edges { node { id sku } } } } } } }';

interface Operation {
  id: string;
  status: string;
  url: string | null;
  partialDataUrl: string | null;
  errorCode: string | null;
  objectCount: string;
  rootObjectCount: string;
  fileSize: string | null;
}
interface Target {
  url: string;
  parameters: Array<{ name: string; value: string }>;
}

describe('Bulk operations of a simulated shop', () => {
  let app: AppReceiver;
  let devStore: DevStore;
  let shop: DevShop;
  let token: string;

  beforeEach(async () => {
    app = await openReceiver();
  });
  afterEach(() => Promise.all([devStore.close(), app.close()]));

  const open = async (options: DevStoreOptions = {}): Promise<void> => {
    const apps = [{ apiKey: 'key', apiSecretKey: 'hush', appUrl: app.url }];
    devStore = await DevStore.open({
      apps,
      shops: [{ domain: 'dev-shop.myshopify.com', products: SEEDS }],
      deliveryRetries: [],
      ...options,
    });
    shop = devStore.shop();
    token = shop.install('key', { scopes: ['write_products'] });
  };
  const run = async <T>(
    field: string,
    query: string,
    variables: object = {},
    version = '2026-07',
  ): Promise<T> => {
    const reply = await fetch(`${shop.origin}/admin/api/${version}/graphql.json`, {
      method: 'POST',
      headers: { 'X-Shopify-Access-Token': token, 'Content-Type': 'application/json' },
      body: JSON.stringify({ query, variables }),
    });
    const { data, errors } = (await reply.json()) as { data: Record<string, T>; errors?: unknown };
    expect(errors).toBeUndefined();
    return data[field] as T;
  };
  const operation = (id: string): Promise<Operation> =>
    run(
      'bulkOperation',
      'query ($id: ID!) { bulkOperation(id: $id) { id status url partialDataUrl errorCode objectCount rootObjectCount fileSize } }',
      { id },
    );
  const start = async (query: string, document = RUN): Promise<string> => {
    const { bulkOperation } = await run<{ bulkOperation: { id: string } }>(
      'bulkOperationRunQuery',
      document,
      { query },
    );
    return bulkOperation.id;
  };
  const linesOf = async (url: string | null): Promise<unknown[]> => {
    const text = await (await fetch(url ?? '')).text();
    return text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as unknown);
  };
  const resultOf = async (query: string, document = RUN): Promise<unknown[]> => {
    const id = await start(query, document);
    await shop.completeBulkOperations();
    return linesOf((await operation(id)).url);
  };

  describe('that query', () => {
    it('run until they are done and leave a file behind', async () => {
      await open({ bulkDuration: 'manual' });
      const started = await run('bulkOperationRunQuery', RUN, { query: TITLES });
      expect(started).toEqual({
        bulkOperation: {
          id: expect.stringMatching(/^gid:\/\/shopify\/BulkOperation\/\d+$/),
          status: 'CREATED',
        },
        userErrors: [],
      });
      const { id } = (started as { bulkOperation: { id: string } }).bulkOperation;
      await new Promise((resolve) => setTimeout(resolve, 1));
      expect(await operation(id)).toMatchObject({
        status: 'RUNNING',
        url: null,
        fileSize: null,
        objectCount: '0',
      });
      await shop.completeBulkOperations();
      const done = await operation(id);
      expect(done).toMatchObject({
        status: 'COMPLETED',
        errorCode: null,
        partialDataUrl: null,
        objectCount: '2',
        rootObjectCount: '2',
      });
      const file = await fetch(done.url ?? '');
      expect(file.headers.get('content-length')).toBe(done.fileSize);
      const [anvil, bellows] = shop.products;
      expect(await file.text()).toBe(
        `{"id":"gid://shopify/Product/${anvil?.id}","title":"Anvil"}\n{"id":"gid://shopify/Product/${bellows?.id}","title":"Bellows"}\n`,
      );
    });

    it('finish by themselves after their time', async () => {
      await open({ bulkDuration: 1 });
      const id = await start(TITLES);
      while ((await operation(id)).status !== 'COMPLETED')
        await new Promise((resolve) => setTimeout(resolve, 2));
      expect((await operation(id)).objectCount).toBe('2');
    });

    it('give the items of nested connections lines of their own, behind all parents or behind their own', async () => {
      await open({ bulkDuration: 'manual' });
      const [anvil, bellows] = shop.products.map(({ id, variants }) => ({
        product: `gid://shopify/Product/${id}`,
        variant: `gid://shopify/ProductVariant/${variants[0]?.id}`,
      }));
      const product = [
        { id: anvil?.product, title: 'Anvil' },
        { id: bellows?.product, title: 'Bellows' },
      ];
      const variant = [
        { id: anvil?.variant, sku: 'A-1', __parentId: anvil?.product },
        { id: bellows?.variant, sku: 'B-1', __parentId: bellows?.product },
      ];
      expect(await resultOf(NESTED)).toEqual([...product, ...variant]);
      expect(await resultOf(NESTED, RUN_GROUPED)).toEqual([
        product[0],
        variant[0],
        product[1],
        variant[1],
      ]);
      expect(shop.bulkOperations.at(-1)).toMatchObject({ objectCount: 4, rootObjectCount: 2 });
      const withFragments = `{ all: products(first: 1, query: "title:Bellows") { edges { node { ...F } } } } fragment F on Product { id kinds: variants { edges { node { sku } } } }`;
      expect(await resultOf(withFragments)).toEqual([
        { id: bellows?.product },
        { sku: 'B-1', __parentId: bellows?.product },
      ]);
    });

    it('ignore page sizes and answer everything', async () => {
      const products = Array.from({ length: 300 }, (_, index) => ({ title: `Nail ${index}` }));
      await open({
        bulkDuration: 'manual',
        shops: [{ domain: 'dev-shop.myshopify.com', products }],
      });
      expect(await resultOf('{ products(first: 5) { edges { node { title } } } }')).toEqual(
        products,
      );
    });

    it('leave no file when they find nothing', async () => {
      await open({ bulkDuration: 'manual' });
      const id = await start('{ products(query: "title:Zeppelin") { edges { node { id } } } }');
      await shop.completeBulkOperations();
      expect(await operation(id)).toMatchObject({
        status: 'COMPLETED',
        url: null,
        objectCount: '0',
        fileSize: null,
      });
    });

    it('fail when the app may not read what they ask for', async () => {
      await open({ bulkDuration: 'manual' });
      token = shop.install('key', { scopes: ['read_orders'] });
      const id = await start(TITLES);
      await shop.completeBulkOperations();
      expect(await operation(id)).toMatchObject({
        status: 'FAILED',
        errorCode: 'ACCESS_DENIED',
        url: null,
        partialDataUrl: null,
      });
    });

    it('fail on demand, with what they have found so far', async () => {
      await open({ bulkDuration: 'manual' });
      const id = await start(TITLES);
      await shop.failBulkOperations('TIMEOUT', 1);
      const failed = await operation(id);
      expect(failed).toMatchObject({
        status: 'FAILED',
        errorCode: 'TIMEOUT',
        url: null,
        objectCount: '1',
      });
      expect(await linesOf(failed.partialDataUrl)).toMatchObject([{ title: 'Anvil' }]);
    });

    const page = (field: string, inner: string): string =>
      `${field} { edges { node { ${inner} } } }`;
    const sixPages = [1, 2, 3, 4, 5, 6].map((n) => page(`p${n}: products`, 'id')).join(' ');

    // The texts are the platform's.
    it.each<[string, string[]]>([
      ['', ['Invalid bulk query: syntax error, unexpected end of file']],
      [
        '{ products { edges { node { nothing } } } }',
        ["Invalid bulk query: Field 'nothing' doesn't exist on type 'Product'"],
      ],
      ['{ shop { id } }', ['Bulk queries must contain at least one connection.']],
      [
        '{ node(id: "gid://shopify/Product/1") { id } }',
        [
          'Bulk queries cannot contain a top level `node` field.',
          'Bulk queries must contain at least one connection.',
        ],
      ],
      [
        '{ nodes(ids: []) { id } }',
        [
          'Bulk queries cannot contain a top level `nodes` field.',
          'Bulk queries must contain at least one connection.',
        ],
      ],
      [
        '{ products { nodes { id title } } }',
        [
          "All connection fields in a bulk query must select their contents using 'edges' > 'node', e.g: 'products { edges { node {'. Selecting via 'nodes' is not supported. Invalid connection fields: 'products'.",
        ],
      ],
      [
        `{ ${page('products', 'id variants { nodes { id } }')} webhookSubscriptions { nodes { id } } }`,
        [
          "All connection fields in a bulk query must select their contents using 'edges' > 'node', e.g: 'variants { edges { node {'. Selecting via 'nodes' is not supported. Invalid connection fields: 'variants', 'webhookSubscriptions'.",
        ],
      ],
      [
        `{ ${page('products', `title ${page('variants', 'id')}`)} }`,
        [
          "The parent 'node' field for a nested connection must select the 'id' field without an alias and must be of 'ID' return type. Connection fields without 'id': products.",
        ],
      ],
      [
        `{ ${page('products', `key: id ${page('variants', 'id')}`)} }`,
        [
          "The parent 'node' field for a nested connection must select the 'id' field without an alias and must be of 'ID' return type. Connection fields without 'id': products.",
        ],
      ],
      [`{ ${sixPages} }`, ['Bulk queries cannot contain more than 5 connections.']],
      [
        `{ ${page('products', `id ${page('variants', `id product { ${page('variants', `id product { ${page('variants', 'id')} }`)} }`)}`)} }`,
        ['Bulk queries cannot contain connections with a nesting depth greater than 2.'],
      ],
      [
        '{ currentAppInstallation { activeSubscriptions { lineItems { usageRecords { edges { node { id } } } } } } }',
        [
          'Queries that contain a connection field within a list field are not currently supported.',
        ],
      ],
      [
        'mutation { productCreate(product: { title: "A" }) { product { id } } }',
        ['Invalid operation type. Only `query` operations are supported.'],
      ],
      [
        `query ($q: String) { ${page('products(query: $q)', 'id')} }`,
        ['Bulk queries cannot use variables.'],
      ],
      [
        `query A { ${page('products', 'id')} } query B { ${page('products', 'id')} }`,
        ['Bulk queries must contain exactly one query operation.'],
      ],
      [
        '{ products { edges { n: node { id } } } }',
        ['Bulk queries cannot rename the fields of a connection.'],
      ],
    ])('are refused as %s', async (query, messages) => {
      await open();
      expect(await run('bulkOperationRunQuery', RUN, { query })).toEqual({
        bulkOperation: null,
        userErrors: messages.map((message) => ({ field: ['query'], message, code: 'INVALID' })),
      });
    });

    it('may nest connections two levels deep', async () => {
      await open({ bulkDuration: 'manual' });
      const inner = `id product { ${page('variants', 'sku')} }`;
      const query = `{ ${page('products', `id ${page('variants', inner)}`)} }`;
      expect((await resultOf(query)).length).toBeGreaterThan(2);
    });
  });

  describe('that mutate', () => {
    const CREATE =
      'mutation ($product: ProductCreateInput!) { productCreate(product: $product) { product { title } userErrors { message } } }';
    const JSONL =
      '{"product":{"title":"Chisel"}}\n{"product":{"title":""}}\n{"product":{"title":7}}\n';

    const stage = async (httpMethod: 'POST' | 'PUT'): Promise<Target> => {
      const input = [
        {
          filename: 'rows.jsonl',
          mimeType: 'text/jsonl',
          resource: 'BULK_MUTATION_VARIABLES',
          httpMethod,
        },
      ];
      const { stagedTargets, userErrors } = await run<{
        stagedTargets: Target[];
        userErrors: unknown[];
      }>('stagedUploadsCreate', STAGE, {
        input,
      });
      expect(userErrors).toEqual([]);
      return stagedTargets[0] as Target;
    };
    const formOf = ({ parameters }: Target, text: string): FormData => {
      const form = new FormData();
      for (const { name, value } of parameters) form.append(name, value);
      form.append('file', new Blob([text], { type: 'text/jsonl' }), 'rows.jsonl');
      return form;
    };
    const keyOf = (target: Target): string =>
      target.parameters.find(({ name }) => name === 'key')?.value ?? '';

    it('run once for each uploaded line and answer each with its number', async () => {
      await open({ bulkDuration: 'manual' });
      const target = await stage('POST');
      expect(
        (await fetch(target.url, { method: 'POST', body: formOf(target, JSONL) })).status,
      ).toBe(201);
      const started = await run('bulkOperationRunMutation', RUN_MUTATION, {
        mutation: CREATE,
        path: keyOf(target),
      });
      expect(started).toMatchObject({ bulkOperation: { type: 'MUTATION' }, userErrors: [] });
      await shop.completeBulkOperations();
      const { id } = (started as { bulkOperation: { id: string } }).bulkOperation;
      expect(await linesOf((await operation(id)).url)).toEqual([
        {
          data: { productCreate: { product: { title: 'Chisel' }, userErrors: [] } },
          __lineNumber: 0,
        },
        {
          data: {
            productCreate: { product: null, userErrors: [{ message: "Title can't be blank" }] },
          },
          __lineNumber: 1,
        },
        {
          errors: [
            expect.objectContaining({
              message: expect.stringContaining('title (Could not coerce value 7 to String)'),
            }),
          ],
          __lineNumber: 2,
        },
      ]);
      expect(shop.products.map(({ title }) => title)).toEqual(['Anvil', 'Bellows', 'Chisel']);
    });

    it('take a file that is put, too', async () => {
      await open({ bulkDuration: 'manual' });
      const target = await stage('PUT');
      expect(
        (await fetch(target.url, { method: 'PUT', body: '{"product":{"title":"Chisel"}}' })).status,
      ).toBe(200);
      const path = new URL(target.url).pathname.replace('/staged-uploads/', '');
      await run('bulkOperationRunMutation', RUN_MUTATION, { mutation: CREATE, path });
      await shop.completeBulkOperations();
      expect(shop.products.at(-1)?.title).toBe('Chisel');
    });

    it('take files of more than a megabyte', async () => {
      await open();
      const target = await stage('POST');
      expect(
        (
          await fetch(target.url, {
            method: 'POST',
            body: formOf(target, `${' '.repeat(2_000_000)}{}`),
          })
        ).status,
      ).toBe(201);
    });

    it('are refused without a file, with a bad one, and with a bad document', async () => {
      await open();
      const target = await stage('POST');
      const path = keyOf(target);
      const refusal = (mutation: string, at: string): Promise<unknown> =>
        run('bulkOperationRunMutation', RUN_MUTATION, { mutation, path: at });
      expect(await refusal(CREATE, 'tmp/nowhere')).toMatchObject({
        bulkOperation: null,
        userErrors: [{ code: 'NO_SUCH_FILE' }],
      });
      expect(await refusal(CREATE, path)).toMatchObject({ userErrors: [{ code: 'NO_SUCH_FILE' }] });
      await fetch(target.url, { method: 'POST', body: formOf(target, '{"product":{}}\nno json') });
      expect(await refusal(CREATE, path)).toMatchObject({
        userErrors: [{ code: 'INVALID_STAGED_UPLOAD_FILE' }],
      });
      const invalid = { field: null, code: 'INVALID_MUTATION' };
      const unsuited = { field: ['mutation'], code: null };
      // The texts are the platform's.
      for (const [mutation, error] of [
        [
          'mutation { not parseable',
          {
            ...invalid,
            message:
              'Failed to parse the mutation - syntax error, unexpected end of file at [1, 16]',
          },
        ],
        [
          'mutation { nothing }',
          {
            ...invalid,
            message:
              "Failed to parse the mutation - Field 'nothing' doesn't exist on type 'Mutation'",
          },
        ],
        [
          '{ shop { name } }',
          {
            ...invalid,
            message: 'Invalid operation type. Only `mutation` operations are supported.',
          },
        ],
        [
          `${CREATE.slice(0, -1)} again: productCreate(product: $product) { product { id } } }`,
          { ...unsuited, message: 'You must specify a single top level mutation.' },
        ],
        [
          'mutation ($id: ID!) { bulkOperationCancel(id: $id) { userErrors { message } } }',
          { ...unsuited, message: 'You must use an allowed mutation name.' },
        ],
      ] as const)
        expect(await refusal(mutation, path)).toEqual({ bulkOperation: null, userErrors: [error] });
    });

    it('upload nothing that is not signed, or that carries a token', async () => {
      await open();
      const target = await stage('POST');
      const tampered = {
        ...target,
        parameters: target.parameters.map((one) =>
          one.name === 'policy' ? { ...one, value: 'e30=' } : one,
        ),
      };
      const elsewhere = {
        ...target,
        parameters: target.parameters.map((one) =>
          one.name === 'key' ? { ...one, value: 'tmp/other' } : one,
        ),
      };
      const post = (body: FormData | string, headers = {}): Promise<number> =>
        fetch(target.url, { method: 'POST', body, headers }).then(({ status }) => status);
      expect(await post(formOf(tampered, JSONL))).toBe(403);
      expect(await post(formOf(elsewhere, JSONL))).toBe(403);
      expect(await post('no form')).toBe(400);
      expect(await post(formOf(target, JSONL), { 'X-Shopify-Access-Token': token })).toBe(400);
      const late = formOf({ ...target, parameters: [] }, JSONL);
      for (const { name, value } of target.parameters) late.append(name, value);
      expect(await post(late)).toBe(400);
    });
  });

  describe('in numbers', () => {
    const refused = (code: string): object => ({
      bulkOperation: null,
      userErrors: [{ field: null, message: expect.any(String), code }],
    });

    it('run one at a time before 2026-01', async () => {
      await open({ bulkDuration: 'manual' });
      const id = await start(TITLES);
      expect(await run('bulkOperationRunQuery', RUN, { query: TITLES }, '2025-10')).toEqual({
        bulkOperation: null,
        userErrors: [
          {
            field: null,
            message: `A bulk query operation for this app and shop is already in progress: ${id}.`,
            code: 'OPERATION_IN_PROGRESS',
          },
        ],
      });
      await shop.completeBulkOperations();
      expect(await run('bulkOperationRunQuery', RUN, { query: TITLES }, '2025-10')).toMatchObject({
        userErrors: [],
      });
    });

    it('run five at a time since', async () => {
      await open({ bulkDuration: 'manual' });
      for (let count = 0; count < 5; count++) await start(TITLES);
      expect(await run('bulkOperationRunQuery', RUN, { query: TITLES }, '2026-01')).toEqual(
        refused('LIMIT_REACHED'),
      );
      await shop.failBulkOperations();
      expect(await run('bulkOperationRunQuery', RUN, { query: TITLES }, '2026-01')).toMatchObject({
        userErrors: [],
      });
    });

    it('are listed, newest first, looked up as nodes, and the latest of a type is the current one', async () => {
      await open({ bulkDuration: 'manual' });
      const first = await start(TITLES);
      await shop.completeBulkOperations();
      const second = await start(NESTED);
      expect(await run('bulkOperations', '{ bulkOperations(first: 9) { nodes { id } } }')).toEqual({
        nodes: [{ id: second }, { id: first }],
      });
      expect(
        await run(
          'bulkOperations',
          '{ bulkOperations(first: 9, query: "status:completed operation_type:query") { nodes { id } } }',
        ),
      ).toEqual({
        nodes: [{ id: first }],
      });
      const found = async (query: string): Promise<unknown> =>
        run(
          'bulkOperations',
          'query ($query: String) { bulkOperations(first: 9, query: $query) { nodes { id } } }',
          { query },
        );
      expect(await found('status:running OR status:completed')).toEqual({
        nodes: [{ id: second }, { id: first }],
      });
      expect(await found('-status:running created_at:>=2020-01-01')).toEqual({
        nodes: [{ id: first }],
      });
      // EXPIRED is a status, but none that the platform searches for
      expect(await found('status:EXPIRED')).toEqual({ nodes: [] });
      expect(
        await run('currentBulkOperation', '{ currentBulkOperation { id } }', {}, '2025-10'),
      ).toEqual({ id: second });
      expect(
        await run('currentBulkOperation', '{ currentBulkOperation(type: MUTATION) { id } }'),
      ).toBeNull();
      const node = 'query ($id: ID!) { node(id: $id) { ... on BulkOperation { status query } } }';
      expect(await run('node', node, { id: first }, '2025-10')).toEqual({
        status: 'COMPLETED',
        query: TITLES,
      });
    });
  });

  it('are not searched for a date that cannot be read', async () => {
    await open();
    const reply = await fetch(`${shop.origin}/admin/api/2026-07/graphql.json`, {
      method: 'POST',
      headers: { 'X-Shopify-Access-Token': token, 'Content-Type': 'application/json' },
      body: JSON.stringify({
        query: '{ bulkOperations(first: 1, query: "created_at:not-a-date") { nodes { id } } }',
      }),
    });
    expect(await reply.json()).toMatchObject({
      data: null,
      errors: [
        {
          message: 'Invalid timestamp for query filter `created_at`.',
          path: ['bulkOperations'],
          extensions: { code: 'BAD_REQUEST' },
        },
      ],
      extensions: { cost: { requestedQueryCost: 3, actualQueryCost: 2 } },
    });
  });

  it('are canceled while they run, and only then', async () => {
    await open({ bulkDuration: 'manual' });
    const cancel =
      'mutation ($id: ID!) { bulkOperationCancel(id: $id) { bulkOperation { status } userErrors { message } } }';
    const id = await start(TITLES);
    expect(await run('bulkOperationCancel', cancel, { id })).toEqual({
      bulkOperation: { status: 'CANCELING' },
      userErrors: [],
    });
    await shop.completeBulkOperations();
    while ((await operation(id)).status === 'CANCELING')
      await new Promise((resolve) => setTimeout(resolve, 2));
    expect(await operation(id)).toMatchObject({ status: 'CANCELED', url: null, objectCount: '0' });
    expect(await run('bulkOperationCancel', cancel, { id })).toEqual({
      bulkOperation: { status: 'CANCELED' },
      userErrors: [{ message: 'A bulk operation cannot be canceled when it is canceled' }],
    });
    expect(
      await run('bulkOperationCancel', cancel, { id: 'gid://shopify/BulkOperation/1' }),
    ).toMatchObject({ bulkOperation: null });
  });

  it('tell the app when they are over', async () => {
    await open({ bulkDuration: 'manual', clock: { now: () => new Date('2026-08-01T12:00:00Z') } });
    const subscribe = `mutation ($uri: String!) {
      webhookSubscriptionCreate(topic: BULK_OPERATIONS_FINISH, webhookSubscription: { uri: $uri }) { userErrors { message } }
    }`;
    await run('webhookSubscriptionCreate', subscribe, { uri: `${app.url}/webhooks` });
    const id = await start(TITLES);
    await shop.failBulkOperations('ACCESS_DENIED');
    expect(app.received[0]?.headers['x-shopify-topic']).toBe('bulk_operations/finish');
    expect(JSON.parse(String(app.received[0]?.body))).toEqual({
      admin_graphql_api_id: id,
      created_at: '2026-08-01T12:00:00Z',
      completed_at: '2026-08-01T12:00:00Z',
      error_code: 'access_denied',
      status: 'failed',
      type: 'query',
    });
  });

  describe('files', () => {
    const finished = async (): Promise<string> => {
      const id = await start(TITLES);
      await shop.completeBulkOperations();
      return (await operation(id)).url ?? '';
    };

    it('are read in parts', async () => {
      await open({ bulkDuration: 'manual' });
      const url = await finished();
      const whole = await (await fetch(url)).text();
      const part = await fetch(url, { headers: { Range: 'bytes=10-' } });
      expect([part.status, part.headers.get('content-range'), await part.text()]).toEqual([
        206,
        `bytes 10-${whole.length - 1}/${whole.length}`,
        whole.slice(10),
      ]);
      const middle = await fetch(url, { headers: { Range: 'bytes=3-5' } });
      expect([middle.headers.get('content-length'), await middle.text()]).toEqual([
        '3',
        whole.slice(3, 6),
      ]);
      expect((await fetch(url, { headers: { Range: `bytes=${whole.length}-` } })).status).toBe(416);
    });

    it('are for those alone who hold the signed address, without a token, for seven days', async () => {
      let now = new Date('2026-08-01T12:00:00Z');
      await open({ bulkDuration: 'manual', clock: { now: () => now } });
      const url = await finished();
      const status = (address: string, headers = {}): Promise<number> =>
        fetch(address, { headers }).then((reply) => reply.status);
      expect(await status(url.replace(/\d\.jsonl/, '9.jsonl'))).toBe(403);
      expect(await status(url.replace(/Signature=.*/, ''))).toBe(403);
      expect(await status(url, { 'X-Shopify-Access-Token': token })).toBe(400);
      now = new Date('2026-08-08T12:00:00Z');
      expect(await status(url)).toBe(200);
      now = new Date('2026-08-08T12:00:01Z');
      expect(await status(url)).toBe(400);
    });

    it('can be made by the test, as large as it likes and as broken', async () => {
      await open({ bulkDuration: 'manual' });
      let downloads = 0;
      shop.serveBulkFile({
        async *open() {
          downloads++;
          for (let row = 0; row < 1000; row++) {
            if (downloads === 1 && row === 500) throw new Error('the line is cut');
            yield `{"row":${row}}\n`;
          }
        },
        objectCount: 1000,
      });
      const url = await finished();
      await expect(fetch(url).then((reply) => reply.text())).rejects.toThrow();
      expect(await linesOf(url)).toEqual(Array.from({ length: 1000 }, (_, row) => ({ row })));
      expect(shop.bulkOperations[0]).toMatchObject({ objectCount: 1000 });
      shop.serveBulkFile(undefined);
      expect(await linesOf(await finished())).toMatchObject([
        { title: 'Anvil' },
        { title: 'Bellows' },
      ]);
    });
  });

  it('show in the event log, without the signatures of their files', async () => {
    await open({ bulkDuration: 'manual' });
    const url = await start(TITLES).then(async (id) => {
      await shop.completeBulkOperations();
      return (await operation(id)).url ?? '';
    });
    await fetch(url);
    const number = shop.bulkOperations[0]?.id;
    expect(shop.events.filter(({ kind }) => kind === 'bulk')).toMatchObject([
      { summary: `query gid://shopify/BulkOperation/${number} created` },
      { summary: `query gid://shopify/BulkOperation/${number} completed, 2 objects` },
      { summary: `GET /bulk-results/${number}.jsonl`, status: 200 },
    ]);
    const page = await (await fetch(`${shop.origin}/admin/events`)).text();
    expect(page).toContain('completed, 2 objects');
    expect(page).not.toContain(new URL(url).searchParams.get('Signature'));
  });

  it('end with the store', async () => {
    await open({ bulkDuration: 60_000 });
    await start(TITLES);
    await devStore.close();
    expect(shop.bulkOperations[0]?.status).not.toBe('COMPLETED');
  });
});
