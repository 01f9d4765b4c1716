type Method = (this: unknown, ...args: unknown[]) => unknown;

/** Lets `see` look at each call of a method before it is made. @returns what restores the method */
export function observeCalls(
  target: object,
  name: string,
  see: (self: object, args: readonly unknown[]) => void,
): () => void {
  const before = Object.getOwnPropertyDescriptor(target, name);
  const method = Reflect.get(target, name) as Method;
  Object.defineProperty(target, name, {
    configurable: true,
    writable: true,
    enumerable: before?.enumerable ?? false,
    value(this: object, ...args: unknown[]): unknown {
      see(this, args);
      return method.apply(this, args);
    },
  });
  return () =>
    void (before
      ? Object.defineProperty(target, name, before)
      : Reflect.deleteProperty(target, name));
}

/** Lets `see` look at what a getter answers. */
export function observeGetter(
  prototype: object,
  name: string,
  see: (value: unknown) => void,
): void {
  const { get, ...rest } = Object.getOwnPropertyDescriptor(prototype, name)!;
  Object.defineProperty(prototype, name, {
    ...rest,
    get(this: unknown): unknown {
      const value: unknown = get?.call(this);
      see(value);
      return value;
    },
  });
}

/**
 * The same class, with `see` looking at the arguments of each new instance, and asking for the
 * source file it is made in.
 */
export function observeConstruction<C extends new (...args: never[]) => object>(
  of: C,
  see: (args: readonly unknown[], file: () => string) => void,
): C {
  const construct = (target: C, args: unknown[], newTarget: unknown): object => {
    see(args, () => callerOf(construct));
    return Reflect.construct(
      target,
      args,
      newTarget === observed ? target : (newTarget as C),
    ) as object;
  };
  const observed: C = new Proxy(of, { construct });
  return observed;
}

/**
 * The source file that called a function. Reads the frame itself: mapping a whole stack to its
 * sources takes long.
 */
function callerOf(callee: (...args: never[]) => unknown): string {
  const { prepareStackTrace, stackTraceLimit } = Error;
  const holder: { stack?: string } = {};
  Error.prepareStackTrace = (_, [site]) => site?.getFileName() ?? '';
  Error.stackTraceLimit = 1;
  Error.captureStackTrace(holder, callee);
  const file = holder.stack ?? '';
  Object.assign(Error, { prepareStackTrace, stackTraceLimit });
  return file;
}
