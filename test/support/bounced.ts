/**
 * The page that App Bridge loads with a fresh session token: named by the address a response sends
 * the browser to, or by the page that takes its place.
 */
export async function reloadIn(response: Response, url: string): Promise<URL | undefined> {
  const location = response.headers.get('location');
  const [, inPlace] =
    /searchParams\.set\("shopify-reload", ("[^"]*")\)/.exec(await response.clone().text()) ?? [];
  const reload = location
    ? new URL(location, url).searchParams.get('shopify-reload')
    : inPlace && (JSON.parse(inPlace) as string);
  return reload ? new URL(reload) : undefined;
}
