/** In what a host answers otherwise than others, and why that is right. */
export interface Difference {
  readonly hosts: readonly string[];
  /** As the table of `docs/fetch-hosts.md` says it. */
  readonly what: string;
  /** As the table says it. */
  readonly why: string;
}

const WEB = ['Remix', 'React Router'] as const;
const OFFICIAL = 'as the official package of the host does it';

/**
 * Everything in which the answers of hosts differ, by name. Rows name the one that they show; the
 * table in `docs/fetch-hosts.md` says the same.
 */
export const DIFFERENCES = {
  reauthorizeStatus: {
    hosts: WEB,
    what: 'A `fetch` that has to take the window elsewhere, to authorize the app or to a plan, gets 401 in place of 403',
    why: OFFICIAL,
  },
  exitPage: {
    hosts: WEB,
    what: 'The page that leaves the frame is `<auth>/exit-iframe?exitIframe=…` in place of `/exitiframe?redirectUri=…`',
    why: OFFICIAL,
  },
  adminPreflight: {
    hosts: WEB,
    what: '`OPTIONS` to a route of `authenticate.admin` is answered as a preflight request, 204',
    why: OFFICIAL,
  },
  routesHandle: {
    hosts: WEB,
    what: 'Deliveries are handled by routes of the app: they answer for topics, also those of privacy, and recognize repeated deliveries',
    why: '`handle()` or `enqueueFromRoutes` leaves that to the handlers of `modules`',
  },
  loginPage: {
    hosts: ['Remix'],
    what: 'A page load that names no shop is redirected to the login page in place of 400',
    why: OFFICIAL,
  },
  withoutShop: {
    hosts: ['React Router'],
    what: 'A page load that names no shop gets App Bridge, which knows it inside the admin, in place of 400',
    why: OFFICIAL,
  },
  installPage: {
    hosts: ['React Router'],
    what: 'A `fetch` of a shop without the app is told the install page of the admin in place of the start of OAuth',
    why: 'where the app lies below a base path, no script knows the address of the start',
  },
  startByExitPage: {
    hosts: ['React Router'],
    what: 'A page that begins OAuth redirects to the page that leaves the frame first',
    why: 'that page knows the base path',
  },
  fewerScopes: {
    hosts: ['React Router'],
    what: 'A shop is not asked for scopes that it lacks: the platform asks before it opens the app',
    why: OFFICIAL,
  },
  alwaysEmbedded: {
    hosts: ['React Router'],
    what: 'No app has a window of its own',
    why: OFFICIAL,
  },
  pageInPlace: {
    hosts: ['plain Express'],
    what: 'A page in the frame that needs a session token is answered with the page that fetches one in place of a redirect to it',
    why: 'an app may mount none of the routes of the toolkit',
  },
} as const satisfies Record<string, Difference>;

export type DifferenceName = keyof typeof DIFFERENCES;
