import { platformApp } from '../../lib/integrations/express/index.js';
import { SqliteSessionStorage } from '../../lib/sessions/storages/sqlite/sqlite-session.storage.js';
import { answerMessages } from '../services/program.messages.js';

const [file = '', origins = '{}'] = process.argv.slice(2);
const originOf = JSON.parse(origins) as Readonly<Record<string, string>>;

const app = platformApp({
  api: {
    apiKey: 'test-api-key',
    apiSecretKey: 'test-api-secret-0123456789',
    apiVersion: '2026-07',
    hostName: 'app.example.com',
    scopes: ['write_products'],
    shopOrigin: (shop) => originOf[shop] ?? originOf['*']!,
    logger: { log: () => {} },
  },
  sessionStorage: new SqliteSessionStorage(file),
  webhooks: { ownTopics: false },
});

const commands = {
  /** Asks every shop for its name, in a run that can be resumed. */
  async run(concurrency: number) {
    const { succeeded, failedShops, failures, isComplete } = await app.api.clients.forEachShop(
      async ({ admin }) => {
        await admin.graphql('query Named { shop { name } }');
      },
      { name: 'names', concurrency },
    );
    return {
      succeeded,
      failedShops,
      errors: failures.map(({ error }) => String(error)),
      isComplete,
    };
  },
};
/** What this program can be asked for. */
export type EveryShopCommands = typeof commands;
answerMessages(commands);
