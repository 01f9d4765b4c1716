import { MissingRequiredArgument } from '../../core/core.errors.js';
import { InvalidRequestError } from '../../core/http/http.errors.js';
import { isRecord } from '../../core/json.js';

/** The body of a GraphQL request, as a page of the app sends it. */
export interface ProxiedBody {
  readonly query?: string | undefined;
  readonly variables?: Readonly<Record<string, unknown>> | null | undefined;
}

/** A query to be passed on. */
interface ProxiedQuery {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>> | undefined;
}

/**
 * The query in the body of a request: GraphQL, or an object with `query` and `variables`, parsed or
 * as its JSON text.
 * @throws {MissingRequiredArgument} when there is no query
 * @throws {InvalidRequestError} when the query is no text, or the variables are no object
 */
export function proxiedQuery(rawBody: unknown): ProxiedQuery {
  const { query, variables } = typeof rawBody === 'string' ? bodyOf(rawBody) : fieldsOf(rawBody);
  if (query === undefined || query === null || query === '')
    throw new MissingRequiredArgument(
      'graphqlProxy() needs a query: pass the body of the request, GraphQL or { query, variables }.',
    );
  if (typeof query !== 'string')
    throw new InvalidRequestError('The query of graphqlProxy() has to be a text.');
  if (variables === undefined || variables === null) return { query, variables: undefined };
  if (!isRecord(variables))
    throw new InvalidRequestError('The variables of graphqlProxy() have to be an object.');
  return { query, variables };
}

/** No GraphQL document is JSON: its selections are names, not texts in quotes. */
function bodyOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(text);
    return isRecord(parsed) ? parsed : { query: text };
  } catch {
    return { query: text };
  }
}

function fieldsOf(body: unknown): Readonly<Record<string, unknown>> {
  return isRecord(body) ? body : {};
}
