import type { SearchTerm } from './search-query.js';

/** A value of a field; null and an empty text count as none. */
export type SearchValue = string | number | boolean | Date | null | undefined;

/** A field that a list can be searched by. */
export interface SearchField<T> {
  /** Its values in an item; any of them may fit. */
  readonly values: (item: T) => SearchValue | readonly SearchValue[];
  /** True when one of the values fits a term, and null when no value of this field ever could. */
  readonly fits: (values: readonly SearchValue[], term: SearchTerm) => boolean | null;
  /** A value that cannot be read is an error of the call instead of a warning. */
  readonly isStrict?: boolean;
  /** Items fit that do not have the value. */
  readonly isNegated?: boolean;
}

/** The fields that a list can be searched by. */
export interface SearchFields<T> {
  /** By the names in searches; `metafields.*` stands for every name that begins like this. */
  readonly named: ReadonlyMap<string, SearchField<T>>;
  /** Those in which a term without a field may be found. */
  readonly default: ReadonlyArray<SearchField<T>>;
}

type Values<T> = SearchField<T>['values'];

/** A field of words: a term fits when its words follow one another in the text, in any case. */
export function textField<T>(values: Values<T>): SearchField<T> {
  return { values, fits: (found, term) => anyFits(found, term, textFits) };
}

/** A field whose whole value has to be equal, in any case, or to begin with the term. */
export function keywordField<T>(values: Values<T>): SearchField<T> {
  return { values, fits: (found, term) => anyFits(found, term, keywordFits) };
}

/** A number, an amount of money, or an id, which may be written as a global id. Takes lists. */
export function numberField<T>(values: Values<T>): SearchField<T> {
  return {
    values,
    fits: (found, term) =>
      anyOfList(term, ({ comparator, value, isPrefix }) => {
        const digits = /^(?:gid:\/\/\w+\/\w+\/\d+|-?\d+(?:\.\d+)?)$/.exec(value)?.[0];
        if (digits === undefined || isPrefix) return null;
        const wanted = Number(digits.split('/').at(-1));
        return found.some((one) => compares(Number(one), comparator, wanted, wanted));
      }),
  };
}

/** A point in time. A day, or a time without seconds, means all of it. */
export function dateField<T>(values: Values<T>, isStrict = false): SearchField<T> {
  return {
    values,
    isStrict,
    fits: (found, term) => {
      const span = term.isPrefix ? undefined : spanOf(term.value);
      if (!span) return null;
      return found.some(
        (one) => one instanceof Date && compares(one.getTime(), term.comparator, ...span),
      );
    },
  };
}

/** `true` or `false`. */
export function booleanField<T>(values: Values<T>): SearchField<T> {
  return optionField(['true', 'false'], values);
}

/** One of some values, in any case. Takes lists. */
export function optionField<T>(options: readonly string[], values: Values<T>): SearchField<T> {
  const known = new Set(options.map((option) => option.toLowerCase()));
  return {
    values,
    fits: (found, term) =>
      anyOfList(term, ({ value }) => {
        const wanted = value.toLowerCase();
        return known.has(wanted) && !term.isPrefix
          ? found.some((one) => String(one).toLowerCase() === wanted)
          : null;
      }),
  };
}

/** A field that the platform has and the simulated store has no values for. */
export function emptyField<T>(): SearchField<T> {
  return { values: () => null, fits: () => false };
}

/** Whether an item has a value in a field that fits a term; null when no item ever could. */
export function fieldFits<T>(field: SearchField<T>, item: T, term: SearchTerm): boolean | null {
  const values = [field.values(item)].flat().filter((one) => one != null && one !== '');
  const isThere = term.value === '' && term.isPrefix && term.comparator === '';
  const fits = isThere ? values.length > 0 : field.fits(values as SearchValue[], term);
  return field.isNegated && fits !== null ? !fits : fits;
}

function anyFits(
  values: readonly SearchValue[],
  term: SearchTerm,
  fits: (text: string, term: SearchTerm) => boolean,
): boolean {
  return values.some((value) => fits(String(value).toLowerCase(), term));
}

/** True when one of the values that commas separate fits; null when one cannot be read. */
function anyOfList(term: SearchTerm, fits: (term: SearchTerm) => boolean | null): boolean | null {
  if (term.comparator !== '') return fits(term);
  const all = term.value.split(',').map((value) => fits({ ...term, value: value.trim() }));
  return all.includes(null) ? null : all.includes(true);
}

function keywordFits(text: string, { comparator, value, isPrefix }: SearchTerm): boolean {
  const wanted = value.toLowerCase();
  if (comparator !== '') return compares(text, comparator, wanted, wanted);
  return isPrefix ? text.startsWith(wanted) : text === wanted;
}

function textFits(text: string, term: SearchTerm): boolean {
  if (term.comparator !== '') return keywordFits(text, term);
  const wanted = wordsOf(term.value.toLowerCase());
  const words = wordsOf(text);
  if (wanted.length === 0) return true;
  // A star after a blank begins a word of its own, which any word is.
  const isOpen = term.isPrefix && /[\p{L}\p{N}]$/u.test(term.value);
  return words.some((_, start) =>
    wanted.every((word, index) => {
      const found = words[start + index];
      return index === wanted.length - 1 && isOpen ? found?.startsWith(word) : found === word;
    }),
  );
}

function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Compares a value with one that begins and ends at these bounds. */
function compares<V extends string | number>(
  value: V,
  comparator: SearchTerm['comparator'],
  first: V,
  last: V,
): boolean {
  switch (comparator) {
    case '>':
      return value > last;
    case '>=':
      return value >= first;
    case '<':
      return value < first;
    case '<=':
      return value <= last;
    default:
      return value >= first && value <= last;
  }
}

const DATE = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(:\d{2})?(\.\d+)?(Z|[+-]\d{2}:?\d{2})?)?$/i;

/** The first and the last millisecond of a date, a minute or a second, in UTC unless it says. */
function spanOf(text: string): [first: number, last: number] | undefined {
  const [, day, minute, second, fraction, zone] = DATE.exec(text.trim()) ?? [];
  if (day === undefined) return undefined;
  const time = `${minute ?? '00:00'}${second ?? ':00'}${fraction ?? ''}`;
  const offset = zone?.replace(/^([+-]\d{2})(\d{2})$/, '$1:$2').toUpperCase() ?? 'Z';
  const first = Date.parse(`${day}T${time}${offset}`);
  if (Number.isNaN(first)) return undefined;
  const length = minute === undefined ? 86_400_000 : second === undefined ? 60_000 : 1000;
  return [first, first + (fraction === undefined ? length - 1 : 0)];
}
