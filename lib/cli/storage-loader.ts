import type { Environment } from '../core/config/config.options.js';
import { isRecord } from '../core/json.js';
import { EncryptedSessionStorage } from '../sessions/encryption/encrypted-session.storage.js';
import type { EncryptionKey } from '../sessions/encryption/key-ring.js';
import { withTimeLimit } from '../sessions/foreign-session.storage.js';
import { problemsInStorage } from '../sessions/session.storage.js';
import type { SessionStorage } from '../sessions/session.storage.js';
import { UsageError } from './cli.errors.js';
import { wantedExports } from './module-exports.js';

const FROM_ENVIRONMENT = 'env:';

/**
 * Opens a session storage: `env:NAME` takes the URL of a server or a file from the environment,
 * where no other user of the machine can read it, anything else is a module that exports one, with
 * `#name` behind it when it exports several.
 * @throws {UsageError} when there is none
 */
export async function loadStorage(target: string, env: Environment): Promise<SessionStorage> {
  if (target.startsWith(FROM_ENVIRONMENT))
    return storageAt(target.slice(FROM_ENVIRONMENT.length), env);
  if (/^[a-z+]+:\/\//i.test(target))
    throw new UsageError(
      'A URL can hold a password, and every user of the machine can list arguments: put it into an environment variable, and name that as env:NAME.',
    );
  const [path = '', name] = target.split('#', 2);
  const found = await wantedExports(path, { isWanted: isStorage, name, refusal: UsageError });
  const [storage, ...others] = new Set(found.map(([, value]) => value));
  if (!storage)
    throw new UsageError(
      `${path} exports no session storage${name === undefined ? '' : ` called "${name}"`}.`,
    );
  if (others.length > 0)
    throw new UsageError(
      `${path} exports several session storages. Name one of them: ${found.map(([each]) => `${path}#${each}`).join(', ')}.`,
    );
  return withTimeLimit(storage);
}

function isStorage(value: unknown): value is SessionStorage {
  return isRecord(value) && problemsInStorage(value).length === 0;
}

/** An engine by its URL, under its default names of tables. */
async function storageAt(variable: string, env: Environment): Promise<SessionStorage> {
  const url = variableIn(variable, env);
  const scheme = /^[a-z+]+(?=:)/i.exec(url)?.[0].toLowerCase();
  switch (scheme) {
    case 'sqlite':
    case 'file': {
      const path = url.slice(scheme.length + 1).replace(/^\/\/(?=\/)/, '');
      const { SqliteSessionStorage } = await import('../sessions/storages/sqlite/index.js');
      return new SqliteSessionStorage(path);
    }
    case 'postgres':
    case 'postgresql': {
      const { PostgreSQLSessionStorage } = await import('../sessions/storages/postgresql/index.js');
      return new PostgreSQLSessionStorage(url);
    }
    case 'mysql':
    case 'mariadb': {
      const { MySQLSessionStorage } = await import('../sessions/storages/mysql/index.js');
      return new MySQLSessionStorage(url);
    }
    case 'mongodb':
    case 'mongodb+srv': {
      const { MongoDBSessionStorage } = await import('../sessions/storages/mongodb/index.js');
      return new MongoDBSessionStorage(url, databaseIn(url, variable));
    }
    case 'redis':
    case 'rediss': {
      const { RedisSessionStorage } = await import('../sessions/storages/redis/index.js');
      return new RedisSessionStorage(url);
    }
  }
  throw new UsageError(
    `${variable} is no URL of a session storage: it begins with sqlite:, postgresql:, mysql:, mongodb: or redis:. For Prisma, other names of tables or a storage of your own, name a module that exports the storage.`,
  );
}

/** The database is the path of the URL. */
function databaseIn(url: string, variable: string): string {
  const [, database] = /^[^:]+:\/\/[^/?]+\/([^?]+)/.exec(url) ?? [];
  if (database === undefined)
    throw new UsageError(`${variable} names no database: mongodb://host/<database>.`);
  return decodeURIComponent(database);
}

/**
 * The storage with its tokens encrypted with keys of the environment.
 * @param variable holds `<id>:<key>`, several separated by commas; the first encrypts
 * @throws {UsageError} when it is not set
 * @throws {InvalidOptionsError} when one of the keys is none
 */
export function withKeys(
  storage: SessionStorage,
  variable: string,
  env: Environment,
): EncryptedSessionStorage {
  const keys = variableIn(variable, env)
    .split(',')
    .map((entry): EncryptionKey => {
      const [id = '', key = ''] = entry.trim().split(':', 2);
      return { id, key };
    });
  return new EncryptedSessionStorage(storage, { keys });
}

function variableIn(variable: string, env: Environment): string {
  const value = env[variable]?.trim();
  if (!value) throw new UsageError(`The environment variable ${variable} is not set.`);
  return value;
}
