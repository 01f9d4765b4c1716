// What the measurements of session storages share: two storages, called by turns in the same run.
import { randomUUID } from 'node:crypto';
import { Session } from '../dist/sessions/index.js';

const SESSIONS = 1_000;
const ROUNDS = 31;
/** Calls of one side of a round; and before the rounds, so that the compiler has done its work. */
const CALLS = 800;
const WARM_UP = 5_000;

const CALL = {
  load: (storage) => (index) => storage.loadSession(id(index)),
  store: (storage) => (index) => storage.storeSession(session(index)),
};

/**
 * Prints how many times faster than the official storage ours is; the process ends with 1 when that is less than `least`.
 * Rounds are interleaved and compared one by one, so that a busy machine disturbs both alike.
 */
export async function compare({ ours, official }, { what, inFlight, least }) {
  const sides = [ours, official].map(CALL[what]);
  for (const side of sides) await microsecondsPerCall(side, inFlight, WARM_UP);
  const rounds = [];
  for (let round = 0; round < ROUNDS; round++) {
    rounds.push([await microsecondsPerCall(sides[0], inFlight, CALLS), await microsecondsPerCall(sides[1], inFlight, CALLS)]);
  }
  const [mine, theirs] = [0, 1].map((side) => median(rounds.map((round) => round[side])));
  const ratio = median(rounds.map(([mine, theirs]) => theirs / mine));
  const times = `${mine.toFixed(1)} µs, the official ${theirs.toFixed(1)} µs: ${ratio.toFixed(2)} times`;
  console.log(`${what.padEnd(5)} ${String(inFlight).padStart(2)} in flight: ${times}${least ? ` (at least ${least})` : ''}`);
  if (least && ratio < least) process.exitCode = 1;
}

/** Stores what will be loaded. */
export async function fill(storage) {
  for (let index = 0; index < SESSIONS; index++) await storage.storeSession(session(index));
}

async function microsecondsPerCall(call, inFlight, calls) {
  let next = 0;
  const worker = async () => {
    while (next < calls) await call(next++);
  };
  const start = performance.now();
  await Promise.all(Array.from({ length: inFlight }, worker));
  return ((performance.now() - start) * 1000) / calls;
}

function id(index) {
  return `offline_shop-${index % SESSIONS}.myshopify.com`;
}

function session(index) {
  const inAnHour = new Date(Date.now() + 3_600_000);
  return new Session({
    id: id(index),
    shop: `shop-${index % SESSIONS}.myshopify.com`,
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
