import { ACCESS_TOKEN_RULE, isAccessToken } from '../core/api-session.js';
import { storefrontEndpoint } from '../core/http/api-request.js';
import { InvalidClientOptionsError } from '../core/http/http.errors.js';
import { unpaced } from '../core/pacing/pacer.js';
import { FREE } from './graphql-operation.js';
import type { ErrorPolicy } from './graphql.options.js';
import { StandaloneClientConfig, createStandaloneClient } from './standalone.client.js';
import type {
  StandaloneClient,
  StandaloneClientOptions,
  Store,
  ThrowingOption,
} from './standalone.client.js';
import type { StorefrontOperations } from './storefront-operations.js';

const NAME = 'Storefront API Client';
const IP_ADDRESS = /^[0-9a-f.:]{2,45}$/i;

interface CommonOptions<Policy extends ErrorPolicy> extends StandaloneClientOptions<Policy> {
  /** Named to the platform as the source of the calls. */
  readonly clientName?: string | undefined;
  /**
   * Address of the buyer a server calls for, so that the platform does not take all buyers for one.
   */
  readonly buyerIp?: string | undefined;
}

/** One of the two tokens: a public one may be seen by buyers, a private one stays on the server. */
export type StorefrontApiClientOptions<Policy extends ErrorPolicy = 'all'> = CommonOptions<Policy> &
  (
    | { readonly publicAccessToken: string; readonly privateAccessToken?: undefined }
    | { readonly privateAccessToken: string; readonly publicAccessToken?: undefined }
  );

/** What a storefront client was created with. Its tokens are not enumerable. */
export class StorefrontApiClientConfig extends StandaloneClientConfig {
  readonly clientName: string | undefined;
  readonly #publicAccessToken: string | undefined;
  readonly #privateAccessToken: string | undefined;

  /** @internal */
  constructor(
    store: Store,
    { clientName, publicAccessToken, privateAccessToken }: StorefrontApiClientOptions<ErrorPolicy>,
  ) {
    super(store);
    this.clientName = clientName;
    this.#publicAccessToken = publicAccessToken;
    this.#privateAccessToken = privateAccessToken;
  }

  get publicAccessToken(): string | undefined {
    return this.#publicAccessToken;
  }

  get privateAccessToken(): string | undefined {
    return this.#privateAccessToken;
  }
}

/** The client that {@link createStorefrontApiClient} returns. */
export type StorefrontApiClient<Policy extends ErrorPolicy = 'all'> = StandaloneClient<
  StorefrontApiClientConfig,
  StorefrontOperations,
  Policy
>;

/**
 * A client of one store's Storefront GraphQL interface. Needs nothing else of the toolkit.
 *
 * A request never throws what the platform answers, unless `errorPolicy: 'throw'` asks for it: look
 * at `errors`.
 * @example
 * const client = createStorefrontApiClient({ storeDomain: 'my-shop.myshopify.com', apiVersion: '2026-07', publicAccessToken });
 * for await (const { data } of await client.requestStream(PRODUCT_WITH_DEFERRED_REVIEWS, { variables: { handle } })) render(data);
 * @throws {InvalidClientOptionsError} when an option is missing or unusable
 */
export function createStorefrontApiClient(options: StorefrontApiClientOptions): StorefrontApiClient;
export function createStorefrontApiClient(
  options: StorefrontApiClientOptions<'throw'> & ThrowingOption,
): StorefrontApiClient<'throw'>;
export function createStorefrontApiClient<Policy extends ErrorPolicy>(
  options: StorefrontApiClientOptions<Policy>,
): StorefrontApiClient<Policy> {
  const { publicAccessToken, privateAccessToken, clientName, buyerIp } = options;
  return createStandaloneClient<StorefrontApiClientConfig, StorefrontOperations, Policy>(options, {
    name: NAME,
    endpoint: (store) => {
      const tokenKind = privateAccessToken ? 'private' : 'public';
      const accessToken = checkedToken(publicAccessToken, privateAccessToken);
      if (buyerIp !== undefined && !IP_ADDRESS.test(buyerIp))
        refuse(`the buyerIp ("${buyerIp}") is no IP address.`);
      return storefrontEndpoint({
        ...store,
        accessToken: () => accessToken,
        ...{ tokenKind, clientName, buyerIp },
      });
    },
    config: (store) => new StorefrontApiClientConfig(store, options),
    // The platform limits this interface per buyer, not per app.
    costs: FREE,
    pacer: () => unpaced,
  });
}

function checkedToken(publicToken: string | undefined, privateToken: string | undefined): string {
  if (publicToken && privateToken)
    refuse('only provide either a public or a private access token, not both.');
  const token = privateToken || publicToken;
  if (!isAccessToken(token))
    refuse(`a public or private access token must be provided: ${ACCESS_TOKEN_RULE}.`);
  if (privateToken && typeof window !== 'undefined') {
    refuse(
      'a private access token is for a server-to-server implementation: in the browser it would be seen by everyone.',
    );
  }
  return token;
}

function refuse(problem: string): never {
  throw new InvalidClientOptionsError(NAME, problem);
}
