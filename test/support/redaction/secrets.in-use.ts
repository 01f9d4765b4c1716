import { createHash } from 'node:crypto';

/**
 * Shorter values ("token", "old") are words of any text, and prove nothing when they turn up in
 * one.
 */
const SHORTEST = 12;

const NAMES =
  'access_token|refresh_token|accessToken|refreshToken|client_secret|subject_token|id_token';
const MEMBER = new RegExp(`"(${NAMES})"\\s*:\\s*"([^"\\\\]+)"`, 'g');
const CODE_MEMBER = /"(code)"\s*:\s*"([^"\\]+)"/g;
const PARAMETER = new RegExp(`(?:^|[?&])(${NAMES}|code)=([^&#\\s"']+)`, 'g');
const JWT = /\beyJ[\w-]{5,}\.[\w-]+\.[\w-]+/g;
const SECRET_HEADER =
  /^(?:authorization|x-shopify-access-token|shopify-storefront-private-token)$/i;

/** The secrets that a test used, recognised by the place where they came in. */
export class SecretsInUse {
  readonly #kinds = new Map<string, string>();
  /** The secrets in all their forms, by their first characters. */
  readonly #forms = new Map<string, { secret: string; form: string }[]>();

  add(kind: string, value: unknown): void {
    if (typeof value !== 'string' || value.length < SHORTEST || this.#kinds.has(value)) return;
    this.#kinds.set(value, kind);
    for (const form of formsOf(value)) {
      const beginning = form.slice(0, SHORTEST);
      const others = this.#forms.get(beginning);
      if (others) others.push({ secret: value, form });
      else this.#forms.set(beginning, [{ secret: value, form }]);
    }
  }

  /** Takes them out of an address, a form, a JSON text or a document. */
  learnFrom(text: string): void {
    for (const [token] of text.matchAll(JWT)) this.add('session token', token);
    for (const [, name, value] of text.matchAll(MEMBER)) this.add(name!, value);
    for (const [, name, value] of text.matchAll(PARAMETER)) this.add(name!, decoded(value!));
    // Errors of an API have a `code` as well. Only beside the app's secret is it one of the grant.
    if (text.includes('"client_secret"'))
      for (const [, name, value] of text.matchAll(CODE_MEMBER)) this.add(name!, value);
  }

  learnFromHeaders(headers: Iterable<readonly [string, unknown]>): void {
    for (const [name, value] of headers)
      if (SECRET_HEADER.test(name))
        this.add(name.toLowerCase(), String(value).replace(/^\w+\s+/, ''));
  }

  /** Takes the password out of the address of a server, such as a database. */
  learnFromCredentials(url: unknown): void {
    const [, password] = /^[a-z]+:\/\/[^:@/]*:([^@/]+)@/.exec(String(url)) ?? [];
    if (password) this.add('password of a server', decoded(password));
  }

  /** The secrets that stand in a text, plainly or encoded as part of an address. */
  foundIn(text: string): string[] {
    // Thousands of secrets and of texts: each text is walked once, not once for every secret.
    const found = new Set<string>();
    for (let at = 0; at <= text.length - SHORTEST; at += 1)
      for (const { secret, form } of this.#forms.get(text.slice(at, at + SHORTEST)) ?? [])
        if (text.startsWith(form, at)) found.add(secret);
    return [...found];
  }

  /** The text with `<kind hash>` in the place of every secret: what a report may show. */
  masked(text: string): string {
    let masked = text;
    for (const secret of this.#kinds.keys())
      for (const form of formsOf(secret))
        masked = masked.replaceAll(form, `<${this.named(secret)}>`);
    return masked;
  }

  /** Kind, and enough of a hash to tell two secrets apart. */
  named(secret: string): string {
    return `${this.#kinds.get(secret)} ${createHash('sha256').update(secret).digest('hex').slice(0, 8)}`;
  }
}

/** As it is, and as it stands in an address. */
function formsOf(secret: string): Set<string> {
  return new Set([secret, encodeURIComponent(secret)]);
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
