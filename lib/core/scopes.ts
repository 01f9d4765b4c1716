/** Scopes in any form they are written in, an `AuthScopes` of whatever library included. */
export type ScopesLike =
  string | readonly string[] | { toArray(returnOriginal?: boolean): string[] } | undefined;

/** How many lists of scopes are remembered: all shops of an app have granted one of a few. */
const REMEMBERED = 500;

/**
 * A set of access scopes in which a write scope implies its read scope. Immutable; keeps the given
 * order.
 */
export class AuthScopes {
  static readonly SCOPE_DELIMITER = ',';

  static readonly #remembered = new Map<string, AuthScopes>();

  readonly #original: readonly string[];
  readonly #expanded: ReadonlySet<string>;
  readonly #compressed: readonly string[];

  /** The scopes in a comma-separated list. A list that occurs again is not parsed again. */
  static of(list: string): AuthScopes {
    const known = AuthScopes.#remembered.get(list);
    if (known) return known;
    const scopes = new AuthScopes(list);
    if (AuthScopes.#remembered.size >= REMEMBERED) AuthScopes.#remembered.clear();
    AuthScopes.#remembered.set(list, scopes);
    return scopes;
  }

  constructor(scopes?: ScopesLike) {
    this.#original = [...new Set(namesIn(scopes))];
    const implied = new Set(this.#original.flatMap(impliedBy));
    this.#expanded = new Set([...this.#original, ...implied]);
    this.#compressed = this.#original.filter((scope) => !implied.has(scope));
  }

  /**
   * All scopes, implied ones included. Sessions of the platform's own library, which its storages
   * return, look for them under this name.
   */
  get expandedScopes(): ReadonlySet<string> {
    // Scopes of the same text are one object for all sessions: what is handed out is a copy.
    return new Set(this.#expanded);
  }

  /** True when every one of `scopes` is granted here, directly or by implication. */
  has(scopes: ScopesLike): boolean {
    const asked = scopes instanceof AuthScopes ? scopes : new AuthScopes(scopes);
    return asked.#compressed.every((scope) => this.#expanded.has(scope));
  }

  /** True when both sides grant the same. */
  equals(scopes: ScopesLike): boolean {
    const other = scopes instanceof AuthScopes ? scopes : new AuthScopes(scopes);
    return this.has(other) && other.has(this);
  }

  /** These scopes, implied ones included, but for the named ones. */
  without(names: readonly string[]): AuthScopes {
    return new AuthScopes([...this.#expanded].filter((scope) => !names.includes(scope)));
  }

  /** The scopes without implied ones; all of them as given with `returnOriginal`. */
  toArray(returnOriginal = false): string[] {
    return [...(returnOriginal ? this.#original : this.#compressed)];
  }

  /** Comma-separated, without implied scopes, as in an OAuth request. */
  toString(): string {
    return this.#compressed.join(AuthScopes.SCOPE_DELIMITER);
  }

  toJSON(): string[] {
    return this.toArray(true);
  }
}

function namesIn(scopes: ScopesLike): string[] {
  // A column of a database may be null.
  if (scopes === undefined || scopes === null) return [];
  return listOf(scopes)
    .map((scope) => scope.trim())
    .filter((scope) => scope !== '');
}

function listOf(scopes: NonNullable<ScopesLike>): readonly string[] {
  if (typeof scopes === 'string') return scopes.split(AuthScopes.SCOPE_DELIMITER);
  return 'toArray' in scopes ? scopes.toArray(true) : scopes;
}

function impliedBy(scope: string): string[] {
  const match = /^(unauthenticated_)?write_(.+)$/.exec(scope);
  return match ? [`${match[1] ?? ''}read_${match[2]}`] : [];
}
