import { WIRE } from '../base/vendor.js';

/** A field the token's scopes do not cover; the executor adds the extensions to the response. */
export class AccessDenied extends Error {
  readonly extensions: Record<string, string>;

  /** @param also what is required beside the scope, as a sentence */
  constructor(field: string, scope: string, also?: string) {
    const more = also === undefined ? '' : ` Also: ${also}`;
    const requiredAccess = `\`${scope}\` access scope.${more}`;
    super(`Access denied for ${field} field. Required access: ${requiredAccess}`);
    this.extensions = { code: 'ACCESS_DENIED', documentation: WIRE.documentation, requiredAccess };
  }
}
