import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import { messageOf } from '../core/error-message.js';
import { isRecord } from '../core/json.js';

/** What a command looks for in a module. */
interface WantedExport<T> {
  readonly isWanted: (value: unknown) => value is T;
  /** @default exports of any name */
  readonly name?: string | undefined;
  /** Makes the error for a module that cannot be loaded. */
  readonly refusal: new (message: string, options: { readonly cause: unknown }) => Error;
}

/** The exports of a module that are of the wanted kind, with their names. */
export async function wantedExports<T>(
  path: string,
  { isWanted, name, refusal }: WantedExport<T>,
): Promise<[name: string, value: T][]> {
  let exported: Readonly<Record<string, unknown>>;
  try {
    exported = (await import(pathToFileURL(resolve(path)).href)) as typeof exported;
  } catch (cause) {
    throw new refusal(`${path} could not be loaded: ${messageOf(cause)}`, { cause });
  }
  const main = exported['default'];
  // The default export of a CommonJS module is the module itself, which may have a default export
  // of its own.
  const values = isRecord(main) && !isWanted(main) ? { ...exported, ...main } : exported;
  return Object.entries(values).filter(
    (entry): entry is [string, T] =>
      isWanted(entry[1]) && (name === undefined || entry[0] === name),
  );
}
