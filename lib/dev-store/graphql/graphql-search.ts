/** One term of a search: a word, or a value that a field must have. */
export interface SearchTerm {
  readonly field: string | undefined;
  /** In lower case. */
  readonly value: string;
}

/**
 * The terms of a search in the platform's syntax: `word`, `field:value`, `field:"two words"`,
 * joined by blanks or `AND`.
 */
export function searchTerms(query: string | null | undefined): SearchTerm[] {
  const terms = [...(query ?? '').matchAll(/(?:(\w+):)?(?:"([^"]*)"|(\S+))/g)].map(
    ([, field, quoted, word]) => ({
      field,
      value: quoted ?? word ?? '',
    }),
  );
  return terms
    .filter(({ field, value }) => field !== undefined || value !== 'AND')
    .map(({ field, value }) => ({ field, value: value.toLowerCase() }));
}

/** True when an id matches a term: `7`, `>7`, `>=7`, `<7`, `<=7`. */
export function fitsId(id: number, value: string): boolean {
  const [, operator = '', digits = ''] = /^(>=|<=|>|<)?(\d+)$/.exec(value) ?? [];
  const bound = Number(digits || NaN);
  if (operator === '>') return id > bound;
  if (operator === '>=') return id >= bound;
  if (operator === '<') return id < bound;
  if (operator === '<=') return id <= bound;
  return id === bound;
}
