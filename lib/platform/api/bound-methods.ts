type Methods = Readonly<Record<string, (...args: unknown[]) => unknown>>;

/**
 * Makes the methods of an object work without it, as in `const { validate } = api.webhooks`: they
 * become properties of its own, which are not enumerable. What the object has already, and what it
 * inherits from more than its class, stays.
 * @param options.isLate false for the methods that the class has now, without a step in between.
 * @default true: what a test puts in the place of a method of the class is called from then on
 * @returns the same object
 */
export function withBoundMethods<T extends object>(target: T, { isLate = true } = {}): T {
  const prototype: unknown = Object.getPrototypeOf(target);
  // A test may put a plain object, or a frozen one, in the place of a service.
  if (prototype === Object.prototype || prototype === null || !Object.isExtensible(target))
    return target;
  for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
    if (name === 'constructor' || typeof value !== 'function' || Object.hasOwn(target, name))
      continue;
    Object.defineProperty(target, name, {
      value: isLate
        ? (...args: unknown[]) => (prototype as Methods)[name]!.apply(target, args)
        : (value as Methods[string]).bind(target),
      configurable: true,
      writable: true,
    });
  }
  return target;
}
