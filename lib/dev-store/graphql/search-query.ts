/** A search in the platform's syntax. */
export type SearchNode =
  | { readonly kind: 'and' | 'or'; readonly nodes: readonly SearchNode[] }
  | { readonly kind: 'not'; readonly node: SearchNode }
  | SearchTerm;

/** A value, and the field that must have it. */
export interface SearchTerm {
  readonly kind: 'term';
  /** In lower case; undefined for a term that may stand in any of the default fields. */
  readonly field: string | undefined;
  readonly comparator: Comparator;
  /** Without quotes, backslashes and the star at its end. */
  readonly value: string;
  /** A star at its end: any ending fits. A star alone asks whether there is a value at all. */
  readonly isPrefix: boolean;
}

/** How a value is compared: equal, without a sign. */
type Comparator = '' | '>' | '>=' | '<' | '<=';

/** Parentheses that lie deeper are passed over. */
const DEEPEST_GROUP = 50;

/**
 * Parses a search: terms joined by blanks or `AND`, and by `OR`, which binds less; groups, `-`,
 * `NOT`, `field:value` with comparators, quotes, and `\` before a special character. As on the
 * platform, no mistake is an error: a group without an end ends with the text, and a connective
 * without a term does not count. Takes time in proportion to the length of the text.
 * @returns undefined when there is no term
 * @see https://shopify.dev/docs/api/usage/search-syntax
 */
export function parseSearch(text: string): SearchNode | undefined {
  return new SearchParser(text).query(0);
}

class SearchParser {
  private position = 0;

  constructor(private readonly text: string) {}

  /** The terms up to the end of a group, or of the text at depth 0. */
  query(depth: number): SearchNode | undefined {
    const alternatives: SearchNode[][] = [[]];
    let isNegated = false;
    while (this.skipBlanks()) {
      if (this.take(')')) {
        if (depth > 0) break;
      } else if (this.takeMinus()) {
        isNegated = !isNegated;
      } else {
        const part = this.take('(') ? this.group(depth) : this.term();
        if (part === 'NOT') isNegated = !isNegated;
        else if (part === 'OR') alternatives.push([]);
        else if (part !== undefined && part !== 'AND') {
          alternatives.at(-1)?.push(isNegated ? { kind: 'not', node: part } : part);
          isNegated = false;
        }
      }
    }
    return joined(
      'or',
      alternatives.flatMap((nodes) => joined('and', nodes) ?? []),
    );
  }

  private group(depth: number): SearchNode | undefined {
    return depth < DEEPEST_GROUP ? this.query(depth + 1) : undefined;
  }

  /** The term at the position, or the word that joins terms. */
  private term(): SearchTerm | 'AND' | 'OR' | 'NOT' | undefined {
    if (this.isQuote()) return termOf(undefined, '', this.quoted());
    const start = this.position;
    const name = this.bare(true);
    if (this.take(':') && name.value !== '') {
      const comparator = COMPARATORS.find((sign) => this.take(sign)) ?? '';
      const value = this.isQuote() ? this.quoted() : this.bare(false);
      return termOf(name.value.toLowerCase(), comparator, value);
    }
    const written = this.text.slice(start, this.position);
    if (written === 'AND' || written === 'OR' || written === 'NOT') return written;
    return termOf(undefined, '', name);
  }

  /** Text up to a blank or the end of a group; with `isName`, also up to a colon. */
  private bare(isName: boolean): Text {
    let value = '';
    let isPrefix = false;
    for (; this.position < this.text.length; this.position++) {
      let letter = this.text[this.position] ?? '';
      if (BLANK.test(letter) || letter === ')' || (isName && letter === ':')) break;
      isPrefix = letter === '*';
      if (letter === '\\' && this.position + 1 < this.text.length)
        letter = this.text[++this.position] ?? '';
      value += letter;
    }
    return { value, isPrefix };
  }

  /** Text up to the quote that it begins with, or up to the end of the search. */
  private quoted(): Text {
    const quote = this.text[this.position++];
    let value = '';
    let isPrefix = false;
    while (this.position < this.text.length) {
      let letter = this.text[this.position++] ?? '';
      if (letter === quote) break;
      isPrefix = letter === '*';
      if (letter === '\\') letter = this.text[this.position++] ?? '';
      value += letter;
    }
    return { value, isPrefix };
  }

  private isQuote(): boolean {
    return this.text[this.position] === '"' || this.text[this.position] === "'";
  }

  private take(sign: string): boolean {
    if (!this.text.startsWith(sign, this.position)) return false;
    this.position += sign.length;
    return true;
  }

  /** A minus belongs to what follows at once; by itself it is a word. */
  private takeMinus(): boolean {
    const next = this.text[this.position + 1];
    return next !== undefined && !BLANK.test(next) && this.take('-');
  }

  /** False at the end of the text. */
  private skipBlanks(): boolean {
    while (BLANK.test(this.text[this.position] ?? '')) this.position++;
    return this.position < this.text.length;
  }
}

/** A value as it is written, and whether it ends with a star that is not escaped. */
interface Text {
  readonly value: string;
  readonly isPrefix: boolean;
}

const BLANK = /\s/;
/** The longer ones first: `>` is the beginning of `>=`. */
const COMPARATORS = ['>=', '<=', '>', '<'] as const;

function termOf(
  field: string | undefined,
  comparator: Comparator,
  { value, isPrefix }: Text,
): SearchTerm | undefined {
  if (value === '') return undefined;
  return {
    kind: 'term',
    field,
    comparator,
    value: isPrefix ? value.slice(0, -1) : value,
    isPrefix,
  };
}

function joined(kind: 'and' | 'or', nodes: readonly SearchNode[]): SearchNode | undefined {
  return nodes.length > 1 ? { kind, nodes } : nodes[0];
}
