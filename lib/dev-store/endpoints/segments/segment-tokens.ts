/** A word, a text or a sign of a segment query. */
export interface SegmentToken {
  readonly kind: 'word' | 'text' | 'number' | 'sign' | 'other';
  /** As it stands in the query. */
  readonly raw: string;
  /** Without the quotes. */
  readonly value: string;
  readonly column: number;
}

const KINDS = ['text', 'number', 'word', 'sign', 'other'] as const;

const TOKEN =
  /\s*(?:('(?:[^'\\]|\\.){0,500}')|(-?\d[\w.:-]*)|([A-Za-z_][\w.-]*)|(>=|<=|!=|[=<>(),])|(\S))/gy;

/** The tokens of a query; their columns count from 0. */
export function segmentTokens(query: string): SegmentToken[] {
  const tokens: SegmentToken[] = [];
  for (const match of query.matchAll(TOKEN)) {
    const index = match.slice(1).findIndex((part) => part !== undefined);
    const raw = match[index + 1] ?? '';
    const kind = KINDS[index] ?? 'other';
    const value = kind === 'text' ? raw.slice(1, -1).replace(/\\(.)/g, '$1') : raw;
    tokens.push({ kind, raw, value, column: match.index + match[0].length - raw.length });
  }
  return tokens;
}
