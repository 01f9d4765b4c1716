import { AccessToken } from '../core/api-session.js';
import { refuseBrowser, refuseNoToken } from '../core/http/standalone-caller.js';
import { standalonePacer } from '../core/http/standalone-pacer.js';
import { adminEndpoint, userAgent } from '../core/http/api-request.js';
import type { PacingOption } from '../core/pacing/pacing-option.js';
import type { AdminOperations } from './admin-operations.js';
import { QueryCosts } from './graphql-operation.js';
import type { ErrorPolicy } from './graphql.options.js';
import { StandaloneClientConfig, createStandaloneClient } from './standalone.client.js';
import type {
  StandaloneClient,
  StandaloneClientOptions,
  Store,
  ThrowingOption,
} from './standalone.client.js';

const NAME = 'Admin API Client';

/** Options of {@link createAdminApiClient}. */
export interface AdminApiClientOptions<
  Policy extends ErrorPolicy = 'all',
> extends StandaloneClientOptions<Policy> {
  readonly accessToken: string;
  /** Put in front of the client's own `User-Agent`. */
  readonly userAgentPrefix?: string | undefined;
  /**
   * Holds calls back so that the platform never has to refuse one: among the calls of this client
   * (`'memory'`), or of every client that uses the same Redis; see `close()`. @default false
   */
  readonly pacing?: PacingOption | undefined;
  /** Allows a `window` to exist, for tests. @default false */
  readonly isTesting?: boolean | undefined;
}

/** What an admin client was created with. Its token is not enumerable. */
export class AdminApiClientConfig extends StandaloneClientConfig {
  readonly userAgentPrefix: string | undefined;
  readonly #accessToken: string;

  /** @internal */
  constructor(store: Store, { accessToken, userAgentPrefix }: AdminApiClientOptions<ErrorPolicy>) {
    super(store);
    this.userAgentPrefix = userAgentPrefix;
    this.#accessToken = accessToken;
  }

  get accessToken(): string {
    return this.#accessToken;
  }
}

/** The client that {@link createAdminApiClient} returns. */
export type AdminApiClient<Policy extends ErrorPolicy = 'all'> = StandaloneClient<
  AdminApiClientConfig,
  AdminOperations,
  Policy
>;

/**
 * A client of one store's Admin GraphQL interface. Needs nothing else of the toolkit.
 *
 * A request never throws what the platform answers, unless `errorPolicy: 'throw'` asks for it: look
 * at `errors`. There is no timeout unless a call names one.
 * @example
 * const client = createAdminApiClient({ storeDomain: 'my-shop.myshopify.com', apiVersion: '2026-07', accessToken });
 * const { data, errors } = await client.request('query Shop { shop { name } }');
 * @throws {InvalidClientOptionsError} when an option is missing or unusable
 */
export function createAdminApiClient(options: AdminApiClientOptions): AdminApiClient;
export function createAdminApiClient(
  options: AdminApiClientOptions<'throw'> & ThrowingOption,
): AdminApiClient<'throw'>;
export function createAdminApiClient<Policy extends ErrorPolicy>(
  options: AdminApiClientOptions<Policy>,
): AdminApiClient<Policy> {
  const { accessToken, pacing, isTesting } = options;
  return createStandaloneClient<AdminApiClientConfig, AdminOperations, Policy>(options, {
    name: NAME,
    endpoint: (store) => {
      refuseBrowser(NAME, isTesting);
      refuseNoToken(NAME, accessToken);
      return adminEndpoint({ ...store, token: new AccessToken(accessToken) }, userAgent(options));
    },
    config: (store) => new AdminApiClientConfig(store, options),
    costs: new QueryCosts(),
    pacer: () => standalonePacer(NAME, pacing, accessToken),
  });
}
