import { offlineSessionId } from 'shopwright/sessions';

import { APP, SCOPES } from './app.facts.mjs';
import { visit } from './platform.requests.mjs';
import { expect, expectEqual } from './report.mjs';

/** A process that died holds the shop's locks for 15 s at most. */
const LONGEST = 20_000;

/** Runs of the hook: begun, and come to their end. */
const PHASES = [
  { phase: 'before the session is stored', runs: [1, 1] },
  { phase: 'after the session was stored', runs: [1, 1] },
  { phase: 'during the hook', runs: [2, 1] },
  { phase: 'before it is noted', title: 'after the hook, before it is noted', runs: [2, 2] },
];

const slug = (phase) => `${phase.replaceAll(' ', '-')}-installing.myshopify.com`;
export const INSTALLING_SHOPS = PHASES.map(({ phase }) => slug(phase));

/** `kill -9` while a shop installs the app; then the merchant comes again. */
export function installScenarios(engine) {
  return PHASES.map(({ phase, title = phase, runs: [starts, ends] }) => {
    const key = slug(phase);
    return {
      key,
      phase,
      row: {
        engine: engine.name,
        title: `install, kill -9 ${title}`,
        outcome: `installed with the next visit, onInstall completed ${ends === 1 ? 'once' : 'twice'}${starts > ends ? ', interrupted once' : ''}`,
      },
      prepare: async ({ devStore }) =>
        void devStore.shop(key).install(APP.apiKey, { scopes: SCOPES }),
      begin: (victim) => visit(victim, key),
      async verify(survivor, { ledger, storage }) {
        const { status, error, ms } = await visit(survivor, key);
        expectEqual('The next visit', { status, error }, { status: 200 });
        expect(ms < LONGEST, `The merchant waited for ${ms} ms.`);
        expectEqual('The visit after that', (await visit(survivor, key)).status, 200);
        expectEqual('Runs', ledger.runs(key), { onInstall: [starts, ends] });
        expect(
          (await storage.loadSession(offlineSessionId(key)))?.accessToken,
          'No session is stored.',
        );
        return `the merchant waited ${ms} ms`;
      },
    };
  });
}
