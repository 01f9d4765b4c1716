import { MissingDriverError } from '../../sessions.errors.js';

/**
 * Loads a driver, which is an optional dependency, for the storage of an engine. One that is a
 * CommonJS module is the default export, and in a project that is compiled to CommonJS, such as one
 * that runs in Jest, the module itself.
 * @throws {MissingDriverError} when it is not installed
 */
export async function loadOptional<Driver>(
  engine: string,
  name: string,
  load: () => Promise<Driver>,
): Promise<Driver> {
  try {
    const loaded = (await load()) as Driver & { readonly default?: Driver };
    return loaded.default ?? loaded;
  } catch (cause) {
    throw new MissingDriverError(
      `${engine} storage needs the driver "${name}", which could not be loaded. Run: npm install ${name}`,
      { cause },
    );
  }
}

/** The code of an error, read by shape: drivers have error classes of their own. */
export function codeOf(error: unknown): string | number | undefined {
  const { code } = Object(error) as { readonly code?: unknown };
  return typeof code === 'string' || typeof code === 'number' ? code : undefined;
}
