// What is done to genuine requests. Each mutation changes a request in place with numbers of its
// own seed, so that any of them can be left out while the others stay as they are.
import { HEADERS } from './mutations.headers.mjs';
import { QUERY } from './mutations.query.mjs';
import { SIGNATURES } from './mutations.signatures.mjs';
import { FOR_TOKENS } from './mutations.tokens.mjs';
import { BODIES, PATHS, WIRE } from './mutations.wire.mjs';

const GROUPS = [
  ...[QUERY, SIGNATURES, HEADERS, PATHS, BODIES, WIRE].map(Object.entries),
  FOR_TOKENS,
];

/** By name; each takes the request and numbers of its own. */
export const MUTATORS = new Map(GROUPS.flat());

/** One to four mutations, as names with the seeds of their numbers. */
export function someMutations(random) {
  const count = 1 + Math.floor(random.next() ** 2 * 4);
  return Array.from({ length: count }, () => ({
    name: random.pick(random.pick(GROUPS))[0],
    seed: random.seed(),
  }));
}
