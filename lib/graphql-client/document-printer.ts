import type { ASTNode } from 'graphql';

import { MissingRequiredArgument } from '../core/core.errors.js';

/**
 * The text of a parsed document.
 * @throws {MissingRequiredArgument} when the package `graphql` is missing
 */
export async function printedText(document: object): Promise<string> {
  // Caught for bundlers as well, which else would insist on the package.
  const { print } = await import('graphql/language/printer.js').catch((cause: unknown) => {
    throw new MissingRequiredArgument(
      'A parsed document is printed by the package "graphql": install it, or pass a text.',
      { cause },
    );
  });
  return print(document as ASTNode);
}
