import type { HeaderList } from '../../core/decision.js';

const ALLOW_HEADERS = 'access-control-allow-headers';

/**
 * The headers that make a reply readable for an extension, which may send further headers.
 * @param cors those of pages of other origins
 * @param allowed names of headers, in their order
 */
export function withAllowedHeaders(cors: HeaderList, allowed: readonly string[]): HeaderList {
  if (allowed.length === 0) return cors;
  return cors.map(([name, value]) => [
    name,
    name === ALLOW_HEADERS ? distinct([...value.split(', '), ...allowed]).join(', ') : value,
  ]);
}

/** The names in their order, each once in whatever spelling. */
function distinct(names: readonly string[]): string[] {
  const spellings = names.map((name) => name.toLowerCase());
  return names.filter((_, index) => spellings.indexOf(spellings[index]!) === index);
}
