import { describe, expect, it } from '@jest/globals';

import { currentSessionId } from '../../../lib/auth/credentials/current-session.js';
import { InvalidJwtError, MissingJwtTokenError } from '../../../lib/core/core.errors.js';
import {
  SHOP,
  createApp,
  inbound,
  page,
  script,
  sessionCookieFor,
  sessionToken,
} from '../auth.fixture.js';

describe('the current session of an embedded app', () => {
  it('is the user’s, or the app’s, in the shop of the session token', () => {
    const app = createApp();
    const request = script('/', sessionToken(app.clock));
    expect(currentSessionId(request, app, { isOnline: true })).toBe(`${SHOP}_42`);
    expect(currentSessionId(request, app, { isOnline: false })).toBe(`offline_${SHOP}`);
  });

  it('is nobody’s without a session token, whatever the cookies say', () => {
    const app = createApp();
    const cookie = sessionCookieFor(app, `${app.clock.seconds}.abc`);
    expect(currentSessionId(page('/', { cookie }), app, { isOnline: true })).toBeUndefined();
  });

  it('is an error when the header holds something else, or a token that is refused', () => {
    const app = createApp();
    expect(() =>
      currentSessionId(inbound('/', { authorization: 'Basic abc' }), app, { isOnline: true }),
    ).toThrow(MissingJwtTokenError);
    expect(() => currentSessionId(script('/', 'garbage'), app, { isOnline: true })).toThrow(
      InvalidJwtError,
    );
  });
});

describe('the current session of a non-embedded app', () => {
  it.each([`offline_${SHOP}`, 'e1d5bd1c-4d7d-4c56-9a0e-000000000000'])(
    'is the one in its signed cookie: %s',
    (id) => {
      const app = createApp({ options: { isEmbeddedApp: false } });
      const cookie = sessionCookieFor(app, `${app.clock.seconds}.${id}`);
      expect(
        currentSessionId(page('/', { cookie: `a=b; ${cookie}` }), app, { isOnline: false }),
      ).toBe(id);
      expect(
        currentSessionId(page('/', { cookie: String(cookie.split('; ')[0]) }), app, {
          isOnline: false,
        }),
      ).toBeUndefined();
      expect(currentSessionId(page('/'), app, { isOnline: false })).toBeUndefined();
    },
  );

  // The cookie told no time: whoever had it once kept it for good.
  it('is nobody’s any more 24 hours after the cookie was issued', () => {
    const app = createApp({ options: { isEmbeddedApp: false } });
    const request = page('/', {
      cookie: sessionCookieFor(app, `${app.clock.seconds}.offline_${SHOP}`),
    });
    app.clock.advance(24 * 60 * 60 * 1000 - 1);
    expect(currentSessionId(request, app, { isOnline: false })).toBe(`offline_${SHOP}`);
    app.clock.advance(1);
    expect(currentSessionId(request, app, { isOnline: false })).toBeUndefined();
  });

  it.each([
    `offline_${SHOP}`,
    `.offline_${SHOP}`,
    `99999999999999.offline_${SHOP}`,
    `1e9.offline_${SHOP}`,
    '1768478400.',
    '1768478400',
  ])('is nobody’s when the cookie, though signed, has another form: %s', (value) => {
    const app = createApp({ options: { isEmbeddedApp: false } });
    expect(
      currentSessionId(page('/', { cookie: sessionCookieFor(app, value) }), app, {
        isOnline: false,
      }),
    ).toBeUndefined();
  });

  it('is not the one in the cookie of another app', () => {
    const [app, other] = ['api-key', 'another-key'].map((apiKey) =>
      createApp({ options: { apiKey, isEmbeddedApp: false } }),
    );
    const cookie = sessionCookieFor(other!, `${other!.clock.seconds}.offline_${SHOP}`);
    expect(currentSessionId(page('/', { cookie }), app!, { isOnline: false })).toBeUndefined();
  });
});
