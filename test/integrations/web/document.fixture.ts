/**
 * Runs code as in a browser that has loaded some markup: as much of a document as an error boundary
 * asks for.
 */
export function inDocument<T>(markup: string, run: () => T): T {
  const querySelectorAll = (selector: string): object[] => {
    const name = /^\[([\w-]+)\]$/.exec(selector)![1]!;
    return [...markup.matchAll(new RegExp(` ${name}="([^"]*)"`, 'g'))].map(([, value]) => ({
      getAttribute: (asked: string) => (asked === name ? value : null),
    }));
  };
  Reflect.set(globalThis, 'document', { querySelectorAll });
  try {
    return run();
  } finally {
    Reflect.deleteProperty(globalThis, 'document');
  }
}
