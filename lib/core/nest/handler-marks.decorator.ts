import 'reflect-metadata';

/** What a decorator is applied to. */
interface Decorated {
  readonly target: object;
  readonly name?: string | symbol | undefined;
  readonly descriptor?: PropertyDescriptor | undefined;
}

/**
 * The metadata that a handler decorator sets. A member that Nest would never call, such as a static
 * method, is remembered as misplaced, so that the app is refused when it starts.
 */
export class HandlerMarks<Mark> {
  readonly #misplaced: symbol;

  /** @param key of the metadata */
  constructor(private readonly key: symbol) {
    this.#misplaced = Symbol.for(`${key.description}:misplaced`);
  }

  /** Adds a mark in front of those that are there: decorators apply from the bottom up. */
  add(mark: Mark, decorated: Decorated): void {
    const { target, name, descriptor } = decorated;
    const problem = problemOf(decorated);
    if (problem !== undefined) {
      const owner = typeof target === 'function' ? target : target.constructor;
      const others = (Reflect.getOwnMetadata(this.#misplaced, owner) ?? []) as readonly string[];
      Reflect.defineMetadata(this.#misplaced, [problem, ...others], owner);
      return;
    }
    const marked = (name === undefined ? target : descriptor!.value) as object;
    const marks = (Reflect.getOwnMetadata(this.key, marked) ?? []) as readonly Mark[];
    Reflect.defineMetadata(this.key, [mark, ...marks], marked);
  }

  /** The marks of a method, or of a class or one it extends. */
  on(marked: unknown): readonly Mark[] {
    return this.#read<Mark>(this.key, marked);
  }

  /** What is wrong with decorated members of a class, or of one it extends. */
  misplacedOn(constructor: unknown): readonly string[] {
    return this.#read<string>(this.#misplaced, constructor);
  }

  #read<T>(key: symbol, from: unknown): readonly T[] {
    return typeof from === 'function' ? ((Reflect.getMetadata(key, from) ?? []) as T[]) : [];
  }
}

/** Why what is decorated can be no handler, and what to do. */
function problemOf({ target, name, descriptor }: Decorated): string | undefined {
  if (name === undefined) return undefined;
  const isStatic = typeof target === 'function';
  const owner = isStatic ? target.name : target.constructor.name;
  const member = typeof name === 'symbol' ? `${owner}[${String(name)}]` : `${owner}.${name}`;
  if (descriptor === undefined)
    return `${member} is a property, which does not exist before there is an instance. Make it a method.`;
  if (typeof descriptor.value !== 'function') return `${member} is an accessor. Make it a method.`;
  if (isStatic)
    return `${member} is static, and Nest calls handlers on instances. Remove \`static\`.`;
  return typeof name === 'symbol'
    ? `${member} has a symbol as its name, and Nest finds methods by their text. Name it with a text.`
    : undefined;
}
