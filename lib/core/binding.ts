declare const BOUND: unique symbol;

/** A token for an object that has no class, or shares its class with another object. */
export type TypedToken<T> = symbol & { readonly [BOUND]: T };

/** Identifies an object to inject: its class, the abstract class of a port, or a typed token. */
export type Token<T = unknown> = (abstract new (...args: never[]) => T) | TypedToken<T>;

type ObjectOf<Injected> =
  Injected extends TypedToken<infer T>
    ? T
    : Injected extends abstract new (...args: never[]) => infer T
      ? T
      : never;

/** The dependencies of an object, by name. */
type Dependencies = Readonly<Record<string, Token>>;

/** The objects that the tokens resolve to. */
export type Injected<Needs extends Dependencies> = {
  readonly [Name in keyof Needs]: ObjectOf<Needs[Name]>;
};

/** What runs when the app starts and shuts down. Factories have no side effects. */
interface Lifetime<T> {
  /** Called once, before the app serves its first request. An error keeps the app from starting. */
  readonly start?: ((object: T) => void) | undefined;
  /**
   * Called once, when every module of the app has been started: all handlers are known, and may
   * run. What takes time goes on in the background.
   */
  readonly ready?: ((object: T) => void) | undefined;
  /** Called once, when the app shuts down and nothing is in flight. */
  readonly close?: ((object: T) => void | Promise<void>) | undefined;
}

/** One row of the list of bindings: how an object is made, and from which dependencies. */
export interface Binding<T = unknown> extends Lifetime<T> {
  readonly token: Token<T>;
  readonly inject: readonly Token[];
  /** @param injected in the order of `inject` */
  readonly make: (...injected: readonly unknown[]) => T;
}

/** Creates a token for an object without a class. @param name a constant, for error messages */
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
 * Binds a token to a factory. The compiler checks the dependencies against its argument.
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
