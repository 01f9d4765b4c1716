/**
 * An address as pages below an app proxy need it. A path gets the slash at its end without which
 * the storefront redirects, and a form loses what it has sent; other addresses stay as they are,
 * and nothing stays nothing.
 * @param origin the storefront's, for addresses that the page's `<base>` must not send to the app
 */
export function proxyUrl<Url extends string | undefined>(url: Url, origin = ''): Url {
  const [, path, rest = ''] = /^(\/(?![/\\])[^?#]*)(.*)$/s.exec(url ?? '') ?? [];
  if (path === undefined) return url;
  return `${origin}${path.endsWith('/') ? path : `${path}/`}${rest}` as Url;
}
