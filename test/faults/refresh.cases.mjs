import { offlineSessionId, Session } from 'shopwright/sessions';

import { APP, SCOPES } from './app.facts.mjs';
import { askForToken } from './platform.requests.mjs';
import { expect, expectEqual } from './report.mjs';

/** How many callers need the token in the process that goes on. */
const CALLERS = 10;
/** A process that died holds the shop's lock for 15 s at most. */
const LONGEST = 20_000;
const LOST = 3;

const PHASES = [
  { phase: 'before the request', refreshes: [1] },
  // The platform gives the same refresh token a second answer while the first was not used.
  { phase: 'before the reply', refreshes: [2] },
  { phase: 'after the reply', refreshes: [2] },
  { phase: 'before the save', refreshes: [2] },
  // The save may have come through, or not.
  { phase: 'during the save', refreshes: [1, 2] },
  { phase: 'after the save', refreshes: [1] },
];

const slug = (phase) => `${phase.replaceAll(' ', '-')}-refreshing.myshopify.com`;
const LOSING = 'losing-replies.myshopify.com';
export const REFRESHING_SHOPS = [...PHASES.map(({ phase }) => slug(phase)), LOSING];

/** `kill -9` in every phase of a refresh of an offline token that has expired. */
export function refreshScenarios(engine) {
  return PHASES.map(({ phase, refreshes }) => ({
    key: slug(phase),
    phase,
    row: {
      engine: engine.name,
      title: `refresh, kill -9 ${phase}`,
      outcome: `the next process has a good token after ${refreshes.join(' or ')} refresh${refreshes.at(-1) > 1 ? 'es' : ''} in all`,
    },
    prepare: (world) => storeExpired(world, slug(phase)),
    begin(victim, { devStore }) {
      if (phase === 'before the reply') holdReply(devStore.shop(slug(phase)), victim);
      return askForToken(victim, slug(phase));
    },
    verify: async (survivor, world) => {
      const shop = world.devStore.shop(slug(phase));
      shop.onTokenRequest = undefined;
      return expectGoodToken(survivor, world, shop, (count) => refreshes.includes(count));
    },
  }));
}

/** The reply is lost again and again, though each request takes effect. */
export function lostReplies(engine) {
  return {
    key: LOSING,
    row: {
      engine: engine.name,
      title: `refresh, ${LOST} replies lost in a row`,
      outcome: 'no caller fails, the old refresh token is used again',
    },
    prepare: (world) => storeExpired(world, LOSING),
    verify: async (survivor, world) => {
      const shop = world.devStore.shop(LOSING);
      let left = LOST;
      shop.onTokenRequest = (_request, answer) => {
        const reply = answer();
        return left-- > 0 ? 'cut' : reply;
      };
      return expectGoodToken(survivor, world, shop, (count) => count === LOST + 1);
    },
  };
}

/** A session whose access token is over while its refresh token is good. */
async function storeExpired({ devStore, storage }, domain) {
  const shop = devStore.shop(domain);
  shop.install(APP.apiKey, { scopes: SCOPES });
  const { access, refreshToken } = shop.tokens.expiring(APP.apiKey, SCOPES);
  const expires = new Date(Math.floor(Date.now() / 1000) * 1000);
  const facts = {
    id: offlineSessionId(domain),
    shop: domain,
    state: '',
    isOnline: false,
    scope: SCOPES.join(','),
  };
  const tokens = {
    accessToken: access.token,
    refreshToken,
    expires,
    refreshTokenExpires: new Date(Date.UTC(2040, 0)),
  };
  await storage.storeSession(new Session({ ...facts, ...tokens }));
}

/**
 * The request takes effect, and its reply does not leave the platform as long as the victim lives.
 */
function holdReply(shop, victim) {
  shop.onTokenRequest = async (_request, answer) => {
    const reply = answer();
    victim.comesTo(shop.domain);
    await victim.ended;
    return reply;
  };
}

async function expectGoodToken(survivor, { ledger }, shop, isRight) {
  const answers = await Promise.all(
    Array.from({ length: CALLERS }, () => askForToken(survivor, shop.domain)),
  );
  const failures = answers.filter(({ status }) => status !== 200).map(({ error }) => error);
  expectEqual('Callers that failed', failures, []);
  expectEqual('Tokens', new Set(answers.map(({ token }) => token)).size, 1);
  const slowest = Math.max(...answers.map(({ ms }) => ms));
  expect(slowest < LONGEST, `A caller waited for ${slowest} ms.`);
  const reply = await fetch(`${shop.origin}/admin/api/2026-07/shop.json`, {
    headers: { 'X-Shopify-Access-Token': answers[0].token },
  });
  expectEqual('Status of the Admin API', reply.status, 200);
  const refreshes = shop.tokenRequests.filter(({ grant }) => grant === 'refresh_token').length;
  expect(isRight(refreshes), `The token was refreshed ${refreshes} times.`);
  expectEqual('What the app was told', ledger.runs(shop.domain), {});
  return `callers waited ${slowest} ms`;
}
