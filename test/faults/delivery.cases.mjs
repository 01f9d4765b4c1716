import { setTimeout as sleep } from 'node:timers/promises';

import { deliver } from './platform.requests.mjs';
import { expect, expectEqual } from './report.mjs';

const SHOP = 'deliveries.myshopify.com';
/**
 * How long a claim lasts without word from its holder, and how long one waits for it, in
 * milliseconds.
 */
const LEASE = 30_000;
const PATIENCE = 4_000;
/** On top of each, on a busy machine. */
const MARGIN = 1_500;
const LONGEST_HANDLER = LEASE + 5_000;

/** Runs of a handler: begun, and come to their end. */
const ONCE = [1, 1];
const CUT = [2, 1];
const TWICE = [2, 2];

/**
 * What a delivery has to go through, and what becomes of it. `waits`: the next attempt is told to
 * come back after the lease.
 */
const PHASES = [
  { phase: 'before the claim', waits: false, first: ONCE, second: ONCE },
  { phase: 'after the claim', waits: true, first: ONCE, second: ONCE },
  { phase: 'during handler first', waits: true, first: CUT, second: ONCE },
  // What has been done is noted with the end of an attempt.
  {
    phase: 'before handler second',
    waits: true,
    first: TWICE,
    second: ONCE,
    repeated: 'handler 1',
  },
  {
    phase: 'before it is marked done',
    waits: true,
    first: TWICE,
    second: TWICE,
    repeated: 'both handlers',
  },
  { phase: 'after it was marked done', waits: false, first: ONCE, second: ONCE },
];

/** `kill -9` in every phase of a delivery of two handlers. */
export function deliveryScenarios(engine) {
  return [
    ...PHASES.map(({ phase, waits, repeated, ...runs }) =>
      scenario(engine, {
        key: `delivery ${phase}`,
        phase,
        title: `delivery, kill -9 ${phase.replace('first', '1').replace('second', '2')}`,
        waits,
        runs,
        outcome: outcomeOf(waits, repeated),
      }),
    ),
    scenario(engine, {
      key: 'delivery in its second attempt',
      phase: 'during handler second',
      title: 'delivery, kill -9 during handler 2 of a second attempt',
      // The first attempt fails in its second handler, which is noted.
      prepare: async ({ survivor }) => {
        const payload = { second: { fails: true } };
        const { status } = await deliver(survivor, {
          shop: SHOP,
          webhookId: 'delivery in its second attempt',
          payload,
        });
        expectEqual('Status of the attempt that fails', status, 500);
      },
      waits: true,
      runs: { first: ONCE, second: [3, 1] },
      outcome: `${outcomeOf(true)}; handler 1 is not repeated`,
    }),
  ];
}

function outcomeOf(waits, repeated) {
  if (repeated) return `503 for the lease, then handled to its end; ${repeated} repeated`;
  return waits ? '503 for the lease, then handled once' : '200 at once, handled once';
}

function scenario(engine, { key, phase, title, prepare, waits, runs, outcome }) {
  const attempt = (app) => deliver(app, { shop: SHOP, webhookId: key });
  return {
    key,
    phase,
    row: { engine: engine.name, title, outcome },
    prepare,
    begin: attempt,
    async verify(survivor, { ledger }, killedAt) {
      const next = await attempt(survivor);
      if (waits) {
        expectBusy(next);
        await sleep(killedAt + LEASE + MARGIN - Date.now());
        expectEqual('Status of the attempt after the lease', (await attempt(survivor)).status, 200);
      } else expectEqual('Status of the next attempt', next.status, 200);
      expectEqual('Runs', ledger.runs(key), runs);
      expectEqual('Status of a repetition', (await attempt(survivor)).status, 200);
      expectEqual('Runs after a repetition', ledger.runs(key), runs);
      return `next attempt: ${next.status} in ${next.ms} ms`;
    },
  };
}

/** @throws unless the attempt was told, in time, to come back */
export function expectBusy({ status, error, retryAfter, ms }) {
  expectEqual(
    'The next attempt',
    { status, error },
    { status: 503, error: 'delivery_in_progress' },
  );
  expect(Number(retryAfter) > 0, 'The next attempt was not told when to come back.');
  expect(ms < PATIENCE + MARGIN, `The next attempt waited for ${ms} ms.`);
}

/** Not killed at all, but slower than the lease: nobody runs it beside. */
export function slowDelivery(engine) {
  const key = 'slow delivery';
  return {
    key,
    row: {
      engine: engine.name,
      title: `delivery of ${LONGEST_HANDLER / 1000} s, not killed`,
      outcome: '503 meanwhile, handled once',
    },
    async verify(survivor, { ledger }) {
      const attempt = () =>
        deliver(survivor, {
          shop: SHOP,
          webhookId: key,
          payload: { first: { ms: LONGEST_HANDLER } },
          hangUpAfter: 5_000,
        });
      expectEqual('The sender', (await attempt()).error, 'HUNG_UP');
      expectBusy(await attempt());
      await sleep(LEASE - 9_000);
      expectBusy(await attempt());
      await sleep(LONGEST_HANDLER - LEASE + MARGIN);
      expectEqual('Status afterwards', (await attempt()).status, 200);
      expectEqual('Runs', ledger.runs(key), { first: ONCE, second: ONCE });
    },
  };
}
