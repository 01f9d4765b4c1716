// An app in a process of its own, on the host and the engine that its parent names. It tells its
// parent where it listens and which gate it stands at; what its handlers and hooks do goes into the
// ledger.
import { setTimeout as sleep } from 'node:timers/promises';

import { APP, SCOPES, openStorage } from './app.facts.mjs';
import { HOSTS } from './app.hosts.mjs';
import { Gates, gatedFetch, gatedInbox, gatedInstallations, gatedStorage } from './gates.mjs';
import { Ledger } from './ledger.mjs';

const {
  host,
  place,
  shut = {},
  origins = {},
  ledgerFile,
  webhooks = {},
  exits = false,
  queue,
  isCured = false,
} = JSON.parse(process.argv[2]);
const ledger = new Ledger(ledgerFile);
const gates = new Gates(shut, (message) => process.send(message));
const heard = new Set();
let isDatabaseClosed = false;

/**
 * Does what the delivery's payload says under the handler's name: takes `ms` milliseconds, fails,
 * or kills its process.
 */
const handler = (name) =>
  ({
    async [name](_topic, _shop, body, webhookId) {
      const { ms = 0, fails = false, kills = false } = JSON.parse(body)[name] ?? {};
      await gates.pass(`before handler ${name}`, webhookId);
      ledger.write({ what: 'start', key: webhookId, name });
      await gates.pass(`during handler ${name}`, webhookId);
      if (kills && !isCured) process.kill(process.pid, 'SIGKILL');
      await sleep(ms);
      if (fails) throw new Error('The handler fails as it was told to.');
      ledger.write({ what: 'end', key: webhookId, name, isDatabaseClosed });
    },
  })[name];

const storage = await openStorage(place);
const { lock, installations, inbox } = storage.companions;
const shopOf = (origin) => Object.keys(origins).find((shop) => origins[shop] === origin);
const options = {
  ...APP,
  scopes: SCOPES,
  apiVersion: '2026-07',
  sessionStorage: gatedStorage(storage, gates),
  lock,
  installations: gatedInstallations(installations, gates, (shop) => heard.has(shop)),
  inbox: gatedInbox(inbox, gates),
  fetch: gatedFetch(gates, shopOf),
  shopOrigin: (shop) => origins[shop] ?? `https://${shop}`,
  logger: { log: (severity, line) => severity <= 1 && ledger.write({ what: 'log', line }) },
  hooks: {
    async onInstall({ shop }) {
      ledger.write({ what: 'start', key: shop, name: 'onInstall' });
      await gates.pass('during the hook', shop);
      ledger.write({ what: 'end', key: shop, name: 'onInstall' });
      heard.add(shop);
    },
    onReauthorizationNeeded: ({ shop }) =>
      ledger.write({ what: 'end', key: shop, name: 'onReauthorizationNeeded' }),
  },
  webhooks: {
    ...webhooks,
    ...(queue && { queue: await queueOf(queue) }),
    PRODUCTS_CREATE: ['first', 'second'].map(handler),
  },
};

/** @param given options of the queue, but what is no JSON */
async function queueOf(given) {
  const { bullmqQueue } = await import('shopwright/webhooks/bullmq');
  return bullmqQueue({
    ...given,
    onDeadLetter: ({ webhookId }) => ledger.write({ what: 'dead', key: webhookId }),
  });
}
const onDestroy = () => {
  isDatabaseClosed = true;
};

process.on('message', () => {
  for (const act of gates.lastActs) void act();
  setImmediate(() => process.kill(process.pid, 'SIGKILL'));
});
// Without a parent there is nothing to do.
process.on('disconnect', () => process.exit());
const port = await HOSTS[host]({ options, storage, exits, onDestroy });
process.send({ url: `http://127.0.0.1:${port}` });
// An app ends by itself once it is closed: its parent must not keep it.
process.channel.unref();
