import type { Answer } from '../exchange.js';
import { hostOf, isOfPlatform, locationOf } from './examined-app.js';
import type { ExaminedApp } from './examined-app.js';
import { problemsOr } from './finding.js';
import type { Check, Seen } from './finding.js';

/** A host that no app has. */
const FOREIGN = 'doctor.example';

/** Checks of the way into the app, and of redirects that lead out of it. */
export function oauthChecks(app: ExaminedApp): Check[] {
  const { shop, paths } = app;
  const begin = (): Promise<Answer> => app.browse(app.at(paths.auth, { shop }), 'window');
  return [
    {
      name: 'oauth-redirect',
      fix: 'Redirect from --auth to /admin/oauth/authorize of the shop, with client_id, a redirect_uri of the app, and an unpredictable state.',
      look: async () => {
        const answer = await begin();
        if (answer.status === 404) return noStart(app);
        const target = locationOf(answer, app.at(paths.auth));
        if (!target) return ['fail', `${paths.auth} answers ${answer.status} without a redirect`];
        const isStore = isOfPlatform(target, shop) || (app.isLocal && app.isFamiliar(target));
        const missing = ['client_id', 'redirect_uri', 'state'].filter(
          (name) => !target.searchParams.get(name),
        );
        return problemsOr(
          [
            ...(isStore ? [] : [`it leads to ${target.origin}, which is not the shop`]),
            ...missing.map((name) => `the address has no ${name}`),
          ],
          `${target.origin}${target.pathname}`,
        );
      },
    },
    {
      name: 'oauth-state-cookie',
      fix: 'Keep the state in a signed cookie with HttpOnly, Secure and SameSite, so that a callback of somebody else is refused.',
      look: async () => {
        const { status, cookies } = await begin();
        if (status === 404) return noStart(app);
        if (cookies.length === 0) return ['fail', 'no cookie is set'];
        const needed = ['HttpOnly', 'SameSite', ...(app.isLocal ? [] : ['Secure'])];
        const problems = cookies.flatMap((cookie) => {
          const [pair = '', ...attributes] = cookie.split(';');
          const names = attributes.map((one) => one.trim().split('=')[0]!.toLowerCase());
          return needed
            .filter((attribute) => !names.includes(attribute.toLowerCase()))
            .map((attribute) => `${pair.split('=')[0]} lacks ${attribute}`);
        });
        return problemsOr(problems, needed.join(', '));
      },
    },
    {
      name: 'oauth-shop',
      fix: 'Begin OAuth only for a shop whose whole domain has been checked, and answer 400 otherwise.',
      look: () =>
        leavesNot(app, [
          ...hostileShops(shop).map((value) => app.at(paths.auth, { shop: value })),
          ...hostileShops(shop).map((value) => app.at(paths.page, { shop: value })),
        ]),
    },
    {
      name: 'open-redirect',
      fix: 'Let the exit page, and whatever reads host, lead nowhere but to the app, the shop and the admin.',
      look: () => {
        const host = hostOf(shop);
        const foreign = [`https://${FOREIGN}/`, `//${FOREIGN}/`, `https:${FOREIGN}`];
        const targets = [...foreign, `javascript:location='https://${FOREIGN}'`];
        return leavesNot(app, [
          ...targets.flatMap((target) => [
            app.at(paths.exit, { shop, host, redirectUri: target }),
            app.at(paths.exit, { shop, host, exitIframe: target }),
          ]),
          app.at(paths.exit, { shop, host: hostOf(FOREIGN), redirectUri: '/' }),
          app.at(paths.auth, { shop, host: hostOf(FOREIGN) }),
          app.at(paths.page, { shop, host: hostOf(FOREIGN), embedded: '1' }),
        ]);
      },
    },
  ];
}

function noStart({ paths }: ExaminedApp): Seen {
  return [
    'skip',
    `nothing begins OAuth at ${paths.auth}: --auth <path> says where, if anything does`,
  ];
}

/** None is a shop, though each contains the name of one. */
function hostileShops(shop: string): string[] {
  return [
    FOREIGN,
    `${FOREIGN}/.${shop}`,
    `${FOREIGN}#.${shop}`,
    `${FOREIGN}?x=.${shop}`,
    `${shop}.${FOREIGN}`,
    `${shop}@${FOREIGN}`,
    `https://${FOREIGN}/${shop}`,
    `${shop}\\@${FOREIGN}`,
  ];
}

/** Whether one of these requests is led away from the app and the platform. */
async function leavesNot(app: ExaminedApp, urls: readonly URL[]): Promise<Seen> {
  const problems = new Set<string>();
  for (const url of urls) {
    const answer = await app.browse(url, 'window');
    const target = locationOf(answer, url);
    const asked = `${url.pathname}?${[...url.searchParams.keys()].join('&')}`;
    if (target && !app.isFamiliar(target)) problems.add(`${asked} leads to ${target.origin}`);
    else if (namesForeign(answer)) problems.add(`${asked} answers with a link to a foreign host`);
    else if (answer.status >= 500) problems.add(`${asked} fails with ${answer.status}`);
  }
  return problemsOr([...problems], `${urls.length} hostile requests lead nowhere`);
}

/** Where a page could lead: a script, a link, or a header that browsers follow. */
function namesForeign({ status, headers, body }: Answer): boolean {
  if (String(headers['refresh'] ?? '').includes(FOREIGN)) return true;
  if (status >= 400) return false;
  for (let at = body.indexOf(FOREIGN); at >= 0; at = body.indexOf(FOREIGN, at + 1)) {
    const before = body.slice(Math.max(0, at - 120), at).replaceAll('\\/', '/');
    const start = before.lastIndexOf('//');
    // As a host: within the query of an address it leads nowhere.
    const isHost = start >= 0 && !/[\s"'<>/?#]/.test(before.slice(start + 2));
    if (isHost && /href|src|action|open|location|url/i.test(before)) return true;
  }
  return false;
}
