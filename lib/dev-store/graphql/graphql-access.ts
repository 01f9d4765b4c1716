import { WIRE } from '../base/vendor.js';

/** A field the token's scopes do not cover; the executor adds the extensions to the response. */
export class AccessDenied extends Error {
  readonly extensions: Record<string, string>;

  /** @param requiredAccess what is needed in other words than one scope */
  constructor(field: string, scope: string, requiredAccess = `\`${scope}\` access scope.`) {
    super(`Access denied for ${field} field. Required access: ${requiredAccess}`);
    this.extensions = { code: 'ACCESS_DENIED', documentation: WIRE.documentation, requiredAccess };
  }
}

/**
 * Refuses a call that covers none of some scopes.
 * @param field the root field, which the error names
 * @param scopes of which the error names the first
 * @param mayUse whether the call covers a scope
 * @throws AccessDenied
 */
export function demandOneOf(
  field: string,
  scopes: readonly string[],
  mayUse: (scope: string) => boolean,
): void {
  if (!scopes.some(mayUse)) throw new AccessDenied(field, String(scopes[0]));
}
