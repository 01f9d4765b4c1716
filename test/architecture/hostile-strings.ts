/** Characters that the outside sends as many of as it likes. */
const GENERIC = ['/', ' ', 'a', '0', '='];
/** What an expression with an end cannot match behind a pump. */
const ENDINGS = ['\u0001', '\n', 'a'];

/** A string that grows: `prefix`, `pump` again and again, `suffix`. */
export interface HostileString {
  readonly prefix: string;
  readonly pump: string;
  readonly suffix: string;
}

/** The string with about as many characters as `size`. */
export function grown({ prefix, pump, suffix }: HostileString, size: number): string {
  return prefix + pump.repeat(Math.ceil(size / pump.length)) + suffix;
}

/**
 * Strings made of what an expression itself speaks of, to find one that it takes long to refuse.
 */
export function hostileStrings({ source }: RegExp): HostileString[] {
  const words = wordsIn(source);
  const letters = [...new Set([...GENERIC, ...lettersIn(source)])];
  // What lets the rest be reached comes first: behind it one letter, which lets exponential time
  // grow slowly, is enough.
  const prefixes = [...words.map((_, index) => words.slice(0, index + 1).join('')), ...words, ''];
  const pumps = [
    ...letters,
    ...words,
    ...letters.flatMap((letter) => letters.map((other) => letter + other)),
    // A beginning that may be the right one each time, and never is.
    ...words.flatMap((word) =>
      letters.flatMap((letter) => ['', ...letters].map((other) => word + letter.repeat(6) + other)),
    ),
  ];
  const distinct = (texts: readonly string[]): string[] => [...new Set(texts)];
  const combined = (heads: readonly string[], bodies: readonly string[]): HostileString[] =>
    distinct(heads).flatMap((prefix) =>
      distinct(bodies).flatMap((pump) => ENDINGS.map((suffix) => ({ prefix, pump, suffix }))),
    );
  // Most expressions fall at once for one letter, again and again, behind another.
  return [...combined(letters, letters), ...combined(prefixes, pumps)];
}

/** What is written out in an expression, in pieces: `^bearer +(\S+)` says `bearer `. */
function wordsIn(source: string): string[] {
  const bare = source
    .replace(/\[(?:\\.|[^\]\\])*\]/g, '|')
    .replace(/\\[a-zA-Z](?:\{\w+\})?/g, '|')
    .replace(/\(\?(?:[:=!]|<[=!]|<\w+>)/g, '|')
    .replace(/\{[\d,]+\}/g, '|')
    .replace(/\\(.)/g, '$1');
  return bare.split(/[|()^$.*+?]+/).filter((word) => word.length > 1);
}

/** One character for each thing an expression can mean. */
function lettersIn(source: string): string[] {
  const classes = {
    '\\s': ' ',
    '\\S': 'x',
    '\\d': '1',
    '\\w': 'b',
    '\\W': '-',
    '\\n': '\n',
    '\\r': '\r',
    '\\t': '\t',
  };
  const named = Object.entries(classes).flatMap(([name, letter]) =>
    source.includes(name) ? [letter] : [],
  );
  const written = source.replace(/\\[a-zA-Z]/g, '').match(/[^\w\s^$*+?(){}|[\]\\]/g) ?? [];
  const escaped = [...source.matchAll(/\\([^\w\s])/g)].map(([, letter]) => letter!);
  return [...new Set([...named, ...written, ...escaped])].slice(0, 8);
}
