import { connect } from 'node:tls';

import { systemClock } from '../../core/time/clock.js';
import type { ExaminedApp } from './examined-app.js';
import { locationOf } from './examined-app.js';
import type { Check, Seen } from './finding.js';

/** How long a certificate should still be valid, in days. */
const CERTIFICATE_DAYS = 14;
const DAY = 86_400_000;
const LOCAL: Seen = ['skip', 'the app is on this machine'];

/** Checks of the connection. */
export function transportChecks(app: ExaminedApp): Check[] {
  const { url, isLocal } = app;
  const isHttps = url.protocol === 'https:';
  return [
    {
      name: 'https',
      fix: 'Serve the app over HTTPS: the admin shows no other page, and webhooks go to no other address.',
      look: async () =>
        isHttps ? ['pass', url.origin] : isLocal ? LOCAL : ['fail', `${url.origin} is not HTTPS`],
    },
    {
      name: 'certificate',
      fix: 'Install a certificate of a public authority, with its whole chain, and renew it automatically.',
      look: async () => {
        if (isLocal) return LOCAL;
        if (!isHttps) return ['skip', 'the app is not served over HTTPS'];
        const days = (await certificateEnd(url)).getTime() - systemClock.now().getTime();
        const seen = `valid for ${Math.trunc(days / DAY)} more days`;
        return days < CERTIFICATE_DAYS * DAY ? ['fail', `only ${seen}`] : ['pass', seen];
      },
    },
    {
      name: 'https-redirect',
      fix: 'Redirect http:// to https:// with 301 or 308, or close port 80.',
      look: async () => {
        if (isLocal) return LOCAL;
        if (!isHttps || url.port !== '') return ['skip', 'the app has a port of its own'];
        const plain = new URL(url);
        plain.protocol = 'http:';
        const answer = await app.browse(plain, 'window').catch(() => undefined);
        if (!answer) return ['pass', 'there is no answer over http://'];
        const target = locationOf(answer, plain);
        return target?.protocol === 'https:'
          ? ['pass', `http:// leads to ${target.origin}`]
          : ['fail', `http:// answers ${answer.status} without leading to https://`];
      },
    },
  ];
}

/** @throws the error of the connection: for a certificate that is not to be trusted, too */
function certificateEnd({ hostname, port }: URL): Promise<Date> {
  return new Promise((resolve, reject) => {
    const socket = connect(
      { host: hostname, servername: hostname, port: Number(port || 443), timeout: 10_000 },
      () => {
        resolve(new Date(socket.getPeerCertificate().valid_to));
        socket.end();
      },
    );
    socket.on('error', reject);
    socket.on('timeout', () => socket.destroy(new Error('no answer within 10 s')));
  });
}
