import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { PrismaLibSql } from '@prisma/adapter-libsql';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { describeInstallationStore } from '../../../lib/sessions/conformance/installation-store.conformance.js';
import { describeLock } from '../../../lib/sessions/conformance/lock.conformance.js';
import { Session } from '../../../lib/sessions/session.js';
import { describeRecordStore } from '../../../lib/sessions/conformance/record-store.conformance.js';
import { describeSessionStorage } from '../../../lib/sessions/conformance/session-storage.conformance.js';
import type { CoordinationStores } from '../../../lib/sessions/coordination/coordination-stores.js';
import { PrismaSessionStorage } from '../../../lib/sessions/storages/prisma/prisma-session.storage.js';
import type { PrismaSessionStorageOptions } from '../../../lib/sessions/storages/prisma/prisma-session.storage.js';
import { describeWebhookInbox } from '../../../lib/sessions/conformance/webhook-inbox.conformance.js';
import { ROOT } from '../../architecture/source-tree.js';
import { ManualClock } from '../../support/manual.clock.js';

/**
 * The official model; `LegacySession` is the one of the app template, whose flags must have a
 * value.
 */
const SCHEMA = `
generator client {
  provider            = "prisma-client"
  output              = "./client"
  moduleFormat        = "esm"
  importFileExtension = "js"
}
datasource db {
  provider = "sqlite"
}
${['Session', 'LegacySession', 'Unmigrated', 'StricterSession']
  .map((name) => {
    const flag = name === 'LegacySession' ? 'Boolean @default(false)' : 'Boolean?';
    const extra = name === 'StricterSession' ? 'tenant String' : '';
    return `
model ${name} {
  id                  String    @id
  shop                String
  state               String
  isOnline            Boolean   @default(false)
  scope               String?
  expires             DateTime?
  accessToken         String
  userId              BigInt?
  firstName           String?
  lastName            String?
  email               String?
  accountOwner        ${flag}
  locale              String?
  collaborator        ${flag}
  emailVerified       ${flag}
  refreshToken        String?
  refreshTokenExpires DateTime?
  ${extra}
}`;
  })
  .join('\n')}
model OlderSession {
  id          String    @id
  shop        String
  state       String
  isOnline    Boolean   @default(false)
  scope       String?
  expires     DateTime?
  accessToken String
  userId      BigInt?
}
model AppRecord {
  key         String    @id
  kind        String
  id          String
  owner       String?
  state       String?
  data        String
  version     Int
  changedAt   DateTime
  leaseEndsAt DateTime?
  expiresAt   DateTime?

  @@index([kind, id])
  @@index([expiresAt])
}`;

const sessionTable = (name: string, flag: string): string => `CREATE TABLE "${name}" (
  "id" TEXT NOT NULL PRIMARY KEY, "shop" TEXT NOT NULL, "state" TEXT NOT NULL, "isOnline" BOOLEAN NOT NULL DEFAULT false,
  "scope" TEXT, "expires" DATETIME, "accessToken" TEXT NOT NULL, "userId" BIGINT, "firstName" TEXT, "lastName" TEXT, "email" TEXT,
  "accountOwner" BOOLEAN${flag}, "locale" TEXT, "collaborator" BOOLEAN${flag}, "emailVerified" BOOLEAN${flag},
  "refreshToken" TEXT, "refreshTokenExpires" DATETIME)`;
/** What \`prisma migrate\` makes of the schema. */
const TABLES = [
  sessionTable('Session', ''),
  sessionTable('LegacySession', ' NOT NULL DEFAULT false'),
  `CREATE TABLE "AppRecord" ("key" TEXT NOT NULL PRIMARY KEY, "kind" TEXT NOT NULL, "id" TEXT NOT NULL,
  "owner" TEXT, "state" TEXT, "data" TEXT NOT NULL, "version" INTEGER NOT NULL, "changedAt" DATETIME NOT NULL,
  "leaseEndsAt" DATETIME, "expiresAt" DATETIME)`,
  'CREATE INDEX "AppRecord_kind_id_idx" ON "AppRecord"("kind", "id")',
  'CREATE INDEX "AppRecord_expiresAt_idx" ON "AppRecord"("expiresAt")',
];

interface Client {
  $executeRawUnsafe(sql: string): Promise<number>;
  $queryRawUnsafe(sql: string): Promise<Record<string, unknown>[]>;
  $disconnect(): Promise<void>;
}

let folder: string;
let Client: new (options: object) => Client;
let client: Client;

async function connected(name: string, tables = TABLES): Promise<Client> {
  const opened = new Client({ adapter: new PrismaLibSql({ url: `file:${join(folder, name)}` }) });
  for (const table of tables) await opened.$executeRawUnsafe(table);
  return opened;
}

beforeAll(async () => {
  // Inside the repository, so that the client's own imports are found.
  await mkdir(join(ROOT, '.cache'), { recursive: true });
  folder = await mkdtemp(join(ROOT, '.cache', 'prisma-'));
  const schema = join(folder, 'schema.prisma');
  await writeFile(schema, SCHEMA);
  // The engine that migrates is not needed, and would be downloaded.
  const env = {
    ...process.env,
    PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
    PRISMA_HIDE_UPDATE_MESSAGE: '1',
    CHECKPOINT_DISABLE: '1',
  };
  await promisify(execFile)(
    process.execPath,
    [join(ROOT, 'node_modules/prisma/build/index.js'), 'generate', '--schema', schema],
    {
      cwd: folder,
      env,
    },
  );
  ({ PrismaClient: Client } = (await import(join(folder, 'client', 'client.ts'))) as {
    PrismaClient: typeof Client;
  });
  client = await connected('suites.db');
}, 60_000);
afterAll(async () => {
  await client?.$disconnect();
  await rm(folder, { recursive: true, force: true });
});

function companion<Name extends keyof CoordinationStores>(
  name: Name,
): () => CoordinationStores[Name] {
  return () => new PrismaSessionStorage(client).companions![name];
}

const runner = { describe, it, shared: true };
describeSessionStorage('PrismaSessionStorage', () => new PrismaSessionStorage(client), runner);
describeRecordStore('PrismaRecordStore', () => new PrismaSessionStorage(client).records!, runner);
describeLock('PrismaLock', companion('lock'), runner);
describeInstallationStore('PrismaInstallationStore', companion('installations'), runner);
describeWebhookInbox('PrismaWebhookInbox', companion('inbox'), runner);

describe('PrismaSessionStorage', () => {
  let own: Client;
  let count = 0;
  beforeEach(async () => {
    own = await connected(`own-${count++}.db`);
  });
  afterEach(() => own.$disconnect());

  const SHOP = 'one.myshopify.com';
  const storageOf = (options?: PrismaSessionStorageOptions): PrismaSessionStorage =>
    new PrismaSessionStorage(own, options);
  const session = (params: Partial<Session> = {}): Session =>
    new Session({
      id: `offline_${SHOP}`,
      shop: SHOP,
      state: '',
      isOnline: false,
      accessToken: 'access',
      ...params,
    });

  // It was stored as it had become by then.
  it('stores a session as it is when it is asked to, though its table is found later', async () => {
    const storage = storageOf();
    const changing = session();
    const stored = storage.storeSession(changing);
    changing.accessToken = 'later';
    await stored;
    expect(await storage.loadSession(changing.id)).toMatchObject({ accessToken: 'access' });
  });

  it('reads what the official storage has written, and leaves out what that made of null', async () => {
    await own.$executeRawUnsafe(`INSERT INTO "Session" VALUES
      ('offline_${SHOP}', '${SHOP}', '123', false, 'read_products', '2040-01-02T03:04:05.678+00:00', 'access', NULL, NULL, NULL, NULL, false, NULL, false, false, 'refresh', '2040-02-02T03:04:05.678+00:00'),
      ('${SHOP}_7', '${SHOP}', '', true, NULL, NULL, '', 9025416350000, 'null', 'Null', NULL, true, 'null', false, NULL, NULL, NULL)`);
    const storage = storageOf();
    const times = {
      expires: new Date('2040-01-02T03:04:05.678Z'),
      refreshTokenExpires: new Date('2040-02-02T03:04:05.678Z'),
    };
    expect({ ...(await storage.loadSession(`offline_${SHOP}`)) }).toEqual({
      ...session({ state: '123', scope: 'read_products', refreshToken: 'refresh', ...times }),
    });
    const user = {
      id: 9_025_416_350_000,
      last_name: 'Null',
      account_owner: true,
      collaborator: false,
    };
    expect({ ...(await storage.loadSession(`${SHOP}_7`)) }).toEqual({
      id: `${SHOP}_7`,
      shop: SHOP,
      state: '',
      isOnline: true,
      onlineAccessInfo: { associated_user: user },
    });
  });

  it('writes an empty text for a missing token, and null for what else is not set', async () => {
    await storageOf().storeSession(session({ accessToken: undefined }));
    const [row] = await own.$queryRawUnsafe('SELECT * FROM "Session"');
    const { id, shop, state, isOnline, accessToken, ...others } = row!;
    expect([id, shop, state, Number(isOnline), accessToken]).toEqual([
      `offline_${SHOP}`,
      SHOP,
      '',
      0,
      '',
    ]);
    expect(Object.values(others)).toEqual(Array(12).fill(null));
  });

  it('writes false for a flag that is not known where the schema asks for a value', async () => {
    const storage = storageOf({ tableName: 'legacySession' });
    for (const state of ['first', 'second']) {
      await storage.storeSession(session({ state }));
      expect((await storage.loadSession(`offline_${SHOP}`))?.state).toBe(state);
    }
    expect(await storage.replaceSession(session({ accessToken: 'other' }), session())).toBe(true);
    const [row] = await own.$queryRawUnsafe('SELECT * FROM "LegacySession"');
    expect(
      [row?.['accountOwner'], row?.['collaborator'], row?.['emailVerified']].map(Number),
    ).toEqual([0, 0, 0]);
  });

  it('stores a session once that many store for the first time', async () => {
    const storages = [storageOf(), storageOf()];
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => storages[index % 2]!.storeSession(session())),
    );
    expect(await own.$queryRawUnsafe('SELECT "id" FROM "Session"')).toHaveLength(1);
  });

  it('refuses what is no client, and a client that has no such model', () => {
    expect(() => new PrismaSessionStorage(undefined as never)).toThrow(/needs a Prisma client/);
    expect(() => storageOf({ tableName: 'mySession' })).toThrow(/does not have a mySession table/);
  });

  // What test suites of apps put in the place of a client has no more than the official storage calls.
  it('asks for no method of a client that the official storage does not call', async () => {
    const rows = new Map<string, object>();
    const model = {
      upsert: async ({ create }: { create: { id: string } }) => rows.set(create.id, create),
      findUnique: async ({ where }: { where: { id: string } }) => rows.get(where.id) ?? null,
      findMany: async () => [...rows.values()],
      deleteMany: async ({ where }: { where: { id: string } }) => ({
        count: Number(rows.delete(where.id)),
      }),
    };
    const storage = new PrismaSessionStorage({ session: model });
    const session = new Session({ id: 'a', shop: 'a.myshopify.com', state: '', isOnline: false });
    await storage.storeSession(session);
    expect(await storage.loadSession('a')).toEqual(session);
    expect(await storage.findSessionsByShop('a.myshopify.com')).toEqual([session]);
    expect(await storage.deleteSession('a')).toBe(true);
    expect(await storage.loadSession('a')).toBeUndefined();
  });

  it('looks for a missing table as often as it is told, at the interval it is told', async () => {
    const clock = new ManualClock();
    const storage = storageOf({
      tableName: 'unmigrated',
      connectionRetries: 3,
      connectionRetryIntervalMs: 1_000,
      clock,
    });
    await expect(storage.ready).rejects.toMatchObject({
      code: 'ERR_SESSION_TABLE_MISSING',
      cause: { code: expect.stringMatching(/^P20/) },
    });
    expect(clock.slept).toEqual([1_000, 1_000]);
  });

  it('finds a table that has come since, and is not ready until it has', async () => {
    const storage = storageOf({ tableName: 'unmigrated', connectionRetries: 1 });
    await expect(storage.loadSession('id')).rejects.toMatchObject({
      code: 'ERR_SESSION_TABLE_MISSING',
    });
    expect(await storage.isReady()).toBe(false);
    await expect(storage.loadSession('id')).rejects.toMatchObject({
      code: 'ERR_SESSION_STORAGE_NOT_READY',
    });
    await own.$executeRawUnsafe(sessionTable('Unmigrated', ''));
    expect(await storage.isReady()).toBe(true);
    expect(await storage.loadSession('id')).toBeUndefined();
  });

  // It failed with the first token that expires, one column at a time.
  it('names every column that an older schema lacks, and the SQL that adds them', async () => {
    const added = Object.entries({
      ...{ firstName: 'TEXT', lastName: 'TEXT', email: 'TEXT', accountOwner: 'BOOLEAN' },
      ...{ locale: 'TEXT', collaborator: 'BOOLEAN', emailVerified: 'BOOLEAN' },
      ...{ refreshToken: 'TEXT', refreshTokenExpires: 'DATETIME' },
    });
    await own.$executeRawUnsafe(`CREATE TABLE "OlderSession" ("id" TEXT NOT NULL PRIMARY KEY,
      "shop" TEXT NOT NULL, "state" TEXT NOT NULL, "isOnline" BOOLEAN NOT NULL DEFAULT false,
      "scope" TEXT, "expires" DATETIME, "accessToken" TEXT NOT NULL, "userId" BIGINT)`);
    const error = await storageOf({ tableName: 'olderSession' })
      .verify()
      .catch((error: unknown) => error as Error);
    expect(error).toMatchObject({ code: 'ERR_SESSION_TABLE_MISSING' });
    const { message } = error as Error;
    expect(message).toContain(`lacks ${added.map(([column]) => column).join(', ')}.`);
    expect(message).toContain('refreshToken String?, refreshTokenExpires DateTime?');
    for (const [column, type] of added)
      expect(message).toContain(`ALTER TABLE "OlderSession" ADD "${column}" ${type};`);
  });

  it('works once the SQL of its error was run on a table that is older than its schema', async () => {
    await own.$executeRawUnsafe('ALTER TABLE "Session" DROP COLUMN "refreshToken"');
    await own.$executeRawUnsafe('ALTER TABLE "Session" DROP COLUMN "refreshTokenExpires"');
    const storage = storageOf({ connectionRetries: 1 });
    const error = await storage.loadSession('id').catch((error: unknown) => error as Error);
    const statements = (error as Error).message.match(/ALTER TABLE [^;]+;/g)!;
    expect(statements).toHaveLength(2);
    for (const statement of statements) await own.$executeRawUnsafe(statement);
    await storage.storeSession(session({ refreshToken: 'refresh' }));
    expect((await storage.loadSession(`offline_${SHOP}`))?.refreshToken).toBe('refresh');
  });

  it('says nothing of what was stored when the schema asks for more', async () => {
    const storage = storageOf({ tableName: 'stricterSession', connectionRetries: 1 });
    await own.$executeRawUnsafe(sessionTable('StricterSession', ''));
    const error = await storage
      .storeSession(session({ accessToken: 'secret-token' }))
      .catch((error: unknown) => error as Error);
    expect(error).toMatchObject({ code: 'ERR_SESSION_STORAGE' });
    expect(String((error as Error).message)).toMatch(
      /could not store a session: .*Argument `tenant` is missing/,
    );
    expect(JSON.stringify([String(error), String((error as Error).cause)])).not.toContain(
      'secret-token',
    );
  });

  it('has no companions without their model, and says that it is missing when it was asked for', async () => {
    const named = storageOf({ recordTableName: 'myRecord' });
    expect(named.companions).toBeUndefined();
    await expect(named.verify()).rejects.toThrow(
      /lacks a model for myRecord\. Add it to its schema/,
    );
    const bare = new PrismaSessionStorage({
      session: (own as unknown as { session: object }).session,
    });
    expect(bare.companions).toBeUndefined();
    await bare.verify();
  });

  it('fails to verify when the table of the records is missing', async () => {
    await storageOf().verify();
    const partial = await connected(
      'partial.db',
      TABLES.filter((table) => !table.includes('AppRecord')),
    );
    await expect(new PrismaSessionStorage(partial).verify()).rejects.toThrow(
      /read the table of appRecord \(P20\d\d\)/,
    );
    await partial.$disconnect();
  });

  it('leaves the client open when it is closed', async () => {
    const storage = storageOf();
    await storage.storeSession(session());
    await storage.disconnect();
    expect(await storage.loadSession(`offline_${SHOP}`)).toBeDefined();
  });

  it('removes deliveries that are done after seven days', async () => {
    const clock = new ManualClock();
    const { inbox } = storageOf({ clock }).companions!;
    const key = { app: 'app', shop: SHOP, webhookId: 'id' };
    const claim = await inbox.claim(key, 60_000);
    if (claim.state === 'claimed') await inbox.complete(key, claim.token);
    clock.time += 7 * 24 * 60 * 60 * 1000 - 1;
    expect(await inbox.claim(key, 60_000)).toEqual({ state: 'done' });
    clock.time += 60 * 60 * 1000;
    await inbox.claim({ ...key, webhookId: 'another' }, 60_000);
    // Beside the claim.
    while ((await own.$queryRawUnsafe('SELECT "key" FROM "AppRecord"')).length > 1);
  });

  it('gives out a delivery although old ones cannot be removed', async () => {
    const { session, appRecord } = own as unknown as Record<string, object>;
    const records = new Proxy(appRecord!, {
      get: (model, name) =>
        name === 'deleteMany'
          ? () => Promise.reject(new Error('The lock wait timed out.'))
          : (Reflect.get(model, name) as unknown),
    });
    const { inbox } = new PrismaSessionStorage({ session, appRecord: records }).companions!;
    expect(await inbox.claim({ app: 'app', shop: SHOP, webhookId: 'id' }, 60_000)).toMatchObject({
      state: 'claimed',
    });
  });
});
