import type { GraphQLResolveInfo } from 'graphql';
import { errorFields } from '../nodes/mutation-shape.js';
import type { NodeWriter } from '../nodes/node-writer.js';

/** The first version in which a mutation with quantities or money must have a key. */
const REQUIRED_SINCE = '2026-04';

/** A mutation has no `@idempotent`, and its version demands one. */
class MissingIdempotencyKey extends Error {
  readonly extensions = { code: 'BAD_REQUEST' };

  constructor() {
    super('The @idempotent directive is required for this mutation but was not provided.');
  }
}

/**
 * Runs a mutation once for each key of `@idempotent` that an app gives: a repeated call is answered
 * as the first was.
 * @see https://shopify.dev/docs/api/usage/idempotent-requests
 * @param info undefined for a call of the REST API, which has no keys
 * @throws MissingIdempotencyKey
 */
export function runOnce(
  { reader, version, apiKey }: Pick<NodeWriter, 'reader' | 'version' | 'apiKey'>,
  args: object,
  info: GraphQLResolveInfo | undefined,
  run: () => object,
): object {
  if (!info) return run();
  const key = keyOf(info);
  if (key === undefined) {
    if (version >= REQUIRED_SINCE) throw new MissingIdempotencyKey();
    return run();
  }
  const input = JSON.stringify(args);
  const call = JSON.stringify([apiKey, info.fieldName, key]);
  const once = reader.store.nodes.once(call, () => ({ input, answer: run() }));
  if (once.input === input) return once.answer;
  const message = 'The same idempotency key cannot be used with different operation parameters.';
  const error = { field: null, message, code: 'IDEMPOTENCY_KEY_PARAMETER_MISMATCH' };
  return Object.fromEntries(
    errorFields({ type: info.returnType }).map(({ name }) => [name, [error]]),
  );
}

/** The key that the directive of a field has. */
function keyOf({ fieldNodes, variableValues }: GraphQLResolveInfo): string | undefined {
  const directive = fieldNodes[0]?.directives?.find(({ name }) => name.value === 'idempotent');
  const value = directive?.arguments?.find(({ name }) => name.value === 'key')?.value;
  if (value && 'value' in value) return String(value.value);
  return value && 'name' in value ? String(variableValues[value.name.value]) : undefined;
}
