import { parsedJson } from '../../base/typed-values.js';
import { TOKEN_URN } from '../../base/vendor.js';
import { formOf, type StoreRequest } from '../../http/store-request.js';
import type { TokenGrant } from '../../state/apps/token-request.js';

/** The fields of a token request, by name. */
export type Fields = Readonly<Record<string, string>>;

/** The grant that a token request asks for; undefined for an unknown one. */
export function grantOf(fields: Fields): TokenGrant | undefined {
  const grant = fields['grant_type'] ?? 'authorization_code';
  if (grant === 'authorization_code' || grant === 'refresh_token' || grant === 'client_credentials')
    return grant;
  if (grant !== TOKEN_URN.exchange) return undefined;
  return fields['subject_token_type'] === TOKEN_URN.offline ? 'migration' : 'token_exchange';
}

/** True when the app asks for a token that expires. */
export function wantsExpiring(fields: Fields): boolean {
  return fields['expiring'] === '1' || fields['expiring'] === 'true';
}

/**
 * The fields of a token request in JSON or as a form, numbers and booleans as texts; undefined for
 * any other body.
 */
export function fieldsOf(request: StoreRequest): Fields | undefined {
  if (request.header('content-type')?.startsWith('application/x-www-form-urlencoded'))
    return Object.fromEntries(formOf(request));
  const value = parsedJson(request.body.toString());
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, field]) =>
      isPlain(field) ? [[name, String(field)]] : [],
    ),
  );
}

function isPlain(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}
