import { nameOfToken } from '../../core/binding.js';
import type { Binding, Token } from '../../core/binding.js';

/** The lists of bindings contradict each other or lack one: a mistake of whoever wrote them. */
class BindingError extends Error {
  override readonly name = 'BindingError';
}

/**
 * Makes the objects of one app from its bindings: each when it is first asked for, and once. What
 * Nest does in a Nest app, synchronously and without Nest.
 */
export class Resolver {
  readonly #bindings: Map<Token, Binding>;
  readonly #made = new Map<Token, unknown>();
  /** The tokens being made, each for the one before it. */
  readonly #path: Token[] = [];
  readonly #started = new Set<Binding>();

  /** @param bindings of two for the same token the later one counts */
  constructor(bindings: readonly Binding[]) {
    this.#bindings = new Map(bindings.map((binding) => [binding.token, binding]));
  }

  /** @throws {BindingError} when a token is not bound, or needs itself */
  get<T>(token: Token<T>): T {
    if (this.#made.has(token)) return this.#made.get(token) as T;
    const binding = this.#bindings.get(token);
    if (!binding) throw new BindingError(`Nothing is bound to ${this.#pathTo(token)}.`);
    if (this.#path.includes(token))
      throw new BindingError(`These need each other: ${this.#pathTo(token)}.`);
    this.#path.push(token);
    try {
      const made = binding.make(...binding.inject.map((needed) => this.get(needed))) as T;
      this.#made.set(token, made);
      return made;
    } finally {
      this.#path.pop();
    }
  }

  /** Starts what has to begin with the app. When one fails, those before it are closed again. */
  start(): void {
    for (const binding of this.#bindings.values()) {
      if (!binding.start || this.#started.has(binding)) continue;
      try {
        binding.start(this.get(binding.token));
        this.#started.add(binding);
      } catch (error) {
        // The first error counts; what cannot be closed either is no news.
        void this.close().catch(() => {});
        throw error;
      }
    }
  }

  /** Begins what has to wait until all handlers are known, of what was made; makes nothing. */
  ready(): void {
    for (const { token, ready } of this.#bindings.values())
      if (this.#made.has(token)) ready?.(this.#made.get(token));
  }

  /** Closes what was made, the last first, and makes nothing. Rejects with the first error. */
  async close(): Promise<void> {
    const errors: unknown[] = [];
    for (const binding of [...this.#bindings.values()].reverse()) {
      const { token, start, close } = binding;
      if (!close || !this.#made.has(token) || (start && !this.#started.delete(binding))) continue;
      try {
        await close(this.#made.get(token));
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw errors[0];
  }

  #pathTo(token: Token): string {
    return [...this.#path, token].map(nameOfToken).join(' → ');
  }
}
