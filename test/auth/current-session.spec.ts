import { describe, expect, it } from '@jest/globals';

import { currentSessionId } from '../../lib/auth/current-session.js';
import { InvalidJwtError, MissingJwtTokenError } from '../../lib/core/core.errors.js';
import { SHOP, createApp, inbound, page, script, sessionToken } from './auth.fixture.js';

describe('the current session of an embedded app', () => {
  it('is the user’s, or the app’s, in the shop of the session token', () => {
    const app = createApp();
    const request = script('/', sessionToken(app.clock));
    expect(currentSessionId(request, app, { isOnline: true })).toBe(`${SHOP}_42`);
    expect(currentSessionId(request, app, { isOnline: false })).toBe(`offline_${SHOP}`);
  });

  it('is nobody’s without a session token, whatever the cookies say', () => {
    const app = createApp();
    const cookie = `shopify_app_session=abc; shopify_app_session.sig=${app.keys.sign('abc', 'base64', 'cookie')}`;
    expect(currentSessionId(page('/', { cookie }), app, { isOnline: true })).toBeUndefined();
  });

  it('is an error when the header holds something else, or a token that is refused', () => {
    const app = createApp();
    expect(() => currentSessionId(inbound('/', { authorization: 'Basic abc' }), app, { isOnline: true })).toThrow(MissingJwtTokenError);
    expect(() => currentSessionId(script('/', 'garbage'), app, { isOnline: true })).toThrow(InvalidJwtError);
  });
});

describe('the current session of a non-embedded app', () => {
  it.each([`offline_${SHOP}`, 'e1d5bd1c-4d7d-4c56-9a0e-000000000000'])('is the one in its signed cookie: %s', (id) => {
    const app = createApp({ options: { isEmbeddedApp: false } });
    const cookie = `a=b; shopify_app_session=${id}; shopify_app_session.sig=${app.keys.sign(id, 'base64', 'cookie')}`;
    expect(currentSessionId(page('/', { cookie }), app, { isOnline: false })).toBe(id);
    expect(currentSessionId(page('/', { cookie: `shopify_app_session=${id}` }), app, { isOnline: false })).toBeUndefined();
    expect(currentSessionId(page('/'), app, { isOnline: false })).toBeUndefined();
  });
});
