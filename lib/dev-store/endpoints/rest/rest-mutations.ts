import { jsonReply, StoreReplyError, type StoreReply } from '../../http/store-request.js';
import type { NodeError } from '../nodes/mutation-shape.js';
import { refusal } from './rest-nodes.js';

/** What a mutation of GraphQL returns. */
export type Mutated = Readonly<Record<string, unknown>>;

/**
 * Runs a mutation of GraphQL for a REST call, which does the same.
 * @param root the resolvers that have it
 * @param refused the response to its user errors. Default: 422, their messages by field
 * @throws StoreReplyError with that response
 */
export function mutated(
  root: Record<string, unknown>,
  name: string,
  args: object,
  refused: (errors: readonly NodeError[]) => StoreReply = refusal,
): Mutated {
  const run = root[name] as (args: object) => Mutated & { userErrors: readonly NodeError[] };
  const payload = run(args);
  if (payload.userErrors.length > 0) throw new StoreReplyError(refused(payload.userErrors));
  return payload;
}

/** The response to what is refused as a whole: its messages in a list. */
export function refusedFor(...messages: readonly string[]): StoreReply {
  return jsonReply(422, { errors: messages });
}
