import { setTimer } from '../../../core/time/clock.js';
import type { Clock } from '../../../core/time/clock.js';
import type {
  PostgreSQLClient,
  PostgreSQLPoolLike,
  PostgreSQLQuery,
  PostgreSQLResult,
} from './postgresql.driver.js';

/**
 * In milliseconds, by the driver's names: how long a call waits for a free connection, and for an
 * answer. What the app says comes first.
 */
export const TIMEOUTS = { connectionTimeoutMillis: 5_000, query_timeout: 10_000 };

/** The part of a pool that calls need. */
export type PostgreSQLSource = Pick<PostgreSQLPoolLike, 'connect' | 'query'>;

/** The app's pool, which may have no timeouts: calls wait for it no longer than for one of ours. */
export function withTimeouts(pool: PostgreSQLPoolLike, clock: Clock): PostgreSQLSource {
  const options: Partial<typeof TIMEOUTS> = pool.options;
  const timeoutMs = options.connectionTimeoutMillis || TIMEOUTS.connectionTimeoutMillis;
  const limit = { query_timeout: options.query_timeout || TIMEOUTS.query_timeout };
  const connect = (): Promise<PostgreSQLClient> =>
    new Promise((resolve, reject) => {
      let isLate = false;
      const cancel = setTimer(clock, timeoutMs, () => {
        isLate = true;
        reject(new Error(`timeout: the pool had no connection within ${timeoutMs} ms`));
      });
      pool.connect().then(
        (client) => {
          cancel();
          if (isLate) client.release();
          else resolve(limited(client, limit));
        },
        (error: unknown) => {
          cancel();
          reject(error);
        },
      );
    });
  const query = async (query: PostgreSQLQuery): Promise<PostgreSQLResult> => {
    const client = await connect();
    return whileOut(client, () => client.query(query));
  };
  return { connect, query };
}

/** Statements without a timeout of their own have the limit. */
function limited(
  client: PostgreSQLClient,
  limit: { readonly query_timeout: number },
): PostgreSQLClient {
  return {
    query: (query) => client.query({ ...limit, ...query }),
    on: (event, listener) => client.on(event, listener),
    off: (event, listener) => client.off(event, listener),
    release: (isBroken) => client.release(isBroken),
  };
}

/** Works with a connection and gives it back to its pool: to be ended if the work fails. */
export async function whileOut<T>(client: PostgreSQLClient, work: () => Promise<T>): Promise<T> {
  // While it is out of its pool nobody else listens; the query in progress fails by itself.
  const ignore = (): void => {};
  client.on('error', ignore);
  let isDone = false;
  try {
    const result = await work();
    isDone = true;
    return result;
  } finally {
    client.off('error', ignore);
    client.release(!isDone);
  }
}
