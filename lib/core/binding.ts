declare const BOUND: unique symbol;

/** Names an object that has no class of its own, or shares its class with another. */
export type TypedToken<T> = symbol & { readonly [BOUND]: T };

/** What an object is injected by: its class, the abstract class of a port, or a typed token. */
export type Token<T = unknown> = (abstract new (...args: never[]) => T) | TypedToken<T>;

type ObjectOf<Injected> =
  Injected extends TypedToken<infer T>
    ? T
    : Injected extends abstract new (...args: never[]) => infer T
      ? T
      : never;

/** What an object is made of, by name. */
export type Dependencies = Readonly<Record<string, Token>>;

/** The objects that the tokens stand for. */
export type Injected<Needs extends Dependencies> = {
  readonly [Name in keyof Needs]: ObjectOf<Needs[Name]>;
};

/** What has to begin and to end with the app; factories have no effects. */
export interface Lifetime<T> {
  /** Called once, before the app serves its first request. An error keeps the app from starting. */
  readonly start?: ((object: T) => void) | undefined;
  /** Called once, when the app shuts down and nothing is in flight any more. */
  readonly close?: ((object: T) => void | Promise<void>) | undefined;
}

/** One row of the list an app consists of: how one object is made, and of what. */
export interface Binding<T = unknown> extends Lifetime<T> {
  readonly token: Token<T>;
  readonly inject: readonly Token[];
  /** @param injected in the order of `inject` */
  readonly make: (...injected: readonly unknown[]) => T;
}

/** A token of its own for what no class stands for. @param name for error messages, as a constant */
export function typedToken<T>(name: string): TypedToken<T> {
  return Symbol.for(`shopwright:${name}`) as TypedToken<T>;
}

/** The name of a token, for error messages. */
export function nameOfToken(token: Token): string {
  if (typeof token === 'symbol') return token.description ?? '';
  // Of a circle of imports a class may not exist yet when a list of bindings is made.
  return (token as { name: string } | undefined)?.name ?? '(undefined)';
}

/**
 * Binds a token to the way its object is made. The compiler checks what is injected against what
 * `make` takes.
 * @example
 * bind(TokenClient, { config: PlatformConfig, transport: HttpTransport }, ({ config, transport }) =>
 *   new TokenClient(config, transport))
 */
export function bind<Bound extends Token, Needs extends Dependencies>(
  token: Bound,
  needs: Needs,
  make: (dependencies: Injected<Needs>) => ObjectOf<Bound>,
  lifetime: Lifetime<ObjectOf<Bound>> = {},
): Binding {
  const names = Object.keys(needs);
  return {
    ...(lifetime as Lifetime<unknown>),
    token,
    inject: Object.values(needs),
    make: (...injected) =>
      make(Object.fromEntries(names.map((name, at) => [name, injected[at]])) as Injected<Needs>),
  };
}

/** Binds a token to an object that exists already. */
export function bindValue<Bound extends Token>(token: Bound, value: ObjectOf<Bound>): Binding {
  return bind(token, {}, () => value);
}
