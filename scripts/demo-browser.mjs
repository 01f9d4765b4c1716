import assert from 'node:assert/strict';

/** Waits for what holds after a few seconds at most. */
export async function until(holds, seconds = 5) {
  for (let attempt = 0; attempt < seconds * 10; attempt++) {
    if (await holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  assert.fail(`it did not happen within ${seconds} seconds`);
}

/**
 * Takes the steps of a walk, `[title, function]`, up to the first that fails, and prints each.
 * Resolves to whether all of them passed.
 */
export async function take(steps) {
  let passed = 0;
  for (const [title, step] of steps) {
    try {
      await step();
      passed++;
      console.log(`  ✓ ${title}`);
    } catch (error) {
      console.error(`  ✗ ${title}\n    ${error.message}`);
      break;
    }
  }
  console.log(`\n${passed} passed, ${steps.length - passed} failed`);
  return passed === steps.length;
}

/** What a page of the admin has in its frame. */
export function frameOf(adminPage) {
  const frame = adminPage.text.match(/<iframe[^>]*\ssrc="([^"]+)"/)?.[1]?.replaceAll('&amp;', '&');
  assert.ok(frame, 'the admin frames the app');
  return frame;
}

/** As much of a browser as the walk needs: cookies per host, redirects, forms. */
export class Browser {
  visited = [];
  #cookies = new Map();

  async open(url, init = {}) {
    for (let hop = 0; hop < 10; hop++) {
      this.visited.push(url);
      const headers = {
        accept: 'text/html',
        // Apps turn away what does not look like a browser.
        'user-agent':
          'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36',
        'sec-fetch-dest': 'document',
        cookie: this.#cookieHeader(url),
        ...init.headers,
      };
      const response = await fetch(url, { ...init, headers, redirect: 'manual' });
      this.#keepCookies(url, response.headers.getSetCookie());
      const location = response.headers.get('location');
      if (response.status < 300 || response.status > 399 || !location)
        return {
          url,
          status: response.status,
          headers: response.headers,
          text: await response.text(),
        };
      await response.body?.cancel();
      url = new URL(location, url).href;
      init = {};
    }
    throw new Error(`more than 10 redirects, the last to ${url}`);
  }

  /** Presses the button of a form whose label matches, with `values` put into its fields. */
  async submit(page, label, values = {}) {
    const form = [...page.text.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/g)].find(([, , inner]) =>
      [...inner.matchAll(/<button\b[^>]*>([\s\S]*?)<\/button\s*>/g)].some(([, text]) =>
        label.test(text),
      ),
    );
    assert.ok(form, `the page has a form with a button ${label}`);
    const [, opening, inner] = form;
    const button = [...inner.matchAll(/<button\b([^>]*)>([\s\S]*?)<\/button\s*>/g)].find(
      ([, , text]) => label.test(text),
    )[1];
    const fields = [...inner.matchAll(/<input\b([^>]*)>/g)].map(([, attributes]) => attributes);
    const body = new URLSearchParams(
      [...fields, button]
        .map((attributes) => [attribute(attributes, 'name'), attribute(attributes, 'value') ?? ''])
        .filter(([name]) => name)
        .map(([name, value]) => [name, values[name] ?? value]),
    );
    const action = new URL(attribute(opening, 'action') ?? page.url, page.url);
    if (!/^post$/i.test(attribute(opening, 'method') ?? '')) {
      action.search = String(body);
      return this.open(action.href);
    }
    return this.open(action.href, {
      method: 'POST',
      body,
      headers: { origin: new URL(page.url).origin },
    });
  }

  #cookieHeader(url) {
    return [...(this.#cookies.get(new URL(url).origin) ?? new Map())]
      .map(([name, value]) => `${name}=${value}`)
      .join('; ');
  }

  #keepCookies(url, cookies) {
    const { origin } = new URL(url);
    const jar = this.#cookies.get(origin) ?? new Map();
    this.#cookies.set(origin, jar);
    for (const cookie of cookies) {
      const [pair] = cookie.split(';', 1);
      const name = pair.slice(0, pair.indexOf('='));
      if (/max-age=0|expires=Thu, 01 Jan 1970/i.test(cookie)) jar.delete(name);
      else jar.set(name, pair.slice(name.length + 1));
    }
  }
}

function attribute(attributes, name) {
  return attributes
    .match(new RegExp(`\\b${name}="([^"]*)"`))?.[1]
    ?.replaceAll('&amp;', '&')
    .replaceAll('&quot;', '"');
}
