import type { ApiReply } from '../core/http/api-call.js';
import { isRecord } from '../core/json.js';
import { UserErrorsError } from './graphql-client.errors.js';
import type { UserError } from './graphql-client.errors.js';
import type { GraphqlResult } from './graphql-result.js';

/**
 * Looks for what a mutation refused: lists called `userErrors`, `customerUserErrors` and the like
 * in what it answers with.
 * @throws {UserErrorsError} when there is any
 */
export function refuseUserErrors(
  { data, requestId, cost }: GraphqlResult,
  { response, attempts, call }: ApiReply<unknown>,
): void {
  const userErrors = Object.values(isRecord(data) ? data : {})
    .filter(isRecord)
    .flatMap((payload) => Object.entries(payload))
    .flatMap(([name, value]) =>
      /userErrors$/i.test(name) && Array.isArray(value) ? value.map(userErrorIn) : [],
    );
  if (userErrors.length === 0) return;
  throw new UserErrorsError(userErrors, data, {
    ...call,
    status: response.status,
    requestId,
    attempts,
    cost: cost?.requested,
  });
}

/** Also of an entry that is none, so that a refusal is never taken for a success. */
function userErrorIn(entry: unknown): UserError {
  return isRecord(entry) ? (entry as unknown as UserError) : { message: JSON.stringify(entry) };
}
