import type { ASTNode } from 'graphql';

import { MissingRequiredArgument } from '../core/core.errors.js';
import { InvalidRequestError } from '../core/http/http.errors.js';

/**
 * The text of a parsed document.
 * @throws {InvalidRequestError} when it is none
 * @throws {MissingRequiredArgument} when the package `graphql` is missing
 */
export async function printedText(document: object): Promise<string> {
  if (!Array.isArray((document as { readonly definitions?: unknown }).definitions))
    throw noDocument();
  // Caught for bundlers as well, which else would insist on the package.
  const { print } = await import('graphql/language/printer.js').catch((cause: unknown) => {
    throw new MissingRequiredArgument(
      'A parsed document is printed by the package "graphql": install it, or pass a text.',
      { cause },
    );
  });
  try {
    return print(document as ASTNode);
  } catch (cause) {
    throw noDocument({ cause });
  }
}

function noDocument(options?: ErrorOptions): InvalidRequestError {
  return new InvalidRequestError(
    'The query is neither a text nor a parsed document: pass it as the first argument, and its variables in the options behind it.',
    options,
  );
}
