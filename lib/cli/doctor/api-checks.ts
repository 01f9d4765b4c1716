import { randomBytes } from 'node:crypto';

import { systemClock } from '../../core/time/clock.js';
import { sessionTokenOf } from '../signatures.js';
import type { ExaminedApp } from './examined-app.js';
import type { Check, Seen } from './finding.js';

/** Checks of who may call the app's API. */
export function apiChecks(app: ExaminedApp): Check[] {
  const { api, apiKey = 'another-app', secret, shop } = app;
  const ask = async (token: string | undefined, what: string): Promise<Seen> => {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const { status } = await app.browse(app.at(api!), 'data', headers);
    const seen = `${what} is answered with ${status}`;
    return [status === 401 || status === 403 ? 'pass' : 'fail', seen];
  };
  const now = systemClock.now();
  const unknown: Seen = ['skip', 'no path of the API is known: --api <path> names one'];
  return [
    {
      name: 'api-no-token',
      fix: 'Verify the session token of every request to the API before it is handled.',
      look: async () => (api === undefined ? unknown : ask(undefined, 'a request without a token')),
    },
    {
      name: 'api-bad-token',
      fix: 'Verify the signature of session tokens (HS256, with the app’s secret), and accept no other algorithm.',
      look: async () => {
        if (api === undefined) return unknown;
        const facts = { apiKey, shop, now };
        const forged = sessionTokenOf({ ...facts, secret: randomBytes(32).toString('hex') });
        const [, claims] = forged.split('.');
        const unsigned = `${Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')}.${claims}.`;
        for (const [token, what] of [
          ['not.a.token', 'a token that is none'],
          [forged, 'a token with a wrong signature'],
          [unsigned, 'a token of the algorithm "none"'],
        ] as const) {
          const [outcome, seen] = await ask(token, what);
          if (outcome === 'fail') return [outcome, seen];
        }
        return ['pass', 'no forged token is accepted'];
      },
    },
    {
      name: 'api-other-app',
      fix: 'Accept a session token only when its aud is the client id of this app.',
      look: async () => {
        if (api === undefined) return unknown;
        if (secret === undefined) return ['skip', 'the secret of the app is not known'];
        const token = sessionTokenOf({ apiKey: `${apiKey}-other`, shop, now, secret });
        return ask(token, 'a token of another app');
      },
    },
  ];
}
