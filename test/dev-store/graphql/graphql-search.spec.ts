import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { search, SearchValueError } from '../../../lib/dev-store/graphql/graphql-search.js';
import {
  booleanField,
  dateField,
  emptyField,
  keywordField,
  numberField,
  optionField,
  textField,
  type SearchFields,
} from '../../../lib/dev-store/graphql/search-fields.js';
import { parseSearch } from '../../../lib/dev-store/graphql/search-query.js';

interface Boat {
  id: number;
  name: string;
  tags: string[];
  status: 'AFLOAT' | 'ASHORE' | 'SUNK';
  isRed: boolean;
  length: string;
  builtAt: Date | null;
}

const TAGS = keywordField<Boat>(({ tags }) => tags);
const NAME = textField<Boat>(({ name }) => name);
const FIELDS: SearchFields<Boat> = {
  default: [NAME, TAGS],
  named: new Map([
    ['id', numberField<Boat>(({ id }) => id)],
    ['name', NAME],
    ['tag', TAGS],
    ['tag_not', { ...TAGS, isNegated: true }],
    ['status', optionField<Boat>(['AFLOAT', 'ASHORE', 'SUNK'], ({ status }) => status)],
    ['is_red', booleanField<Boat>(({ isRed }) => isRed)],
    ['length', numberField<Boat>(({ length }) => length)],
    ['built_at', dateField<Boat>(({ builtAt }) => builtAt)],
    ['launched_at', dateField<Boat>(({ builtAt }) => builtAt, true)],
    ['owner', emptyField<Boat>()],
    ['metafields.*', emptyField<Boat>()],
  ]),
};

const BOATS: Boat[] = [
  ['Red Dawn', ['sail', 'Old Boat'], 'AFLOAT', true, '9.50', '2020-05-01T10:00:00Z'],
  ['Sea Dog', ['motor'], 'SUNK', false, '12.00', '2021-05-01T10:30:15Z'],
  ["O'Hara: the (second)", ['sail', 'motor'], 'ASHORE', false, '7.25', null],
  ['Dawn-treader II', [], 'AFLOAT', false, '30.00', '2020-05-02T00:00:00Z'],
].map(([name, tags, status, isRed, length, builtAt], index) => ({
  ...({ name, tags, status, isRed, length } as Omit<Boat, 'id' | 'builtAt'>),
  id: index + 1,
  builtAt: builtAt === null ? null : new Date(builtAt as string),
}));

const found = (query: string | null | undefined): number[] =>
  search(BOATS, query, FIELDS).map(({ id }) => id);

describe('A search', () => {
  it.each([
    ['', [1, 2, 3, 4]],
    ['   ', [1, 2, 3, 4]],
    // words, in any case, each by itself or one after the other
    ['dawn', [1, 4]],
    ['DAWN red', [1]],
    ['red AND dawn', [1]],
    ['"red dawn"', [1]],
    ['"dawn red"', []],
    ["'sea dog'", [2]],
    ['awn', []],
    ['daw*', [1, 4]],
    ['"sea d*"', [2]],
    ['name:dawn', [1, 4]],
    ['NAME:"dawn treader"', [4]],
    ['name:dawn-tread*', [4]],
    // a default term may be in another field
    ['motor', [2, 3]],
    ['default:motor', [2, 3]],
    // whole values
    ['tag:sail', [1, 3]],
    ['tag:SAIL tag:motor', [3]],
    ['tag:"old boat"', [1]],
    ['tag:old', []],
    ['tag:old*', [1]],
    ['tag_not:sail', [2, 4]],
    ['tag:*', [1, 2, 3]],
    ['-tag:*', [4]],
    ['built_at:*', [1, 2, 4]],
    ['owner:*', []],
    ['owner:1', []],
    ['metafields.custom.hull:wood', []],
    // connectives, groups and negation
    ['red OR sea', [1, 2]],
    ['red OR sea dog', [1, 2]],
    ['sea dog OR red dawn', [1, 2]],
    ['(red OR sea) dog', [2]],
    ['-sail', [2, 4]],
    ['NOT sail', [2, 4]],
    ['NOT NOT sail', [1, 3]],
    ['dawn -(tag:sail OR sea)', [4]],
    ['NOT (red OR sea) AND NOT treader', [3]],
    ['dawn or red', []],
    // ids, numbers and comparisons
    ['id:2', [2]],
    ['id:>2', [3, 4]],
    ['id:>=2 id:<4', [2, 3]],
    ['id:<=1 OR id:4', [1, 4]],
    ['id:1,3', [1, 3]],
    ['id:"1, 4"', [1, 4]],
    ['id:gid://shopify/Boat/3', [3]],
    ['length:>9.5', [2, 4]],
    ['length:>=9.5', [1, 2, 4]],
    ['length:9.5', [1]],
    // options and booleans
    ['status:afloat', [1, 4]],
    ['status:AFLOAT,sunk', [1, 2, 4]],
    ['is_red:true', [1]],
    ['is_red:false', [2, 3, 4]],
    ['-is_red:true', [2, 3, 4]],
    // dates: a day is all of it
    ['built_at:2020-05-01', [1]],
    ["built_at:'2020-05-01T10:00:00Z'", [1]],
    ['built_at:2020-05-01T12:00:00+02:00', [1]],
    ['built_at:>2020-05-01', [2, 4]],
    ['built_at:>=2020-05-01', [1, 2, 4]],
    ['built_at:<2020-05-02', [1]],
    ['built_at:<=2020-05-02', [1, 4]],
    ['built_at:2021-05-01T10:30', [2]],
    ['built_at:>=2020-05-01 built_at:<2021-01-01', [1, 4]],
    // special characters
    ["name:O\\'Hara\\:", [3]],
    ['name:"O\'Hara: the (second)"', [3]],
    ['\\(second\\)', [3]],
    // mistakes
    ['(dawn', [1, 4]],
    ['((dawn) red', [1]],
    ['dawn)', [1, 4]],
    [') dawn (', [1, 4]],
    ['dawn OR', [1, 4]],
    ['OR dawn', [1, 4]],
    ['AND dawn AND AND red', [1]],
    ['dawn NOT', [1, 4]],
    ['"dawn', [1, 4]],
    ['tag:(sail', []],
    ['tag:("sail"', []],
    ['tag:', [1, 2, 3, 4]],
    [':dawn', [1, 4]],
    ['-', [1, 2, 3, 4]],
    ['()', [1, 2, 3, 4]],
    ['\\', [1, 2, 3, 4]],
  ])('for %j finds %j', (query, ids) => {
    expect(found(query)).toEqual(ids);
  });

  it.each([
    ['beam:4', [1, 2, 3, 4]],
    ['beam:>4 dawn', [1, 4]],
    ['NOT beam:4', [1, 2, 3, 4]],
    ['red OR beam:4', [1]],
    // a value that no item can have
    ['status:flying', []],
    ['-status:flying', [1, 2, 3, 4]],
    ['built_at:yesterday', []],
    ['id:two', []],
  ])('that is not understood, %j, finds %j', (query, ids) => {
    expect(found(query)).toEqual(ids);
  });

  it('for a date that cannot be read is an error where the platform refuses it', () => {
    expect(() => found('launched_at:not-a-date')).toThrow(SearchValueError);
    expect(() => found('launched_at:not-a-date')).toThrow(
      'Invalid timestamp for query filter `launched_at`.',
    );
    expect(found('launched_at:2020-05-01')).toEqual([1]);
    expect(found('launched_at:*')).toEqual([1, 2, 4]);
  });

  it('may be missing', () => {
    expect(found(null)).toEqual([1, 2, 3, 4]);
    expect(found(undefined)).toEqual([1, 2, 3, 4]);
  });
});

/** A search, and what it means: a second reading of the documentation, without any text. */
interface Meaning {
  readonly text: string;
  readonly fits: (boat: Boat) => boolean;
}

const WORDS = ['red', 'dawn', 'sea', 'dog', 'treader', 'hara', 'kraken'];

/** The words of a name, cut by hand: the evaluator must not share the parser's idea of words. */
const NAMES: Record<number, string[]> = {
  1: ['red', 'dawn'],
  2: ['sea', 'dog'],
  3: ['o', 'hara', 'the', 'second'],
  4: ['dawn', 'treader', 'ii'],
};

const leaf: fc.Arbitrary<Meaning> = fc.oneof(
  fc.constantFrom(...WORDS).map((word) => ({
    text: `name:${word.toUpperCase()}`,
    fits: ({ id }: Boat) => NAMES[id]!.includes(word),
  })),
  fc.constantFrom(...WORDS).map((word) => ({
    text: `name:"${word.slice(0, 2)}*"`,
    fits: ({ id }: Boat) => NAMES[id]!.some((one) => one.startsWith(word.slice(0, 2))),
  })),
  fc.constantFrom('sail', 'motor', 'old boat', 'none').map((tag) => ({
    text: `tag:'${tag}'`,
    fits: ({ tags }: Boat) => tags.some((one) => one.toLowerCase() === tag),
  })),
  fc.tuple(fc.constantFrom('>', '>=', '<', '<=', ''), fc.nat(5)).map(([sign, bound]) => ({
    text: `id:${sign}${bound}`,
    fits: ({ id }: Boat) =>
      ({
        '>': id > bound,
        '>=': id >= bound,
        '<': id < bound,
        '<=': id <= bound,
        '': id === bound,
      })[sign]!,
  })),
  fc.subarray(['AFLOAT', 'ASHORE', 'SUNK'], { minLength: 1 }).map((options) => ({
    text: `status:${options.join(',')}`,
    fits: ({ status }: Boat) => options.includes(status),
  })),
  fc.boolean().map((flag) => ({
    text: `is_red:${flag}`,
    fits: ({ isRed }: Boat) => isRed === flag,
  })),
  fc.constantFrom('2020-05-01', '2020-05-02', '2021-05-01').map((day) => ({
    text: `built_at:>=${day}`,
    fits: ({ builtAt }: Boat) =>
      builtAt !== null && builtAt.getTime() >= new Date(`${day}T00:00:00Z`).getTime(),
  })),
);

const blank = fc.constantFrom(' ', '  ', '\t', '\n');

const { meaning } = fc.letrec<{ meaning: Meaning; group: Meaning }>((tie) => ({
  group: fc.oneof(
    { depthSize: 'small' },
    leaf,
    tie('meaning').map(({ text, fits }) => ({ text: `(${text})`, fits })),
    fc.tuple(fc.constantFrom('-', 'NOT '), tie('group')).map(([sign, { text, fits }]) => ({
      text: `${sign}${text}`,
      fits: (boat: Boat) => !fits(boat),
    })),
  ),
  // `OR` between runs of terms that `AND`, or nothing, joins
  meaning: fc
    .array(
      fc.array(fc.tuple(fc.constantFrom('', 'AND '), blank, tie('group')), {
        minLength: 1,
        maxLength: 3,
      }),
      {
        minLength: 1,
        maxLength: 3,
      },
    )
    .map((runs) => ({
      text: runs
        .map((run) =>
          run
            .map(([and, gap, { text }], index) => (index === 0 ? text : `${gap}${and}${text}`))
            .join(''),
        )
        .join(' OR '),
      fits: (boat: Boat) => runs.some((run) => run.every(([, , one]) => one.fits(boat))),
    })),
}));

describe('Searches of any kind', () => {
  it('mean what the documentation says', () => {
    fc.assert(
      fc.property(meaning, ({ text, fits }) => {
        expect(found(text)).toEqual(BOATS.filter(fits).map(({ id }) => id));
      }),
      { numRuns: 2000 },
    );
  });

  it('never fail, whatever is written', () => {
    const pieces = fc.constantFrom(
      ...['(', ')', '"', "'", ':', '\\', '*', '-', ' ', ',', '>', '<', '>=', 'AND', 'OR', 'NOT'],
      ...['id', 'tag', 'name', 'built_at', 'status', '2020-05-01', '7', 'dawn', '\u0000', 'é'],
    );
    const text = fc.oneof(
      fc.array(pieces, { maxLength: 40 }).map((all) => all.join('')),
      fc.string(),
    );
    fc.assert(
      fc.property(text, (query) => {
        const ids = found(query);
        expect(BOATS.map(({ id }) => id).filter((id) => ids.includes(id))).toEqual(ids);
      }),
      { numRuns: 3000 },
    );
  });

  it.each([
    ['groups', '('.repeat(200_000)],
    ['groups and terms', '(dawn OR -'.repeat(50_000)],
    ['negations', '-'.repeat(200_000)],
    ['connectives', 'NOT '.repeat(50_000)],
    ['terms', 'id:>0 '.repeat(20_000)],
    ['backslashes', '\\'.repeat(200_001)],
    ['quotes', '"\'"'.repeat(60_000)],
    ['blanks', ' '.repeat(200_000)],
    ['stars', `name:${'*'.repeat(200_000)}`],
    ['a date', `built_at:${'1'.repeat(200_000)}`],
    ['a list', `id:${'1,'.repeat(50_000)}`],
  ])('come to an end with very many %s', (_, query) => {
    expect(Array.isArray(found(query))).toBe(true);
    expect(() => JSON.stringify(parseSearch(query))).not.toThrow();
  });
});
