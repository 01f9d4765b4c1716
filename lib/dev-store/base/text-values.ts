/** A text as the platform writes it in addresses: small letters without accents, and digits. */
export function slug(text: string): string {
  const letters = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return letters.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '');
}

/** Which addresses other objects have. */
interface Taken {
  has(handle: string): boolean;
}

/** An address, with a number when another object has it. */
export function freeHandle(base: string, taken: Taken): string {
  return numbered(base, 1, [base, taken]);
}

/** An address as products have it: where it ends in a number, that is raised. */
export function raisedHandle(base: string, taken: Taken): string {
  const [, stem = base, last = '0'] = /^(.+)-(\d{1,15})$/.exec(base) ?? [];
  return numbered(stem, Number(last) + 1, [base, taken]);
}

function numbered(stem: string, first: number, [wanted, taken]: readonly [string, Taken]): string {
  let handle = wanted;
  for (let number = first; taken.has(handle); number++) handle = `${stem}-${number}`;
  return handle;
}

/** Tags as the platform keeps them: without blanks around, each once in any case, in order. */
export function cleanTags(tags: readonly unknown[]): string[] {
  const cleaned = new Map<string, string>();
  for (const tag of tags.map((one) => String(one).trim()).filter(Boolean)) {
    const key = tag.toLowerCase();
    if (!cleaned.has(key)) cleaned.set(key, tag);
  }
  return [...cleaned.values()].sort((a, b) => a.localeCompare(b, 'en'));
}

/** A text without blanks around it; null for one of nothing but blanks. */
export function cleanText(text: string | null | undefined): string | null {
  return text?.trim() || null;
}

/** A text with a capital at its beginning. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A name in camel case as words: `First name` of `firstName`. */
export function phrase(name: string): string {
  return capital(name.replace(/\B[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`));
}

/** One of what a word names: `company` of `companies`. */
export function singular(word: string): string {
  return word.replace(/ies$/, 'y').replace(/(?<=[^s])s$/, '');
}
