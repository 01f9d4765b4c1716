import type { AdminGraphqlClient } from '../graphql-client/admin-graphql.client.js';
import { GraphqlQueryError } from '../graphql-client/graphql-client.errors.js';
import type { UserError } from '../graphql-client/graphql-client.errors.js';
import type { GraphqlConnection } from '../graphql-client/graphql-pagination.js';
import type { ApiSession } from '../core/api-session.js';
import { READ_PURCHASES, READ_STATE } from './billing-documents.js';
import { BillingError } from './billing.errors.js';
import { withNumbers } from './billing-state.js';
import type { AppSubscription, BillingState, Charge, OneTimePurchase } from './billing-state.js';

/** On whose behalf a call is made. */
export interface BillingCall {
  readonly session: ApiSession;
  /**
   * The session token of the request the call works for: when the access token is refused, it is
   * traded for another.
   */
  readonly sessionToken?: string | undefined;
}

interface Installation<T> {
  readonly currentAppInstallation: T | null;
}
type PurchasesPage = GraphqlConnection<OneTimePurchase> & {
  readonly nodes: readonly OneTimePurchase[];
};
type State = Installation<{
  readonly activeSubscriptions: readonly AppSubscription[];
  readonly allSubscriptions: { readonly nodes: readonly Charge[] };
  readonly oneTimePurchases: PurchasesPage;
}>;
type Purchases = Installation<{ readonly oneTimePurchases: PurchasesPage }>;

/** What a mutation answers besides its result. */
interface Outcome {
  readonly outcome: { readonly userErrors: readonly UserError[] } | null;
}

/**
 * Sends the documents of billing. Whatever GraphQL finds wrong with them becomes a
 * {@link BillingError}; a failed call stays what it is.
 */
export class BillingApi {
  constructor(private readonly graphql: AdminGraphqlClient) {}

  /** Everything the shop pays, across all pages. */
  async readState({ session, sessionToken }: BillingCall): Promise<BillingState> {
    const client = this.graphql.for(session, { sessionToken });
    return told('reading what the store pays', async () => {
      const { data } = await client.request<State, string>(READ_STATE);
      const installation = data.currentAppInstallation;
      if (!installation) return { activeSubscriptions: [], oneTimePurchases: [], charges: [] };
      const { activeSubscriptions, allSubscriptions, oneTimePurchases } = installation;
      const purchases = [...oneTimePurchases.nodes];
      const { hasNextPage, endCursor } = oneTimePurchases.pageInfo;
      if (hasNextPage && endCursor) {
        const pick = (page: Purchases) => page.currentAppInstallation?.oneTimePurchases;
        for await (const purchase of client.paginate<Purchases, OneTimePurchase, string>(
          READ_PURCHASES,
          { after: endCursor },
          pick,
        )) {
          purchases.push(purchase);
        }
      }
      return withNumbers<BillingState>({
        activeSubscriptions,
        oneTimePurchases: purchases,
        charges: [...allSubscriptions.nodes, ...purchases],
      });
    });
  }

  /**
   * Runs a mutation.
   * @param doing what it is for, to be read behind "Error while"
   * @param idempotent it may be sent again although it may have run
   */
  async change<T>(
    { session, sessionToken }: BillingCall,
    doing: string,
    document: string,
    variables: Readonly<Record<string, unknown>>,
    idempotent = false,
  ): Promise<T> {
    const client = this.graphql.for(session, { sessionToken });
    const { data } = await told(doing, () =>
      client.request<Outcome, string>(document, { variables, idempotent, userErrors: 'return' }),
    );
    if (!data.outcome)
      throw new BillingError(`Error while ${doing}: the platform did not say what became of it.`);
    const { userErrors } = data.outcome;
    if (userErrors.length > 0) {
      throw new BillingError(
        `Error while ${doing}: ${userErrors.map(({ message }) => message).join('; ')}`,
        userErrors,
      );
    }
    return withNumbers<T>(data.outcome);
  }
}

async function told<T>(doing: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof GraphqlQueryError)) throw error;
    const errors = error.body.errors.map(({ message }) => ({ message }));
    throw new BillingError(`Error while ${doing}: ${error.message}`, errors, { cause: error });
  }
}
