// What the measurements of session storages share: a storage and the official one of its engine,
// called by turns in the same run.
import { randomUUID } from 'node:crypto';
import { Session } from '../dist/sessions/index.js';

const ROUNDS = 31;

/**
 * What is measured: what a call is made with, ready before the clock starts; and the call. `number`
 * goes round all sessions.
 */
const OPERATIONS = {
  load: { item: (number) => idOf(number), call: (storage, id) => storage.loadSession(id) },
  /** A session that is there gets new tokens, as at a renewal. */
  store: {
    item: (number) => session(number),
    call: (storage, session) => storage.storeSession(session),
  },
  'store new': {
    item: () => session(randomUUID()),
    call: (storage, session) => storage.storeSession(session),
  },
};

/** Two storages with the same sessions in them. */
export class Comparison {
  /** @param sessions how many each of them holds */
  constructor({ ours, official, sessions = 1_000 }) {
    this.sides = [ours, official].map((storage) => ({ storage, calls: 0 }));
    this.sessions = sessions;
  }

  /** Stores what will be loaded. */
  async fill() {
    for (const side of this.sides)
      await this.#microsecondsPerCall(side, 'store', { calls: this.sessions, inFlight: 16 });
  }

  /**
   * Prints how many times faster than the official storage ours is; the process ends with 1 when
   * that is less than `least`. Rounds are interleaved and compared one by one, so that a busy
   * machine disturbs both alike.
   * @param calls of each side in a round
   * @param warmUp calls of each side before, so that the compiler has done its work
   */
  async measure(what, { inFlight = 1, least, calls = [800, 800], warmUp = [5_000, 5_000] }) {
    const both = async (calls) => {
      const times = [];
      for (const [index, side] of this.sides.entries()) {
        times.push(await this.#microsecondsPerCall(side, what, { calls: calls[index], inFlight }));
      }
      return times;
    };
    await both(warmUp);
    const rounds = [];
    for (let round = 0; round < ROUNDS; round++) rounds.push(await both(calls));
    const [mine, theirs] = [0, 1].map((index) => median(rounds.map((times) => times[index])));
    const ratio = median(rounds.map(([mine, theirs]) => theirs / mine));
    const times = `${mine.toFixed(1)} µs, the official ${theirs.toFixed(1)} µs: ${ratio.toFixed(2)} times`;
    console.log(
      `${what.padEnd(9)} ${String(inFlight).padStart(2)} in flight: ${times}${least ? ` (at least ${least})` : ''}`,
    );
    if (least && ratio < least) process.exitCode = 1;
  }

  async #microsecondsPerCall(side, what, { calls, inFlight }) {
    const { item, call } = OPERATIONS[what];
    const items = Array.from({ length: calls }, () => item(side.calls++ % this.sessions));
    const worker = async () => {
      for (let item = items.pop(); item !== undefined; item = items.pop())
        await call(side.storage, item);
    };
    const start = performance.now();
    await Promise.all(Array.from({ length: inFlight }, worker));
    return ((performance.now() - start) * 1000) / calls;
  }
}

function idOf(name) {
  return `offline_shop-${name}.myshopify.com`;
}

function session(name) {
  const inAnHour = new Date(Date.now() + 3_600_000);
  return new Session({
    id: idOf(name),
    shop: `shop-${name}.myshopify.com`,
    state: '123456789012345',
    isOnline: false,
    scope: 'read_products,write_products,read_orders',
    accessToken: `shpat_${randomUUID()}`,
    expires: inAnHour,
    refreshToken: `shprt_${randomUUID()}`,
    refreshTokenExpires: inAnHour,
  });
}

function median(values) {
  return values.toSorted((a, b) => a - b)[values.length >> 1];
}
