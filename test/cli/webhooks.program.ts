import { readFileSync } from 'node:fs';

import { run } from '../../lib/cli/command-line.js';
import { platformApp } from '../../lib/integrations/express/index.js';
import { Session } from '../../lib/sessions/session.js';
import { MemorySessionStorage } from '../../lib/sessions/storages/memory/memory-session.storage.js';
import { answerMessages } from '../services/program.messages.js';

/** What the program is told, as JSON in a file: the shops of the app, and the topics it declares. */
export interface StoredShops {
  readonly topics: readonly string[];
  readonly shops: Readonly<Record<string, { readonly origin: string; readonly token: string }>>;
}

const { topics, shops } = JSON.parse(readFileSync(process.argv[2]!, 'utf8')) as StoredShops;
const sessionStorage = new MemorySessionStorage();
for (const [shop, { token: accessToken }] of Object.entries(shops))
  await sessionStorage.storeSession(
    new Session({ id: `offline_${shop}`, shop, state: '', isOnline: false, accessToken }),
  );

/** The command line loads this module again by its name: it is the app, too. */
export default platformApp({
  api: {
    apiKey: 'test-api-key',
    apiSecretKey: 'test-api-secret-0123456789',
    apiVersion: '2026-07',
    hostName: 'app.example.com',
    scopes: ['write_products'],
    shopOrigin: (shop) => shops[shop]!.origin,
    logger: { log: () => {} },
  },
  sessionStorage,
  webhooks: {
    ownTopics: false,
    ...Object.fromEntries(topics.map((topic) => [topic, { deliveryMethod: 'http' as const }])),
  },
});

const commands = {
  /** Runs the command line on the app of this module. */
  async shopwright(...args: string[]): Promise<{ code: number; out: string; err: string }> {
    const written = { out: '', err: '' };
    const code = await run([...args.slice(0, 2), process.argv[1]!, ...args.slice(2)], {
      stdout: { write: (text: string) => (written.out += text) },
      stderr: { write: (text: string) => (written.err += text) },
    });
    return { code, ...written };
  },
};
/** What this program can be asked for. */
export type WebhooksCommands = typeof commands;
answerMessages(commands);
