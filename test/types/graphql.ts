/**
 * Checked by the compiler, never run: what the GraphQL clients know of an operation without a cast.
 */
import type { DocumentNode } from 'graphql';

import { createAdminApiClient, createStorefrontApiClient } from '../../lib/graphql-client/index.js';
import type {
  AdminApiClient,
  GraphqlClient,
  GraphqlErrors,
  GraphqlResult,
  LoggedRequest,
} from '../../lib/graphql-client/index.js';

const LIST =
  '#graphql\n query TypesList($first: Int!, $after: String, $query: String!) { products { nodes { id } } }';
const NAME = '#graphql\n query TypesName { shop { name } }';
const RENAME =
  '#graphql\n mutation TypesRename($id: ID!, $title: String) { rename(id: $id) { ok } }';
const OLD = '#graphql\n query TypesOld($id: ID!) { node(id: $id) { id } }';
const CART = '#graphql\n query TypesCart($id: ID!) { cart(id: $id) { total } }';

type Exact<T extends Record<string, unknown>> = { [K in keyof T]: T[K] };

// As the code generators of this platform write it: `Exact`, `InputMaybe`, and for no variables a
// record of nothing.
declare module '../../lib/graphql-client/index.js' {
  // They add this name, too: the module must not have it already.
  type InputMaybe<T> = T | null | undefined;
  interface AdminQueries {
    [LIST]: {
      return: {
        products: {
          nodes: { id: string }[];
          pageInfo: { hasNextPage: boolean; endCursor?: string | null };
        };
      };
      variables: Exact<{ first: number; after?: InputMaybe<string>; query: string }>;
    };
    [NAME]: { return: { shop: { name: string } }; variables: Exact<{ [key: string]: never }> };
    [OLD]: {
      return: { node: { id: string } | null };
      variables: Exact<{ id: { input: string; output: string } }>;
    };
  }
  interface AdminMutations {
    [RENAME]: {
      return: { rename: { ok: boolean } };
      variables: Exact<{ id: string; title?: InputMaybe<string> }>;
    };
  }
  interface StorefrontQueries {
    [CART]: { return: { cart: { total: number } }; variables: { id: string } };
  }
}

/**
 * What GraphQL Code Generator makes, parsed or as a text, and what gql.tada makes: each carries its
 * types in `__apiType`.
 */
interface TypedDocumentNode<TResult, TVariables> extends DocumentNode {
  __apiType?: (variables: TVariables) => TResult;
}
declare class TypedDocumentString<TResult, TVariables> extends String {
  __apiType?: (variables: TVariables) => TResult;
  override toString(): string & { __apiType?: (variables: TVariables) => TResult };
}
interface TadaDocumentNode<TResult, TVariables> extends DocumentNode {
  __apiType?: (variables: TVariables) => TResult;
  __ensureTypesOfVariablesAndResultMatching?: (variables: TVariables) => TResult;
}
interface ProductData {
  product: { title: string } | null;
}
declare const NODE: TypedDocumentNode<ProductData, { id: string }>;
declare const TEXT: TypedDocumentString<ProductData, { id: string }>;
declare const TADA: TadaDocumentNode<
  ProductData,
  { id: string; first?: number | null | undefined }
>;
declare const PLAIN: DocumentNode;

async function registeredTexts(client: GraphqlClient): Promise<void> {
  const ids: string[] = (
    await client.request(LIST, { variables: { first: 1, query: '' }, retries: 1 })
  ).data.products.nodes.map(({ id }) => id);
  const name: string = (await client.request(NAME)).data.shop.name;
  const again: string = (
    await client.request(NAME, { retries: 0, apiVersion: '2026-07', headers: {} })
  ).data.shop.name;
  const ok: boolean = (await client.request(RENAME, { variables: { id: 'gid' } })).data.rename.ok;
  const id: string | undefined = (await client.request(OLD, { variables: { id: 'gid' } })).data.node
    ?.id;
  const raw: string | undefined = (await (await client.fetch(NAME)).json()).data?.shop.name;
  const bound: string = (await client.request.bind(client)(NAME)).data.shop.name;
  void [ids, name, again, ok, id, raw, bound];

  // @ts-expect-error a required variable is missing, and so are the options
  await client.request(LIST);
  // @ts-expect-error one of two required variables is missing
  await client.request(LIST, { variables: { first: 1 } });
  // @ts-expect-error the variables are missing beside other options
  await client.request(LIST, { retries: 1 });
  // @ts-expect-error a variable has the wrong type
  await client.request(RENAME, { variables: { id: 5 } });
  // @ts-expect-error there is no such variable
  await client.request(RENAME, { variables: { id: 'gid', handle: 'x' } });
  // @ts-expect-error the operation takes no variables
  await client.request(NAME, { variables: { id: 'gid' } });
  // @ts-expect-error there is no such field
  void (await client.request(NAME)).data.shop.title;
  // @ts-expect-error the result is not what the operation answers with
  const wrong: GraphqlResult<{ shop: { id: number } }> = await client.request(NAME);
  // @ts-expect-error a required variable is missing
  await client.fetch(LIST, { retries: 1 });
  void wrong;
}

async function typedDocuments(client: GraphqlClient): Promise<void> {
  const titles: (string | undefined)[] = [
    (await client.request(NODE, { variables: { id: 'gid' } })).data.product?.title,
    (await client.request(TEXT, { variables: { id: 'gid' } })).data.product?.title,
    (await client.request(TADA, { variables: { id: 'gid', first: 1 }, retries: 2 })).data.product
      ?.title,
  ];
  const untyped: unknown = (await client.request(PLAIN, { variables: { anything: true } })).data;
  void [titles, untyped];
  // @ts-expect-error a required variable is missing
  await client.request(NODE);
  // @ts-expect-error a required variable is missing
  await client.request(TADA, { variables: { first: 1 } });
  // @ts-expect-error a variable has the wrong type
  await client.request(TEXT, { variables: { id: 1 } });
  // @ts-expect-error nothing is known of the data
  void (await client.request(PLAIN)).data.product;
}

async function plainTexts<TOwn>(client: GraphqlClient, text: string): Promise<TOwn> {
  const named: string = (
    await client.request<{ a: number }>('query { a }', { variables: { anything: true } })
  ).data.a.toFixed();
  // Nothing is known of the data, so anything may be asked of it, as in the platform's own clients.
  const untyped: string = (await client.request('query { a }')).data.a;
  const alsoUntyped: number = (await client.request(text, { variables: {} })).data.b.c;
  void [named, untyped, alsoUntyped];
  return (await client.request<TOwn>(text)).data;
}

async function errorPolicies(client: GraphqlClient): Promise<void> {
  const options = { storeDomain: 'my-shop.myshopify.com', apiVersion: '2026-07' };
  const all = await client.request(NAME, { errorPolicy: 'all' });
  const name: string | undefined = all.data?.shop.name;
  const errors: GraphqlErrors | undefined = all.errors;
  // @ts-expect-error there may be no data
  void all.data.shop;

  const standalone = await createAdminApiClient({ ...options, accessToken: 'token' }).request(NAME);
  const status: number | undefined = standalone.errors?.networkStatusCode;
  // @ts-expect-error there may be no data
  void standalone.data.shop;
  const throwing = createAdminApiClient({ ...options, accessToken: 'token', errorPolicy: 'throw' });
  const sure: string = (await throwing.request(NAME)).data.shop.name;
  const notSure: string | undefined = (
    await throwing.request<{ a: string }>('query { a }', { errorPolicy: 'all' })
  ).data?.a;
  void [name, errors, status, sure, notSure];
  // @ts-expect-error errors are thrown only when the option says so, not when the type alone does
  createAdminApiClient<'throw'>({ ...options, accessToken: 'token' });
  // @ts-expect-error without the option it is the policy "all"
  createAdminApiClient({ ...options, accessToken: 'token' }) satisfies AdminApiClient<'throw'>;
  throwing satisfies AdminApiClient<'throw'>;
  createAdminApiClient({
    ...options,
    accessToken: 'token',
    errorPolicy: 'all',
  }) satisfies AdminApiClient;
}

async function storefront(): Promise<void> {
  const options = { storeDomain: 'my-shop.myshopify.com', apiVersion: '2026-07' };
  const client = createStorefrontApiClient({ ...options, publicAccessToken: 'token' });
  const total: number | undefined = (await client.request(CART, { variables: { id: 'gid' } })).data
    ?.cart.total;
  for await (const { data, hasNext } of await client.requestStream(CART, {
    variables: { id: 'gid' },
  })) {
    const sum: number | undefined = hasNext ? undefined : data?.cart.total;
    void sum;
  }
  const throwing = createStorefrontApiClient({
    ...options,
    publicAccessToken: 'token',
    errorPolicy: 'throw',
  });
  const sure: number = (await throwing.request(CART, { variables: { id: 'gid' } })).data.cart.total;
  void [total, sure];
  // @ts-expect-error errors are thrown only when the option says so, not when the type alone does
  createStorefrontApiClient<'throw'>({ ...options, publicAccessToken: 'token' });
  // @ts-expect-error a required variable is missing
  await client.request(CART);
  // @ts-expect-error a required variable is missing
  await client.requestStream(CART);
  // The operations of the Admin interface are not known here: the same text has no type.
  const unchecked: number = (await client.request(NAME)).data?.anything;
  void unchecked;
  // @ts-expect-error a token is missing
  createStorefrontApiClient(options);
  // @ts-expect-error one token is enough
  createStorefrontApiClient({ ...options, publicAccessToken: 'a', privateAccessToken: 'b' });
}

async function pages(client: GraphqlClient): Promise<void> {
  for await (const { id } of client.paginate(LIST, { query: '' }, (data) => data.products))
    void (id satisfies string);
  interface Own {
    orders: {
      edges: { node: { total: number } }[];
      pageInfo: { hasNextPage: boolean; endCursor: string };
    };
  }
  for await (const { total } of client.paginate(
    'query ($after: String) { … }',
    {},
    (data: Own) => data.orders,
  ))
    void (total satisfies number);
  // @ts-expect-error a required variable is missing
  client.paginate(LIST, {}, (data) => data.products);
  // @ts-expect-error what is picked is no connection
  client.paginate(LIST, { query: '' }, (data) => data.products.nodes);
  // @ts-expect-error the data is not what the operation answers with
  client.paginate(LIST, { query: '' }, (data: Own) => data.orders);
}

function logged([url, { method, headers, body }]: LoggedRequest): void {
  void [url, method, headers?.['content-type'], body];
  // @ts-expect-error a request of `generateHttpFetch` may have none
  void headers['content-type'];
}

void [registeredTexts, typedDocuments, plainTexts, errorPolicies, storefront, pages, logged];
