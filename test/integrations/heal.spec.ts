import { afterEach, describe, expect, it } from '@jest/globals';

import fc from 'fast-check';

import { API_KEY } from '../support/app.js';
import { Visited, WIRINGS } from './heal.fixture.js';
import type { Setup } from './heal.fixture.js';

const FEWER_SCOPES = 'that granted fewer scopes';
/** What may have happened in a shop that the app was not told of. */
const STATES: Readonly<Record<string, (visited: Visited) => void>> = {
  'that never had it': ({ shop }) => void shop.uninstallWithDeferredWebhook(API_KEY),
  'with a revoked token': ({ shop }) => shop.revokeTokens(API_KEY),
  'with an expired token': ({ shop }) => shop.expireTokens(API_KEY),
  'with an expired token and refresh token': ({ shop }) => {
    shop.expireTokens(API_KEY);
    shop.expireRefreshTokens(API_KEY);
  },
  'that uninstalled it': ({ shop }) => void shop.uninstallWithDeferredWebhook(API_KEY),
  'that uninstalled it and installed it again': ({ shop }) => {
    shop.uninstallWithDeferredWebhook(API_KEY);
    shop.install(API_KEY, { scopes: ['write_products'] });
  },
  [FEWER_SCOPES]: ({ shop, hasApp }) =>
    hasApp ? shop.setScopes(API_KEY, ['read_products']) : undefined,
};

const SETUPS: readonly (Setup & { readonly kind: string })[] = [
  { kind: 'embedded app', isEmbeddedApp: true, useOnlineTokens: false },
  { kind: 'embedded app with online tokens', isEmbeddedApp: true, useOnlineTokens: true },
  { kind: 'app of its own window', isEmbeddedApp: false, useOnlineTokens: false },
  { kind: 'app of its own window with online tokens', isEmbeddedApp: false, useOnlineTokens: true },
];

const BY_FETCH = 'by a fetch of an open page';
/** The ways in which a merchant comes to the app. */
const WAYS: Readonly<Record<string, (visited: Visited) => Promise<string>>> = {
  'from the admin': (visited) => visited.openApp(),
  'by a bookmark': (visited) => visited.openBookmark(),
  [BY_FETCH]: (visited) => visited.fetch(),
};

// A stale session sent the browser round between the admin and the app, and a revoked token failed
// every request until its time was up.
describe.each(WIRINGS)('on $name', (wiring) => {
  const setups = SETUPS.filter(({ isEmbeddedApp }) => isEmbeddedApp || !wiring.alwaysEmbedded);
  describe.each(setups)('an $kind', (setup) => {
    // With online tokens there is a grant for the app and one for the user.
    const most = setup.useOnlineTokens ? 4 : 3;
    let visited: Visited;
    afterEach(() => visited.close());

    it.each(Object.keys(STATES))('shows its page again to a shop %s', async (state) => {
      visited = await Visited.open(wiring, setup);
      const { shop } = visited;
      for (const [way, come] of Object.entries(WAYS)) {
        if (state !== 'that never had it') await visited.install();
        STATES[state]!(visited);
        // The admin frames an app that is installed, and no other.
        if (setup.isEmbeddedApp && way === BY_FETCH && !visited.hasApp) continue;
        const page = await come(visited);
        expect({ way, page }).toEqual({ way, page: shop.name });
        // The webhook about scopes may come first: then the page leaves its frame for the consent.
        const leaves = state === FEWER_SCOPES ? 2 : 0;
        expect(visited.requestsBeforePage.slice(most + leaves)).toEqual([]);
      }
    });
  });

  const steps = [...Object.keys(STATES), ...Object.keys(WAYS)];
  it('comes to its page whatever happens in between, without going round', async () => {
    const sequence = fc.array(fc.constantFrom(...steps), { minLength: 3, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...setups), sequence, async (setup, names) => {
        const visited = await Visited.open(wiring, setup);
        try {
          await visited.install();
          for (const name of [...names, 'from the admin']) {
            STATES[name]?.(visited);
            const mayCome = name !== BY_FETCH || !setup.isEmbeddedApp || visited.hasApp;
            if (mayCome)
              expect((await WAYS[name]?.(visited)) ?? visited.shop.name).toBe(visited.shop.name);
          }
          expect(visited.longestRound).toBeLessThanOrEqual(2);
        } finally {
          await visited.close();
        }
      }),
      { numRuns: 12 },
    );
  }, 120_000);
});
