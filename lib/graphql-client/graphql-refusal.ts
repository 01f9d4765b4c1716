import type { ApiReply } from '../core/http/api-call.js';
import { errorFor } from '../core/http/failed-reply.js';
import type { HttpResponseError } from '../core/http/http.errors.js';
import { isRecord } from '../core/json.js';
import {
  GraphqlAccessDeniedError,
  GraphqlQueryError,
  GraphqlThrottledError,
} from './graphql-client.errors.js';
import type { GraphqlError, GraphqlErrorList } from './graphql-client.errors.js';
import { costIn, errorsIn, extensionsIn, hasCode } from './graphql-result.js';

/** The typed error for a reply without an answer whose status is a success. */
export function errorOf(reply: ApiReply<unknown>): GraphqlQueryError | HttpResponseError {
  const { value: body } = reply;
  if (!isRecord(body)) return errorFor(reply, body, 'with a body that is no GraphQL result');
  const errors = errorsIn(body);
  return errors.length > 0
    ? queryError(reply, errors, body)
    : errorFor(reply, body, 'with neither data nor errors');
}

/** The typed error for the errors of a reply. */
export function queryError(
  { response, requestId, attempts, call }: ApiReply<unknown>,
  errors: readonly GraphqlError[],
  body: Readonly<Record<string, unknown>>,
): GraphqlQueryError {
  const kept = {
    ...('data' in body && { data: body['data'] }),
    errors: errorList(errors, response),
    ...extensionsIn(body),
  };
  const Kind = hasCode(errors, 'THROTTLED')
    ? GraphqlThrottledError
    : hasCode(errors, 'ACCESS_DENIED')
      ? GraphqlAccessDeniedError
      : GraphqlQueryError;
  return new Kind(kept, response, { ...call, requestId, attempts, cost: costIn(body)?.requested });
}

/** A list that is an object of errors as well. */
function errorList(errors: readonly GraphqlError[], response: Response): GraphqlErrorList {
  const list = [...errors];
  const message = list[0]?.message ?? 'GraphQL operation failed';
  // Not enumerable: as JSON it is a plain list.
  return Object.defineProperties(list, {
    graphQLErrors: { value: list },
    message: { value: message },
    networkStatusCode: { value: response.status },
    response: { value: response },
  }) as readonly GraphqlError[] as GraphqlErrorList;
}
