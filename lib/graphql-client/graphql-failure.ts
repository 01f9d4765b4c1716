import type { PlatformError } from '../core/core.errors.js';
import type { ApiReply } from '../core/http/api-call.js';
import { isRecord } from '../core/json.js';
import { GraphqlErrors, GraphqlQueryError } from './graphql-client.errors.js';
import { ResponseMembers, costIn } from './graphql-result.js';
import type { GraphqlOutcome } from './graphql-result.js';

/**
 * The answer under the policy `all` for a call that failed.
 * @param namesHeaders as for a call that did not @default true
 */
export function failureOf(
  error: PlatformError,
  reply?: ApiReply<unknown>,
  namesHeaders = true,
): GraphqlOutcome<never> {
  const { data, extensions } = error instanceof GraphqlQueryError ? error.body : {};
  return Object.assign(new ResponseMembers(reply?.response, namesHeaders), {
    ...(data !== undefined && data !== null && { data: data as never }),
    errors: new GraphqlErrors(error, reply && readable(reply)),
    ...(isRecord(extensions) && { extensions }),
    headers: reply?.response.headers,
    requestId: reply?.requestId,
    cost: costIn(reply?.value),
  }) as GraphqlOutcome<never>;
}

/** A reply whose body, which has been read, can be read once more. */
function readable({ response, value }: ApiReply<unknown>): Response {
  if (!response.bodyUsed) return response;
  const { status, statusText, headers } = response;
  return new Response(typeof value === 'string' ? value : JSON.stringify(value), {
    status,
    statusText,
    headers,
  });
}
