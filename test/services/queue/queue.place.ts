import { randomUUID } from 'node:crypto';

import { Worker, createPostgresBackend } from 'bullmq';
import type { Processor } from 'bullmq';
import { createClient } from 'redis';

import type { BullmqConnection } from '../../../lib/webhooks/queue/bullmq/bullmq.options.js';
import { TestDatabase } from '../postgresql/databases.js';
import type { Server } from '../servers.js';
import { API_KEY } from '../../support/app.js';

/** As the toolkit names the queue of an app. */
const QUEUE_NAME = `shopwright-${API_KEY}`;

/** A queue of its own on a server, as `bullmqQueue` takes it. */
export interface QueuePlace {
  readonly connection: BullmqConnection & string;
  readonly prefix: string;
  /** All that is stored, as one text. */
  stored(): Promise<string>;
  /** A worker of the driver itself, which handles one job after the other. */
  openWorker(process: Processor): Worker;
  /** Removes all that is there. */
  drop(): Promise<void>;
}

/** A kind of server that queues are kept on. */
export interface QueueEngine {
  readonly name: string;
  readonly server: Server;
  readonly createPlace: () => Promise<QueuePlace>;
}

async function withClient<T>(
  work: (client: Awaited<ReturnType<typeof openClient>>) => Promise<T>,
): Promise<T> {
  const client = await openClient();
  try {
    return await work(client);
  } finally {
    client.destroy();
  }
}

function openClient() {
  return createClient({ url: process.env['REDIS_URL']! })
    .on('error', () => {})
    .connect();
}

export const QUEUE_ENGINES: readonly QueueEngine[] = [
  {
    name: 'Redis',
    server: 'redis',
    createPlace: async () => {
      const prefix = `shopwright-${randomUUID()}`;
      return {
        connection: process.env['REDIS_URL']!,
        prefix,
        stored: () =>
          withClient(async (client) => {
            const keys = await client.keys(`${prefix}:*:d-*`);
            const jobs = await Promise.all(
              keys.map(async (key) =>
                (await client.type(key)) === 'hash' ? client.hGetAll(key) : {},
              ),
            );
            return JSON.stringify(jobs);
          }),
        openWorker: (work) =>
          new Worker(QUEUE_NAME, work, {
            connection: { url: process.env['REDIS_URL']!, maxRetriesPerRequest: null },
            prefix,
          }),
        drop: () =>
          withClient(async (client) => {
            for (const key of await client.keys(`${prefix}:*`)) await client.del(key);
          }),
      };
    },
  },
  {
    name: 'PostgreSQL',
    server: 'postgres',
    createPlace: async () => {
      const database = await TestDatabase.create();
      return {
        connection: database.url.href,
        prefix: 'unused',
        stored: async () => {
          const tables = await database.rows(
            "SELECT schemaname, tablename FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')",
          );
          const rows = [];
          for (const { schemaname, tablename } of tables)
            rows.push(await database.rows(`SELECT * FROM "${schemaname}"."${tablename}"`));
          return JSON.stringify(rows);
        },
        openWorker: (work) =>
          new Worker(
            QUEUE_NAME,
            work,
            { connection: { connectionString: database.url.href } } as never,
            createPostgresBackend as never,
          ),
        drop: () => database.drop(),
      };
    },
  },
];
