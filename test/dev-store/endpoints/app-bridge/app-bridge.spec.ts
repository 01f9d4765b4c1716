import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createContext, runInContext } from 'node:vm';
import { DevStore } from '../../../../lib/dev-store/index.js';

const APP = 'http://localhost:3000';
const STORE = 'http://localhost:4000';

interface Message {
  channel: string;
  id: number;
  action: string;
  detail?: { url?: string; message?: string };
}

/**
 * The script in a window of its own: an app's page inside the admin's frame, whose parent answers
 * with numbered tokens.
 */
function openPage(
  source: string,
  {
    path = '/',
    framed = true,
    replies = [] as Response[],
    parentOrigin = STORE,
    stored = new Map<string, string>(),
    scriptOrigin = STORE,
    ancestorOrigins = undefined as string[] | undefined,
    store = STORE,
  } = {},
) {
  const listeners: Array<(event: object) => void> = [];
  const asked: Message[] = [];
  const sent: Request[] = [];
  const went: string[] = [];
  const parent = {
    postMessage: (message: Message, origin: string) => {
      if (origin !== store) throw new Error(`a message went to ${origin}`);
      asked.push(message);
      const tokens = asked.filter(({ action }) => action === 'idToken').length;
      const data = {
        channel: message.channel,
        id: message.id,
        result: message.action === 'idToken' ? `token-${tokens}` : undefined,
      };
      for (const listener of listeners) listener({ source: parent, origin: parentOrigin, data });
    },
  };
  const location = Object.assign(new URL(path, APP), {
    ancestorOrigins,
    replace: (url: URL) => went.push(String(url)),
  });
  const window: Record<string, unknown> = {
    location,
    document: {
      currentScript: {
        src: `${scriptOrigin}/shopifycloud/app-bridge.js`,
        dataset: { apiKey: 'key' },
      },
      querySelector: () => null,
    },
    sessionStorage: {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => stored.set(key, value),
    },
    addEventListener: (type: string, listener: (event: object) => void) =>
      type === 'message' && listeners.push(listener),
    open: (url: string) => went.push(`opened ${url}`),
    fetch: async (request: Request) => {
      sent.push(request);
      return replies.shift() ?? new Response('ok');
    },
    URL,
    URLSearchParams,
    Request: class extends Request {
      constructor(input: string | Request, init?: RequestInit) {
        super(typeof input === 'string' ? new URL(input, APP) : input, init);
      }
    },
  };
  window['window'] = window;
  window['parent'] = framed ? parent : window;
  runInContext(source, createContext(window));
  const run = (code: string): unknown => runInContext(code, window);
  return {
    run,
    asked,
    sent,
    went,
    authorization: () => sent.map((request) => request.headers.get('authorization')),
  };
}

describe('The stand-in for App Bridge', () => {
  let devStore: DevStore;
  let source: string;

  beforeAll(async () => {
    devStore = await DevStore.open();
    const reply = await fetch(
      `${devStore.shopOrigin('dev-shop.myshopify.com')}/shopifycloud/app-bridge.js`,
    );
    expect(reply.headers.get('content-type')).toContain('text/javascript');
    source = await reply.text();
  });
  afterAll(() => devStore.close());

  it('takes its configuration from the first page, and keeps it for the next', () => {
    const stored = new Map<string, string>();
    const config = { apiKey: 'key', shop: 'dev-shop.myshopify.com', host: 'aG9zdA', locale: 'en' };
    for (const path of ['/?shop=dev-shop.myshopify.com&host=aG9zdA', '/next']) {
      expect({ ...(openPage(source, { path, stored }).run('shopify.config') as object) }).toEqual(
        config,
      );
    }
  });

  it('gets session tokens from the page around it', async () => {
    expect(await openPage(source).run('shopify.idToken()')).toBe('token-1');
  });

  it('listens to no other origin than its store', async () => {
    const page = openPage(source, { parentOrigin: 'http://evil.example' });
    let settled = false;
    void (page.run('shopify.idToken()') as Promise<unknown>).finally(() => (settled = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect(settled).toBe(false);
  });

  it('has no token to give outside of the admin', async () => {
    await expect(openPage(source, { framed: false }).run('shopify.idToken()')).rejects.toThrow(
      'not open inside the admin',
    );
  });

  it("puts a token on the app's own requests alone", async () => {
    const page = openPage(source);
    await page.run("fetch('/api')");
    await page.run("fetch('https://elsewhere.example/api')");
    await page.run("fetch('/api', { headers: { Authorization: 'Basic x' } })");
    expect(page.authorization()).toEqual(['Bearer token-1', null, 'Basic x']);
  });

  it('tries once more with a fresh token when the app asks for it, body included', async () => {
    const retry = (): Response =>
      new Response(null, {
        status: 401,
        headers: { 'X-Shopify-Retry-Invalid-Session-Request': '1' },
      });
    const page = openPage(source, { replies: [retry(), retry()] });
    const reply = (await page.run("fetch('/api', { method: 'POST', body: 'x' })")) as Response;
    expect(reply.status).toBe(401);
    expect(page.authorization()).toEqual(['Bearer token-1', 'Bearer token-2']);
    expect(await page.sent[1]?.text()).toBe('x');
  });

  it('leaves the frame for the address the app wants to be authorized at', async () => {
    const headers = {
      'X-Shopify-API-Request-Failure-Reauthorize-Url': '/auth?shop=dev-shop.myshopify.com',
    };
    const page = openPage(source, { replies: [new Response(null, { status: 403, headers })] });
    await page.run("fetch('/api')");
    expect(page.asked.at(-1)).toMatchObject({
      action: 'navigate',
      detail: { url: `${APP}/auth?shop=dev-shop.myshopify.com` },
    });
  });

  it('opens what is meant for the top window there, and the rest as ever', () => {
    const page = openPage(source);
    page.run(
      "open('/auth', '_top'); open('shopify://admin/products'); open('https://docs.example', '_blank')",
    );
    expect(page.asked.map(({ detail }) => detail?.url)).toEqual([
      `${APP}/auth`,
      'shopify://admin/products',
    ]);
    expect(page.went).toEqual(['opened https://docs.example']);
  });

  it('opens everything as ever outside of the frame', () => {
    const page = openPage(source, { framed: false });
    page.run("open('/auth', '_top')");
    expect(page.went).toEqual(['opened /auth']);
  });

  it('returns from a bounce page with a fresh token', async () => {
    const reload = encodeURIComponent(`${APP}/products?embedded=1`);
    const page = openPage(source, { path: `/session-token?shopify-reload=${reload}` });
    await new Promise((resolve) => setImmediate(resolve));
    expect(page.went).toEqual([`${APP}/products?embedded=1&id_token=token-1`]);
  });

  it('returns to no other site from a bounce page', async () => {
    const page = openPage(source, {
      path: `/session-token?shopify-reload=${encodeURIComponent('https://evil.example/')}`,
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect([page.went, page.asked]).toEqual([[], []]);
  });

  describe('from its fixed address', () => {
    const CDN = 'https://cdn.shopify.com';
    let two: DevStore;
    let fixed: string;
    let second: string;

    beforeAll(async () => {
      two = await DevStore.open({ shops: ['one.myshopify.com', 'two.myshopify.com'] });
      second = two.shopOrigin('two.myshopify.com');
      fixed = two.cdnReply(`${CDN}/shopifycloud/app-bridge.js`)?.body ?? '';
    });
    afterAll(() => two.close());

    const tokenIn = (page: Parameters<typeof openPage>[1]): Promise<unknown> =>
      openPage(fixed, { scriptOrigin: CDN, ...page }).run('shopify.idToken()') as Promise<unknown>;

    it('finds its store by the page around the app', async () => {
      const page = { ancestorOrigins: [second], store: second, parentOrigin: second };
      expect(await tokenIn(page)).toBe('token-1');
    });

    it('finds its store by the shop, also on the pages that follow', async () => {
      const stored = new Map<string, string>();
      for (const path of ['/?shop=two.myshopify.com', '/next'])
        expect(await tokenIn({ path, stored, store: second, parentOrigin: second })).toBe(
          'token-1',
        );
    });

    it.each(['/', '/?shop=constructor'])('takes the first store at %s', async (path) => {
      const store = two.shopOrigin('one.myshopify.com');
      expect(await tokenIn({ path, store, parentOrigin: store })).toBe('token-1');
    });

    it('is one of the files that browsers get, and other addresses are left alone', () => {
      const types = ['/shopifycloud/polaris.js', '/static/fonts/inter.css', '/else'].map((path) => {
        const { status, headers } = two.cdnReply(CDN + path) ?? {};
        return [status, headers?.['Content-Type']];
      });
      expect(types).toEqual([
        [200, 'text/javascript; charset=utf-8'],
        [200, 'text/css; charset=utf-8'],
        [404, 'text/plain; charset=utf-8'],
      ]);
      expect(two.cdnReply('https://shopify.dev/shopifycloud/app-bridge.js')).toBeUndefined();
    });
  });

  it('shows a toast in the admin', () => {
    const page = openPage(source);
    page.run("shopify.toast.show('Saved')");
    expect(page.asked).toMatchObject([{ action: 'showToast', detail: { message: 'Saved' } }]);
  });
});
