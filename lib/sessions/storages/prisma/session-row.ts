import { Session } from '../../session.js';
import type { OnlineAccessUser } from '../../session.js';
import { checkStorable } from '../../session.storage.js';

type Row = Readonly<Record<string, unknown>>;

/** Columns for what is known of a user, with the name of the platform's reply. */
const TEXTS = {
  firstName: 'first_name',
  lastName: 'last_name',
  email: 'email',
  locale: 'locale',
} as const;
const FLAGS = {
  accountOwner: 'account_owner',
  collaborator: 'collaborator',
  emailVerified: 'email_verified',
} as const;
type Flag = keyof typeof FLAGS;

/**
 * The row of the official model: null for what is not set, '' for a missing token. @param required
 * flags that must not be null
 */
export function rowOf(session: Session, required: ReadonlySet<string>): Row {
  checkStorable(session);
  const {
    id,
    shop,
    state,
    isOnline,
    scope,
    expires,
    accessToken,
    refreshToken,
    refreshTokenExpires,
  } = session;
  const user: Partial<OnlineAccessUser> = session.onlineAccessInfo?.associated_user ?? {};
  const texts = Object.entries(TEXTS).map(([column, field]) => [column, user[field] ?? null]);
  const flags = Object.entries(FLAGS).map(([column, field]) => [
    column,
    user[field] ?? (required.has(column) ? false : null),
  ]);
  return {
    id,
    shop,
    state,
    isOnline,
    scope: scope || null,
    expires: expires ?? null,
    accessToken: accessToken ?? '',
    userId: user.id === undefined ? null : BigInt(user.id),
    ...Object.fromEntries([...texts, ...flags]),
    refreshToken: refreshToken || null,
    refreshTokenExpires: refreshTokenExpires ?? null,
  };
}

/**
 * The way back. The official storage has turned texts that were null into "null", and stored them
 * so.
 */
export function sessionIn(row: Row): Session {
  const { expires, refreshTokenExpires, accessToken, userId, ...others } = row;
  const isUnset = (column: string): boolean => column in TEXTS && others[column] === 'null';
  const entries = Object.entries(others).filter(
    ([column]) => COLUMNS.has(column) && !isUnset(column),
  );
  return Session.fromPropertyArray(
    [
      ...entries,
      ['accessToken', accessToken || null],
      ['userId', userId === null || userId === undefined ? null : Number(userId)],
      ['expires', timeOf(expires)],
      ['refreshTokenExpires', timeOf(refreshTokenExpires)],
    ],
    true,
  );
}

/** Which flags a call was refused for having no value. */
export function requiredFlagsIn(message: string): Flag[] {
  return (Object.keys(FLAGS) as Flag[]).filter((flag) =>
    new RegExp(`\\b${flag}\\b\`? must not be null`).test(message),
  );
}

const COLUMNS: ReadonlySet<string> = new Set([
  ...['id', 'shop', 'state', 'isOnline', 'scope', 'refreshToken'],
  ...Object.keys(TEXTS),
  ...Object.keys(FLAGS),
]);

function timeOf(value: unknown): number | null {
  return value instanceof Date ? value.getTime() : null;
}
