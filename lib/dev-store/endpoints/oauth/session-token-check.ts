import type { RegisteredApp } from '../../base/app-registry.js';
import { claimsOfJwt } from '../../base/signing.js';

/** The result of checking a session token: its user, or the problem. */
type CheckedSessionToken =
  { userId: number; problem?: never } | { userId?: never; problem: string };

/**
 * Checks a session token as the platform does before it exchanges it for an access token.
 * @param shop domain of the shop
 */
export function checkSessionToken(
  token: string,
  app: RegisteredApp,
  shop: string,
  now: Date,
): CheckedSessionToken {
  const secrets = [app.apiSecretKey, ...(app.previousSecret ? [app.previousSecret] : [])];
  const claims = secrets.map((secret) => claimsOfJwt(secret, token)).find(Boolean);
  const seconds = now.getTime() / 1000;
  if (!claims) return { problem: 'it is not signed with the secret of the app' };
  if (claims['aud'] !== app.apiKey) return { problem: 'it is meant for another app' };
  if (claims['dest'] !== `https://${shop}`) return { problem: 'it belongs to another shop' };
  if (!(Number(claims['exp']) > seconds)) return { problem: 'it has expired' };
  if (!(Number(claims['nbf']) <= seconds)) return { problem: 'it is not valid yet' };
  const userId = Number(claims['sub']);
  return Number.isSafeInteger(userId) && userId > 0 ? { userId } : { problem: 'it names no user' };
}
