import { describe, expect, it } from '@jest/globals';

import { checkSessionToken } from '../../../lib/auth/credentials/session-token.verifier.js';
import { OTHER_SHOP, SHOP, createApp, sessionToken } from '../auth.fixture.js';

const app = createApp();

describe('a session token', () => {
  it('is verified with its claims', () => {
    const text = sessionToken(app.clock);
    expect(checkSessionToken(text, app)).toMatchObject({
      kind: 'verified',
      text,
      payload: { dest: `https://${SHOP}` },
    });
  });

  it.each<[string, string | undefined, string]>([
    ['is missing', undefined, 'session_token_missing'],
    ['has expired', sessionToken(app.clock, { exp: 1 }), 'session_token_invalid'],
    ['is malformed', 'a.b', 'session_token_invalid'],
    [
      'is of two shops',
      sessionToken(app.clock, { dest: `https://${OTHER_SHOP}` }),
      'session_token_invalid',
    ],
  ])('may be replaced by a fresh one when it %s', (_, text, reason) => {
    expect(checkSessionToken(text, app)).toMatchObject({
      kind: 'denied',
      status: 401,
      reason,
      retryWithNewToken: true,
    });
  });

  it.each([
    ['with another secret', sessionToken(app.clock, {}, 'another-secret')],
    ['for another app', sessionToken(app.clock, { aud: 'another-app' })],
  ])('cannot be replaced by a fresh one when it was made %s', (_, text) => {
    expect(checkSessionToken(text, app)).toMatchObject({
      kind: 'denied',
      status: 401,
      reason: 'session_token_invalid',
      retryWithNewToken: false,
    });
  });
});
