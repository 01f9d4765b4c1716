/** The attribute that holds the address, by the elements that are looked at. */
const ADDRESSES: ReadonlyMap<string, string> = new Map([
  ['a', 'href'],
  ['form', 'action'],
]);
/** Elements whose content is text, whatever it looks like. */
const TEXT_ONLY = new Set([
  'script',
  'style',
  'textarea',
  'title',
  'xmp',
  'iframe',
  'noembed',
  'noframes',
]);

/**
 * Ends the paths of links and forms with a slash, as the pages of an app proxy need it: those of
 * `<a href>` and `<form action>` that begin with one slash. Addresses of other hosts, fragments and
 * files stay, and so does whatever is no tag: text, comments, scripts, Liquid. Takes time in
 * proportion to the length of `template`.
 */
export function withSlashedPaths(template: string): string {
  return new TemplateScanner(template).rewritten();
}

const SOMETHING = /<!--|<[a-z!?]|<\/(?=[a-z])|\{[{%]/gi;
const TAG_END = />/g;
const CLOSING = /<\/([a-z]+)(?=[\s/>])/gi;
const COMMENT_END = /--!?>/g;
const NAME = /[^\s/>]+/y;
const SPACE = /[\s/]*/y;
const ATTRIBUTE = /=?[^\s/>=]*/y;
const EQUALS = /\s*=\s*/y;
/**
 * What to stop at within a value, by the quote around it: its end, Liquid, and the end of its path
 * as long as that is not known.
 */
const IN_VALUE: Readonly<Record<string, { readonly path: RegExp; readonly rest: RegExp }>> = {
  '"': { path: /["?#]|\{[{%]/g, rest: /"|\{[{%]/g },
  "'": { path: /['?#]|\{[{%]/g, rest: /'|\{[{%]/g },
  '': { path: /[\s>?#]|\{[{%]/g, rest: /[\s>]|\{[{%]/g },
};

/** Reads a template from its beginning to its end, never backwards. */
class TemplateScanner {
  #at = 0;
  #copied = 0;
  #result = '';
  /** Ends of Liquid that do not come any more: they are looked for once only. */
  readonly #missing = new Set<string>();

  constructor(private readonly text: string) {}

  rewritten(): string {
    while (this.#at < this.text.length) {
      const found = this.#match(SOMETHING);
      if (!found) break;
      this.#at = found.index;
      if (found[0].startsWith('{')) this.#skipLiquid();
      else if (found[0] === '<!--') this.#skipPast(COMMENT_END, 2);
      else if (/^<[a-z]/i.test(found[0])) this.#readTag();
      else if (found[0] === '</') this.#readAttributes(undefined, this.#at + 2);
      else this.#skipPast(TAG_END, 2);
    }
    return this.#result + this.text.slice(this.#copied);
  }

  #match(pattern: RegExp, from = this.#at): RegExpExecArray | null {
    pattern.lastIndex = from;
    return pattern.exec(this.text);
  }

  /** Goes on behind what matches, else to the end. */
  #skipPast(pattern: RegExp, offset: number): void {
    const found = this.#match(pattern, this.#at + offset);
    this.#at = found ? found.index + found[0].length : this.text.length;
  }

  /** Goes on behind the Liquid that begins here; behind its brackets when it has no end. */
  #skipLiquid(): void {
    const close = this.text[this.#at + 1] === '%' ? '%}' : '}}';
    const end = this.#missing.has(close) ? -1 : this.text.indexOf(close, this.#at + 2);
    if (end < 0) this.#missing.add(close);
    this.#at = end < 0 ? this.#at + 2 : end + 2;
  }

  #readTag(): void {
    const name = this.#match(NAME, this.#at + 1)![0].toLowerCase();
    this.#readAttributes(ADDRESSES.get(name), this.#at + 1 + name.length);
    if (name === 'plaintext') this.#at = this.text.length;
    if (!TEXT_ONLY.has(name)) return;
    let end = this.#match(CLOSING);
    while (end && end[1]!.toLowerCase() !== name) end = CLOSING.exec(this.text);
    this.#at = end?.index ?? this.text.length;
  }

  /** @param address the attribute whose first value is rewritten @default none is */
  #readAttributes(address: string | undefined, from: number): void {
    let isOpen = address !== undefined;
    this.#at = from;
    for (;;) {
      this.#at += this.#match(SPACE)![0].length;
      if (this.#at >= this.text.length) return;
      if (this.text[this.#at] === '>') return void this.#at++;
      if (this.#isLiquid()) {
        this.#skipLiquid();
        continue;
      }
      const name = this.#match(ATTRIBUTE)![0];
      this.#at += name.length;
      const equals = this.#match(EQUALS)?.[0];
      if (equals === undefined) continue;
      this.#at += equals.length;
      const isAddress = isOpen && name.toLowerCase() === address;
      this.#readValue(isAddress);
      if (isAddress) isOpen = false;
    }
  }

  #readValue(isAddress: boolean): void {
    const [quote = ''] = /^["']/.exec(this.text[this.#at] ?? '') ?? [];
    this.#at += quote.length;
    const start = this.#at;
    const { path, rest } = IN_VALUE[quote]!;
    let pathEnd: number | undefined;
    for (;;) {
      const found = this.#match(isAddress && pathEnd === undefined ? path : rest);
      // What has no end belongs to no tag.
      if (!found) return void (this.#at = this.text.length);
      this.#at = found.index;
      if (found[0].length > 1) this.#skipLiquid();
      else if (found[0] === '?' || found[0] === '#') pathEnd = this.#at++;
      else break;
    }
    pathEnd ??= this.#at;
    const address = this.text.slice(start, this.#at);
    this.#at += quote.length;
    if (!isAddress || !needsSlash(address, pathEnd - start)) return;
    this.#result += `${this.text.slice(this.#copied, pathEnd)}/`;
    this.#copied = pathEnd;
  }

  #isLiquid(): boolean {
    return this.text[this.#at] === '{' && /[{%]/.test(this.text[this.#at + 1] ?? '');
  }
}

/** @param end of the path within the address: before a query or a fragment outside of Liquid */
function needsSlash(address: string, end: number): boolean {
  // Browsers take `/\` for `//` and skip line breaks. Where a path with logic in it ends, nobody
  // can say.
  if (!/^\/[^/\\?#]/.test(address) || /[\t\n\r]|\{%/.test(address)) return false;
  // `&#…;` is a character, not a fragment.
  if (address[end - 1] === '/' || address.slice(end - 1, end + 1) === '&#') return false;
  const [, ending = ''] = /\.([a-z\d]{1,8})$/i.exec(address.slice(Math.max(0, end - 9), end)) ?? [];
  // A name with an ending is a file.
  return !/[a-z]/i.test(ending);
}
