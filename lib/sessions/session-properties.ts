import type { Untyped } from '../core/json.js';
import { InvalidSession } from './sessions.errors.js';

/** The user an online token acts for. */
export interface OnlineAccessUser {
  id: number;
  first_name: string;
  last_name: string;
  email: string;
  email_verified: boolean;
  account_owner: boolean;
  locale: string;
  collaborator: boolean;
}

/**
 * What comes with an online token. The first two are known while it is fresh; most storages keep
 * the user alone. They are declared as the platform's own library declares them, so that its
 * sessions and ours can take each other's place.
 */
export interface OnlineAccessInfo {
  /** Seconds. */
  expires_in: number;
  /** Comma-separated: what this user may do, at most what the app may. */
  associated_user_scope: string;
  associated_user: OnlineAccessUser;
}

/** What may be known of it. */
export interface StoredOnlineAccessInfo extends Partial<Omit<OnlineAccessInfo, 'associated_user'>> {
  associated_user: Partial<OnlineAccessUser>;
}

/** What a session is known to have. */
interface SessionFields {
  id: string;
  /** Domain of the shop. */
  shop: string;
  /** The `state` of the OAuth grant the session came from, or ''. */
  state: string;
  isOnline: boolean;
  /** Granted scopes, comma-separated. */
  scope?: string | undefined;
  accessToken?: string | undefined;
  /** When the access token expires; never, when not given. */
  expires?: Date | undefined;
  refreshToken?: string | undefined;
  refreshTokenExpires?: Date | undefined;
  onlineAccessInfo?: StoredOnlineAccessInfo | undefined;
}

/**
 * What a session is made of. What an app adds is a property of the session as well; of our
 * storages, only `MemorySessionStorage` keeps it.
 */
export interface SessionParams extends SessionFields {
  [name: string]: Untyped;
}

/** The user of an online session. An app may have stored what it knows of it without one. */
export function userOf({
  onlineAccessInfo,
}: Pick<SessionFields, 'onlineAccessInfo'>): Partial<OnlineAccessUser> | undefined {
  return (onlineAccessInfo as Partial<StoredOnlineAccessInfo> | undefined)?.associated_user;
}

/** A property as it is written. */
export type PropertyValue = string | number | boolean;

type Reader = (value: unknown) => unknown;

const text: Reader = String;
const nonEmptyText: Reader = (value) => (value ? String(value) : undefined);
const flag: Reader = (value) =>
  typeof value === 'string' ? /^(?:true|1)$/i.test(value) : Boolean(value);
const time: Reader = (value) => (value ? new Date(Number(value)) : undefined);

/** What is kept of a session, in the order it is written, and how each is read back. */
const PROPERTIES = {
  id: text,
  shop: text,
  state: text,
  isOnline: flag,
  scope: text,
  accessToken: text,
  expires: time,
  refreshToken: nonEmptyText,
  refreshTokenExpires: time,
} satisfies Partial<Record<keyof SessionFields, Reader>>;

/**
 * What is kept of the user of an online session: name of the pair, name in the platform's reply,
 * and how it is read back.
 */
const USER_PROPERTIES: readonly (readonly [
  name: string,
  field: keyof OnlineAccessUser,
  read: Reader,
])[] = [
  ['userId', 'id', Number],
  ['firstName', 'first_name', text],
  ['lastName', 'last_name', text],
  ['email', 'email', text],
  ['locale', 'locale', text],
  ['emailVerified', 'email_verified', flag],
  ['accountOwner', 'account_owner', flag],
  ['collaborator', 'collaborator', flag],
];
/** Stands for the whole user where user data is not asked for. */
const USER_ID = 'onlineAccessInfo';

type PropertyName = keyof typeof PROPERTIES;
const NAMES = Object.keys(PROPERTIES) as PropertyName[];
const BY_LOWER_CASE = new Map(NAMES.map((name) => [name.toLowerCase(), name]));
const KNOWN = new Set<string>(NAMES);
const USER_BY_LOWER_CASE = new Map(
  USER_PROPERTIES.map((property) => [property[0].toLowerCase(), property]),
);

/** The pairs of {@link Session.toPropertyArray}. */
export function propertiesOf(
  session: SessionParams,
  returnUserData: boolean,
): [string, PropertyValue][] {
  const own = NAMES.map((name) => [name, session[name]] as const);
  return [...own, ...userPropertiesOf(session, returnUserData)].flatMap(([name, value]) =>
    value === undefined || value === null
      ? []
      : [[name, value instanceof Date ? value.getTime() : value]],
  );
}

function userPropertiesOf(
  session: SessionParams,
  returnUserData: boolean,
): (readonly [string, PropertyValue | undefined])[] {
  const user = userOf(session);
  if (!user) return [];
  return returnUserData
    ? USER_PROPERTIES.map(([name, field]) => [name, user[field]] as const)
    : [[USER_ID, user.id]];
}

/** The way back: what {@link Session.fromPropertyArray} makes a session of. */
export function sessionFromProperties(
  entries: readonly (readonly [string, unknown])[],
  returnUserData: boolean,
): SessionParams {
  if (!Array.isArray(entries))
    throw new InvalidSession('A session is read from a list of [name, value] pairs.');
  const params: Record<string, unknown> = {};
  const user: Record<string, unknown> = {};
  for (const [key, value] of entries as readonly (readonly [string, unknown])[]) {
    if (value === null || value === undefined) continue;
    const name = nameOf(key);
    if (name) {
      const read = PROPERTIES[name](value);
      if (read !== undefined) params[name] = read;
      continue;
    }
    const lower = key.toLowerCase();
    const userProperty = USER_BY_LOWER_CASE.get(lower);
    if (lower === USER_ID.toLowerCase()) {
      user['id'] = Number(value);
    } else if (!userProperty) {
      params[lower] = value;
    } else if (returnUserData) {
      user[userProperty[1]] = userProperty[2](value);
    } else {
      params[userProperty[0]] = value;
    }
  }
  // Also when nothing is known of the user: apps look into it without asking whether it is there.
  if (params['isOnline']) params['onlineAccessInfo'] = { associated_user: user };
  return params as unknown as SessionParams;
}

function nameOf(key: string): PropertyName | undefined {
  // Our own storages spell them as they are, and ask for each request.
  return KNOWN.has(key) ? (key as PropertyName) : BY_LOWER_CASE.get(key.toLowerCase());
}
