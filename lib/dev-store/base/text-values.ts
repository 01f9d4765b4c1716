/** A text as the platform writes it in addresses: small letters without accents, and digits. */
export function slug(text: string): string {
  const letters = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return letters.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '');
}

/** An address, with a number when another object has it. */
export function freeHandle(base: string, taken: ReadonlySet<unknown>): string {
  let handle = base;
  for (let number = 1; taken.has(handle); number++) handle = `${base}-${number}`;
  return handle;
}

/** Tags as the platform keeps them: without blanks around, each once, in order. */
export function cleanTags(tags: readonly unknown[]): string[] {
  const cleaned = tags.map((tag) => String(tag).trim()).filter(Boolean);
  return [...new Set(cleaned)].sort((a, b) => a.localeCompare(b, 'en'));
}

/** A text without blanks around it; null for one of nothing but blanks. */
export function cleanText(text: string | null | undefined): string | null {
  return text?.trim() || null;
}
