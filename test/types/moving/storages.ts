/**
 * Checked by the compiler, never run: session storages as apps make and extend them with the
 * official packages, with nothing but their imports changed.
 */
import { MemorySessionStorage, Session } from '../../../lib/sessions/index.js';
import type { SessionParams, SessionStorage } from '../../../lib/sessions/index.js';
import { MongoDBSessionStorage } from '../../../lib/sessions/storages/mongodb/index.js';
import type { MongoDBSessionStorageOptions } from '../../../lib/sessions/storages/mongodb/index.js';
import { MySQLSessionStorage } from '../../../lib/sessions/storages/mysql/index.js';
import type { MySQLSessionStorageOptions } from '../../../lib/sessions/storages/mysql/index.js';
import { PostgreSQLSessionStorage } from '../../../lib/sessions/storages/postgresql/index.js';
import type { PostgreSQLSessionStorageOptions } from '../../../lib/sessions/storages/postgresql/index.js';
import { PrismaSessionStorage } from '../../../lib/sessions/storages/prisma/index.js';
import type { PrismaSessionStorageInterface } from '../../../lib/sessions/storages/prisma/index.js';
import { RedisSessionStorage } from '../../../lib/sessions/storages/redis/index.js';
import type { RedisSessionStorageOptions } from '../../../lib/sessions/storages/redis/index.js';
import { SQLiteSessionStorage } from '../../../lib/sessions/storages/sqlite/index.js';
import type { SQLiteSessionStorageOptions } from '../../../lib/sessions/storages/sqlite/index.js';

declare class PrismaClient {
  $connect(): Promise<void>;
}
declare const prisma: PrismaClient;

const postgresql: Partial<PostgreSQLSessionStorageOptions> = { sessionTableName: 'own', port: 1 };
const mysql: Partial<MySQLSessionStorageOptions> = { connectionPoolLimit: 4 };
const sqlite: Partial<SQLiteSessionStorageOptions> = {
  migratorOptions: { migrationDBIdentifier: 'own', migrationNameColumnName: 'name' },
};
const mongodb: Partial<MongoDBSessionStorageOptions> = { sessionCollectionName: 'own' };
const redis: Partial<RedisSessionStorageOptions> = { sessionKeyPrefix: 'own', database: 1 };

class OwnPrismaStorage extends PrismaSessionStorage<PrismaClient> {
  override async loadSession(id: string): Promise<Session | undefined> {
    return super.loadSession(id);
  }
}

const own: PrismaSessionStorage<PrismaClient> = new OwnPrismaStorage(prisma, { tableName: 'own' });
const inferred = new PrismaSessionStorage(prisma);
const polled: PrismaSessionStorageInterface = inferred;
export const isReady: Promise<boolean> = polled.isReady();

export const storages: SessionStorage[] = [
  new MemorySessionStorage(),
  new PostgreSQLSessionStorage('postgres://localhost/app', postgresql),
  PostgreSQLSessionStorage.withCredentials('localhost:1', 'app', 'user', 'password', postgresql),
  new MySQLSessionStorage(new URL('mysql://localhost/app'), mysql),
  new SQLiteSessionStorage('sessions.db', sqlite),
  new MongoDBSessionStorage(new URL('mongodb://localhost/'), 'app', mongodb),
  RedisSessionStorage.withCredentials('localhost', 1, 'user', 'password', redis),
  own,
  inferred,
];

export function sessions(params: SessionParams): Session[] {
  params['tenant'] = params['plan'] ?? 'free';
  const own = { id: 'id', shop: 'shop', state: '', isOnline: false, tenant: 'one' };
  const session = new Session({ id: 'id', shop: 'shop', state: '', isOnline: false, plan: 'free' });
  return [session, new Session(params), new Session(own), new Session(session)];
}
