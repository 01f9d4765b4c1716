import { randomUUID } from 'node:crypto';

import { systemClock } from '../../lib/core/time/clock.js';
import { Session } from '../../lib/sessions/session.js';
import type { SessionParams } from '../../lib/sessions/session.js';
import { withLock } from '../../lib/sessions/coordination/with-lock.js';
import { answerMessages } from './program.messages.js';
import { openAt } from './storage.engine.js';

/** Of the place that this process is told to work in. */
const storage = await openAt(process.argv[2]!);
const { lock, inbox, installations } = storage.companions;

const SHOP = 'one.myshopify.com';
const sessionOf = (id: string, state = ''): Session =>
  new Session({ id, shop: SHOP, state, isOnline: false, accessToken: 'access' });

type Outcome = 'good' | 'bad';

/** Calls all there is, again and again, until it is told to stop. */
class Load {
  /** In which ways calls have failed. */
  readonly problems = new Set<string>();
  readonly #counts: Readonly<Record<Outcome, Map<string, number>>> = {
    good: new Map(),
    bad: new Map(),
  };
  readonly #calls: readonly (readonly [name: string, call: (id: string) => Promise<unknown>])[] = [
    ['sessions', storeAndLoad],
    ['a shop', () => storage.findSessionsByShop(SHOP)],
    ['a swap', (id) => storage.replaceSession(sessionOf(id), sessionOf(id))],
    ['an installation', (id) => installations.load('app', id)],
    ['a delivery', () => inbox.claim({ app: 'app', shop: SHOP, webhookId: randomUUID() }, 1_000)],
    ['a lock', async (id) => (await lock.take(id, id, 1_000)) && lock.release(id, id)],
  ];
  readonly #work: Promise<unknown>;
  #isOver = false;

  constructor(workers: number) {
    this.#work = Promise.all(Array.from({ length: workers }, (_, worker) => this.#workAs(worker)));
  }

  /** Resolves when each call has had the outcome so many more times. */
  async until(outcome: Outcome, times: number): Promise<void> {
    const counts = this.#counts[outcome];
    counts.clear();
    while (this.#calls.some(([name]) => (counts.get(name) ?? 0) < times))
      await systemClock.sleep(5);
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#work;
  }

  async #workAs(worker: number): Promise<void> {
    for (let turn = worker; !this.#isOver; turn++) {
      const [name, call] = this.#calls[turn % this.#calls.length]!;
      const outcome = await call(`worker-${worker}`).then(
        (): Outcome => 'good',
        (error: Error): Outcome => {
          this.problems.add(descriptionOf(error));
          return 'bad';
        },
      );
      const counts = this.#counts[outcome];
      counts.set(name, (counts.get(name) ?? 0) + 1);
      // Without a server calls may fail at once.
      await systemClock.sleep(5);
    }
  }
}

async function storeAndLoad(id: string): Promise<void> {
  await storage.storeSession(sessionOf(id));
  if (!sessionOf(id).equals(await storage.loadSession(id)))
    throw new Error('The session was lost.');
}

/** The error's code, and whether it shows the server's address. */
function descriptionOf({ code, stack, message }: Error & { code?: unknown }): string {
  return `${String(code ?? stack)}${/\w:\/\//.test(message) ? ' with a URL' : ''}`;
}

let load: Load | undefined;

const commands = {
  ready: () => storage.ready,

  /**
   * What apps do when they start, then what one of several may do alone: answers what of it went
   * well.
   */
  async begin(own: string, previous: SessionParams | undefined) {
    const stores = await Promise.all(
      ['shared', own].map((id) => storage.storeSession(sessionOf(id))),
    );
    await storage.ready;
    await storage.verify();
    const record = {
      app: 'app',
      shop: SHOP,
      generation: 1,
      status: 'installed',
      scope: own,
      pending: [],
      version: 1,
    } as const;
    const claim = await inbox.claim({ app: 'app', shop: SHOP, webhookId: 'w' }, 60_000);
    const swap =
      previous &&
      ([new Session({ ...previous, accessToken: 'renewed' }), new Session(previous)] as const);
    return {
      stored: stores.every(Boolean),
      name: await lock.take('name', own, 60_000),
      record: await installations.save({ ...record, grantedAt: new Date(0) }),
      delivery: claim.state === 'claimed',
      session: swap !== undefined && (await storage.replaceSession(...swap)),
    };
  },

  load: async (id: string) => (await storage.loadSession(id))?.toObject(),
  take: (name: string, holder: string, leaseMs: number) => lock.take(name, holder, leaseMs),
  renew: (name: string, holder: string, leaseMs: number) => lock.renew(name, holder, leaseMs),

  /** Reads and writes a number in two steps, which only a lock makes safe. */
  async count(id: string, times: number) {
    for (let index = 0; index < times; index++) {
      await withLock({ lock, clock: systemClock }, 'count', async () => {
        const before = await storage.loadSession(id);
        await storage.storeSession(sessionOf(id, String(Number(before?.state ?? 0) + 1)));
      });
    }
  },

  /** Uses connections at once, and one of them for a lock. */
  async useMuch() {
    await storage.storeSession(sessionOf('one'));
    await lock.take('released', 'holder', 60_000);
    await lock.release('released', 'holder');
    await Promise.all(Array.from({ length: 20 }, () => storage.findSessionsByShop(SHOP)));
  },

  startLoad: (workers: number) => void (load = new Load(workers)),
  until: (outcome: Outcome, times: number) => load!.until(outcome, times),
  async stopLoad() {
    await load!.stop();
    return [...load!.problems];
  },
  close: () => storage.close(),
};
/** What the process can be asked for. */
export type StorageCommands = typeof commands;
answerMessages(commands);
