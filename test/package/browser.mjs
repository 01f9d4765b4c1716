import assert from 'node:assert/strict';

/**
 * Walks through the install as a browser does: start, consent page, callback; follows redirects by
 * hand and keeps each host's cookies.
 */
export async function install(appUrl, shop) {
  const browser = createBrowser();
  const consent = await browser(`${appUrl}/auth?shop=${shop}`);
  const page = await consent.text();
  assert.equal(consent.status, 200, page);
  const form = page.match(/<form\b[^>]*>(?:(?!<\/form>)[\s\S])*?Install[\s\S]*?<\/form>/)?.[0];
  assert.ok(form, 'the store asks for consent');
  const fields = [...form.matchAll(/<(?:input|button)\b[^>]*\bname="[^>]*>(?:\s*Install)?/g)]
    .map(([tag]) => tag)
    .filter((tag) => tag.startsWith('<input') || tag.endsWith('Install'))
    .map((tag) => [attribute(tag, 'name'), attribute(tag, 'value') ?? '']);
  const action = new URL(attribute(form, 'action') ?? '', consent.url);
  await browser(action.href, { method: 'POST', body: new URLSearchParams(fields) });
}

function createBrowser() {
  const jars = new Map();
  return async function browse(url, init = {}) {
    for (let step = 0; step < 10; step += 1) {
      const { origin } = new URL(url);
      const jar = jars.get(origin) ?? jars.set(origin, new Map()).get(origin);
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
      const headers = {
        accept: 'text/html',
        'user-agent': 'Mozilla/5.0 (X11; Linux x86_64)',
        ...(cookie && { cookie }),
      };
      const response = await fetch(url, { ...init, headers, redirect: 'manual' });
      for (const line of response.headers.getSetCookie())
        jar.set(...line.split(';', 1)[0].split(/=(.*)/s, 2));
      const location = response.headers.get('location');
      if (!location) return response;
      // What is left of the walk is the store's admin, which needs a real browser.
      const next = new URL(location, url);
      if (next.pathname.startsWith('/admin/apps/') || next.hostname === 'admin.shopify.com')
        return response;
      [url, init] = [next.href, {}];
    }
    throw new Error(`Too many redirects: ${url}`);
  };
}

function attribute(tag, name) {
  return tag.match(new RegExp(`\\b${name}="([^"]*)"`))?.[1].replaceAll('&amp;', '&');
}
