/**
 * Checked by the compiler, never run: programs over the platform's own client packages, of which
 * nothing but the imports has been changed.
 */
import crossFetch from 'cross-fetch';
import nodeFetch from 'node-fetch';
import { fetch as undiciFetch } from 'undici';

import {
  createAdminApiClient,
  createGraphQLClient,
  createStorefrontApiClient,
} from '../../../lib/graphql-client/index.js';
import type {
  AdminApiClient,
  ApiClientRequestOptions,
  ClientResponse,
  ClientStreamResponse,
  CustomFetchApi,
  GraphQLClient,
  GraphQLError,
  HTTPResponseLog,
  HTTPRetryLog,
  LogContent,
  ResponseErrors,
  ResponseWithType,
  StorefrontApiClient,
} from '../../../lib/graphql-client/index.js';
import { createAdminRestApiClient } from '../../../lib/rest-client/index.js';
import type { AdminRestApiClient, SearchParams } from '../../../lib/rest-client/index.js';

interface Product {
  readonly id: string;
  readonly title: string;
}

const GET_PRODUCT = `query GetProduct($id: ID!) { product(id: $id) { id title } }`;
const variables = { id: 'gid://shopify/Product/1' };

/** Every way of a query: with variables, another version, headers, retries, a signal. */
export async function admin(accessToken: string): Promise<string | undefined> {
  const client: AdminApiClient = createAdminApiClient({
    storeDomain: 'my-shop.myshopify.com',
    apiVersion: '2026-07',
    accessToken,
    userAgentPrefix: 'My App',
    retries: 1,
    logger: (content) => console.log(content.type, content.content),
  });
  const { data, errors, extensions } = await client.request(GET_PRODUCT, { variables });
  if (errors) throw new Error(errors.message, { cause: errors.networkStatusCode });
  const options: ApiClientRequestOptions = {
    variables,
    apiVersion: '2026-04',
    headers: { 'X-One': 'a', 'X-More': ['b', 'c'] },
    retries: 2,
    signal: AbortSignal.timeout(5000),
  };
  const typed: ClientResponse<{ product: Product }> = await client.request<{ product: Product }>(
    GET_PRODUCT,
    options,
  );
  const response: ResponseWithType = await client.fetch(GET_PRODUCT, { variables });
  if (response.ok) {
    const { data: raw, errors: rawErrors } = await response.json();
    console.log(raw?.product.title, rawErrors, response.headers.get('x-request-id'));
  }
  const cost: number | undefined = extensions?.cost?.requestedQueryCost;
  console.log(cost, client.config.storeDomain, client.config.apiUrl, client.getApiUrl('unstable'));
  console.log(client.getHeaders({ 'X-One': 'a' }));
  return typed.data?.product.title ?? data.product.title;
}

/** The codes of what went wrong, as a function of the program's own. */
export function codesOf(errors: ResponseErrors | undefined): (string | undefined)[] {
  return (errors?.graphQLErrors ?? []).map((error: GraphQLError) => error.extensions?.code);
}

/** A logger with the types of the platform's packages. */
export function logger(log: LogContent | HTTPResponseLog | HTTPRetryLog): void {
  if (log.type === 'HTTP-Retry') console.log(log.content.retryAttempt, log.content.maxRetries);
}

export async function storefront(publicAccessToken: string): Promise<void> {
  const client: StorefrontApiClient = createStorefrontApiClient({
    storeDomain: 'https://my-shop.myshopify.com',
    apiVersion: '2026-07',
    publicAccessToken,
    clientName: 'my-shop',
    logger,
  });
  const { data, errors } = await client.request(GET_PRODUCT, { variables });
  console.log(data?.product, errors?.response?.status);
  const stream = await client.requestStream<{ product: Product }>(
    'query Deferred { product { id ...Rest @defer } }',
  );
  for await (const item of stream) {
    const response: ClientStreamResponse<{ product: Product }> = item;
    console.log(response.data?.product.title, response.hasNext, response.errors?.message);
  }
}

/** Every `fetch` that the platform's pages recommend. */
export const servers: readonly StorefrontApiClient[] = [
  fetch,
  nodeFetch,
  crossFetch,
  undiciFetch,
].map((customFetchApi: CustomFetchApi) =>
  createStorefrontApiClient({
    storeDomain: 'my-shop.myshopify.com',
    apiVersion: '2026-07',
    privateAccessToken: 'private-token',
    customFetchApi,
  }),
);

/** A `fetch` of the program's own. */
export const counting: CustomFetchApi = async (url, init) => {
  console.log(url, init?.method, init?.headers, init?.body, init?.signal, init?.keepalive);
  return fetch(url, init);
};

export async function anyInterface(url: string): Promise<unknown> {
  const client: GraphQLClient = createGraphQLClient({
    url,
    headers: { 'Content-Type': 'application/json', 'X-Token': 'token', 'X-List': ['a', 'b'] },
    retries: 1,
    customFetchApi: counting,
    logger,
  });
  const { data, errors } = await client.request<{ me: { id: string } }>('query { me { id } }', {
    variables: { a: 1 },
    headers: { 'X-One': 'a' },
    url: `${url}?two`,
    retries: 0,
    keepalive: true,
  });
  const response = await client.fetch('query { me { id } }');
  return errors?.message ?? data?.me.id ?? (await response.json());
}

export async function rest(accessToken: string): Promise<unknown> {
  const client: AdminRestApiClient = createAdminRestApiClient({
    storeDomain: 'my-shop.myshopify.com',
    apiVersion: '2026-07',
    accessToken,
    scheme: 'https',
    defaultRetryTime: 500,
    formatPaths: true,
    retries: 2,
  });
  const searchParams: SearchParams = { limit: 10, ids: [1, 2], created: { min: '2026-01-01' } };
  const response = await client.get('products', { searchParams, headers: { 'X-One': 1 } });
  if (response.ok) console.log(await response.json());
  await client.post('products', { data: { product: { title: 'A' } } });
  await client.put('products/1', { data: JSON.stringify({ product: {} }), retries: 1 });
  return (await client.delete('products/1', { apiVersion: '2026-04' })).status;
}
