import { randomUUID } from 'node:crypto';

import { SECRET_SHAPE } from '../../core/vendor.js';
import type { Answer } from '../exchange.js';
import { isLoopback } from '../exchange.js';
import { isOfPlatform, madeUpShop } from './examined-app.js';
import type { ExaminedApp } from './examined-app.js';
import { problemsOr } from './finding.js';
import type { Check } from './finding.js';

/** Checks of the pages: who may frame them, what they show without a session, what errors show. */
export function pageChecks(app: ExaminedApp): Check[] {
  const { shop, paths, secret } = app;
  return [
    {
      name: 'frame-ancestors',
      fix: 'Send Content-Security-Policy: frame-ancestors with the shop of the request and the admin alone, on every page.',
      look: async () => {
        const other = madeUpShop();
        const problems: string[] = [];
        for (const one of [shop, other]) {
          const sources = frameAncestorsOf(await app.page('frame', one));
          if (!sources) problems.push(`the page of ${one} has no frame-ancestors`);
          else if (!sources.includes(`https://${one}`))
            problems.push(`the page of ${one} may not be framed by the shop`);
          for (const source of sources ?? [])
            if (!isAdmin(app, source, one)) problems.push(`${source} may frame the page of ${one}`);
        }
        return problemsOr(problems, 'the shop and the admin alone');
      },
    },
    {
      name: 'x-frame-options',
      fix: 'Send no X-Frame-Options on pages of the admin: browsers would show none of them.',
      look: async () => {
        const value = (await app.page('frame', shop)).headers['x-frame-options'];
        return value === undefined ? ['pass', 'not sent'] : ['fail', `${String(value)} is sent`];
      },
    },
    {
      name: 'install',
      fix: 'Lead a shop without a session to OAuth or to its install page, not to an error.',
      look: async () => {
        const { status } = await app.page('window', shop);
        return status < 400
          ? ['pass', `${status}`]
          : ['fail', `${paths.page} answers a shop without a session with ${status}`];
      },
    },
    {
      name: 'unknown-path',
      fix: 'Answer 404 to paths that are not there.',
      look: async () => {
        const { status } = await app.browse(app.at(`/doctor-${randomUUID()}`), 'window');
        if (status >= 500) return ['fail', `a path that is not there is answered with ${status}`];
        return status >= 400
          ? ['pass', `${status}`]
          : ['skip', `the app answers every path: a path that is not there with ${status}`];
      },
    },
    {
      name: 'leaks',
      fix: 'Answer errors with a sentence, and log the rest. In production set NODE_ENV=production.',
      look: async () => {
        const url = new URL(app.at('/').href.replace(/\/$/, '/%E0%A4%A'));
        await app.browse(url, 'window');
        await app.send(app.at(paths.webhooks), {
          method: 'POST',
          body: Buffer.from('{"'),
          headers: { 'content-type': 'application/json' },
        });
        const problems = app.answers.flatMap(({ of, answer: { body } }) => [
          ...(STACK.test(body) ? [`${of} shows a stack trace`] : []),
          ...(secret !== undefined && body.includes(secret) ? [`${of} shows the secret`] : []),
          ...(body.search(SECRET_SHAPE) >= 0 ? [`${of} shows an access token`] : []),
        ]);
        return problemsOr([...new Set(problems)], `none in ${app.answers.length} answers`);
      },
    },
  ];
}

/** A line of a stack trace of Node, as text or in HTML. */
const STACK =
  /\bat (?:[\w.<>$ [\]]{1,80} \()?(?:file:\/\/|node:|[A-Za-z]:\\|\/)[^\s()]{1,200}:\d+:\d+/;

/** The sources that may frame a page; `undefined` when its policies do not say. */
function frameAncestorsOf({ headers }: Answer): string[] | undefined {
  const policy = String(headers['content-security-policy'] ?? '');
  const directives = policy.split(/[;,]/).map((directive) => directive.trim().split(/\s+/));
  const found = directives.filter(([name = '']) => name.toLowerCase() === 'frame-ancestors');
  return found.length > 0 ? found.flatMap(([, ...sources]) => sources) : undefined;
}

/** The platform lets its own tools for development frame pages, too. */
const OWN_TOOLS = /^https:\/\/(?:\*\.spin\.dev|admin\.my[a-z]+\.io)$/;

function isAdmin(app: ExaminedApp, source: string, shop: string): boolean {
  if (OWN_TOOLS.test(source)) return true;
  if (!URL.canParse(source)) return false;
  const url = new URL(source);
  return isOfPlatform(url, shop) || (app.isLocal && isLoopback(url));
}
