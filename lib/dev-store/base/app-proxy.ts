/** Where an app proxy stands in the storefront, and what answers it. */
export interface AppProxyOptions {
  /**
   * Where requests go: an address of its own, or a path below the app's URL, e.g. `/proxy` or
   * `https://app.example/proxy`.
   */
  url: string;
  /** The first part of its addresses in the storefront. @default 'apps' */
  prefix?: AppProxyPrefix;
  /** The second part of its addresses in the storefront, e.g. `reviews`. */
  subpath: string;
}

/** The first parts that the platform offers. */
export type AppProxyPrefix = (typeof PREFIXES)[number];
const PREFIXES = ['a', 'apps', 'community', 'tools'] as const;

/** An app proxy with every default filled in. */
export interface RegisteredProxy {
  /** Its path in the storefront, e.g. `/apps/reviews`. */
  readonly prefix: string;
  /** Where its requests go, without a slash at the end. */
  readonly url: string;
}

/**
 * The proxy of an app; undefined when it has none. @throws TypeError when its description is
 * invalid
 */
export function proxyOf(app: {
  apiKey: string;
  appUrl: string;
  appProxy?: AppProxyOptions;
}): RegisteredProxy | undefined {
  if (!app.appProxy) return undefined;
  const { url, prefix = 'apps', subpath } = app.appProxy;
  const wrong = (what: string): TypeError =>
    new TypeError(`The appProxy of the app "${app.apiKey}" ${what}.`);
  if (!PREFIXES.includes(prefix))
    throw wrong(`has a prefix of ${PREFIXES.join(', ')}, got "${prefix}"`);
  if (!/^[\w-]+$/.test(subpath))
    throw wrong(`has a subpath of letters, digits, hyphens and underscores, got "${subpath}"`);
  const base = app.appUrl.endsWith('/') ? app.appUrl : `${app.appUrl}/`;
  const absolute = /^https?:\/\//.test(url);
  if (!absolute && !/^\/(?!\/)/.test(url))
    throw wrong(`has an http or https URL, or a path that begins with a slash, got "${url}"`);
  const target = absolute ? url : new URL(url.slice(1), base).href;
  if (!URL.canParse(target) || /[?#]/.test(target))
    throw wrong(`has a URL without query and fragment, got "${url}"`);
  return { prefix: `/${prefix}/${subpath}`, url: target.replace(/(?<!\/)\/+$/, '') };
}

/**
 * What follows a proxy's prefix in a path of the storefront, as it was sent: empty, or with a
 * leading slash. Undefined for any other path.
 */
export function proxiedPath({ prefix }: RegisteredProxy, path: string): string | undefined {
  if (!path.startsWith(prefix)) return undefined;
  const rest = path.slice(prefix.length);
  return rest === '' || rest.startsWith('/') ? rest : undefined;
}
