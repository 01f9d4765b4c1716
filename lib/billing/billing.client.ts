import { shopOf } from '../core/api-session.js';
import type { ApiSession } from '../core/api-session.js';
import { isRecord, nodesOf, onlyValue } from '../core/json.js';
import { sanitizeShop } from '../core/shop-domain.js';
import type { AdminGraphqlClient } from '../graphql-client/admin-graphql.client.js';
import { GraphqlQueryError } from '../graphql-client/graphql-client.errors.js';
import type { UserError } from '../graphql-client/graphql-client.errors.js';
import type { GraphqlConnection } from '../graphql-client/graphql-pagination.js';
import { READ_PURCHASES, READ_STATE } from './billing-documents.js';
import type { BillingStateCache } from './billing-state-cache.js';
import { withNumbers } from './billing-state.js';
import type { AppSubscription, BillingState, Charge, OneTimePurchase } from './billing-state.js';
import { BillingError } from './billing.errors.js';

/** The session a call to the platform is made with. */
export interface BillingCall {
  readonly session: ApiSession;
}

/** A mutation and its variables. */
interface BillingChange {
  /** What it does, as the end of "Error while …". */
  readonly action: string;
  readonly document: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** The platform names all of it. */
interface Installation<T> {
  readonly currentAppInstallation?: Partial<T> | null;
}
type ChargesPage = Omit<GraphqlConnection<Charge>, 'pageInfo'>;
interface PurchasesPart {
  readonly oneTimePurchases?: GraphqlConnection<OneTimePurchase> | undefined;
}
/** The tests of apps answer with their subscriptions alone, and with purchases without an id. */
interface StateParts extends PurchasesPart {
  readonly activeSubscriptions: readonly AppSubscription[];
  readonly allSubscriptions?: ChargesPage | undefined;
}
type State = Installation<StateParts>;
type Purchases = Installation<PurchasesPart>;

const READING = 'reading what the store pays';
const INCOMPLETE = `Error while ${READING}: the reply of the platform is incomplete.`;

/** The response to a mutation, under its name, besides its result. */
type Outcome = Readonly<Record<string, { readonly userErrors?: readonly UserError[] } | null>>;

/**
 * Reads and changes what shops pay. Errors in a GraphQL response, and an incomplete one, become a
 * {@link BillingError}; errors of the transport are thrown as they are.
 */
export class BillingClient {
  constructor(
    private readonly graphql: AdminGraphqlClient,
    private readonly cache: BillingStateCache,
  ) {}

  /** Reads from the platform what the shop pays. */
  state(call: BillingCall): Promise<BillingState> {
    return this.cache.refresh(shopOf(call.session), () => this.#read(call));
  }

  /**
   * What the shop paid within the last minute, unless a webhook or this process has changed it
   * since; `undefined` when it is not known.
   */
  async cachedState(shop: string): Promise<BillingState | undefined> {
    // Another call may have failed to read it, with another token.
    return this.cache.get(sanitizeShop(shop, true))?.catch(() => undefined);
  }

  /** Changes what the shop pays. Invalidates the cached state even when the response is lost. */
  async change<T>(call: BillingCall, change: BillingChange): Promise<T> {
    const shop = shopOf(call.session);
    try {
      return await this.#mutate<T>(call, change, false);
    } finally {
      this.cache.forget(shop);
    }
  }

  /**
   * Records usage, which leaves the state as it is.
   * @param idempotent it may be sent again although it may have run
   */
  recordUsage<T>(call: BillingCall, change: BillingChange, idempotent: boolean): Promise<T> {
    return this.#mutate<T>(call, change, idempotent);
  }

  async #read({ session }: BillingCall): Promise<BillingState> {
    const client = this.graphql.for(session);
    return withBillingErrors(READING, async () => {
      const { data } = await client.request<State, string>(READ_STATE);
      const { activeSubscriptions, allSubscriptions, oneTimePurchases } = stateIn(data);
      const purchases = [...nodesOf(oneTimePurchases)];
      const { hasNextPage, endCursor } = oneTimePurchases?.pageInfo ?? {};
      if (hasNextPage) {
        for await (const purchase of client.paginate<Purchases, OneTimePurchase, string>(
          READ_PURCHASES,
          { after: endCursor },
          purchasesIn,
        )) {
          purchases.push(purchase);
        }
      }
      return withNumbers<BillingState>({
        activeSubscriptions,
        oneTimePurchases: purchases,
        charges: [...nodesOf(allSubscriptions), ...purchases],
      });
    });
  }

  async #mutate<T>(
    { session }: BillingCall,
    { action, document, variables }: BillingChange,
    idempotent: boolean,
  ): Promise<T> {
    const client = this.graphql.for(session);
    const { data } = await withBillingErrors(action, () =>
      client.request<Outcome, string>(document, { variables, idempotent, userErrors: 'return' }),
    );
    const outcome = onlyValue(data);
    if (!outcome?.userErrors)
      throw new BillingError(`Error while ${action}: the platform did not say what became of it.`);
    const { userErrors } = outcome;
    if (userErrors.length > 0) {
      throw new BillingError(
        `Error while ${action}: ${userErrors.map(({ message }) => message).join('; ')}`,
        userErrors,
      );
    }
    return withNumbers<T>(outcome);
  }
}

/**
 * What a reply says of the state.
 * @throws {BillingError} when something is missing: a shop that pays must not be asked to pay again
 */
function stateIn(data: State): StateParts {
  const { activeSubscriptions, allSubscriptions, oneTimePurchases } =
    data.currentAppInstallation ?? {};
  if (!areRecords(activeSubscriptions) || (allSubscriptions && !isPageOfCharges(allSubscriptions)))
    throw new BillingError(INCOMPLETE);
  if (oneTimePurchases !== undefined) purchasesIn(data);
  return { activeSubscriptions, allSubscriptions, oneTimePurchases };
}

/** As {@link stateIn}, of a page of purchases. */
function purchasesIn({ currentAppInstallation }: Purchases): GraphqlConnection<OneTimePurchase> {
  const page = currentAppInstallation?.oneTimePurchases;
  if (!page?.pageInfo || !isPageOfCharges(page)) throw new BillingError(INCOMPLETE);
  const { hasNextPage, endCursor } = page.pageInfo;
  if (hasNextPage && !endCursor) throw new BillingError(INCOMPLETE);
  return page;
}

function isPageOfCharges({ nodes, edges }: ChargesPage): boolean {
  return nodes
    ? areRecords(nodes)
    : areRecords(edges) && edges.every(({ node }: { node?: unknown }) => isRecord(node));
}

function areRecords<T>(list: readonly T[] | undefined): list is readonly T[] {
  return Array.isArray(list) && list.every((element: unknown) => isRecord(element));
}

async function withBillingErrors<T>(action: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof GraphqlQueryError)) throw error;
    const errors = error.body.errors.map(({ message }) => ({ message }));
    throw new BillingError(`Error while ${action}: ${error.message}`, errors, { cause: error });
  }
}
