import { HEADERS, WIRE } from '../../base/vendor.js';
import { scriptValue } from '../../http/page-html.js';

/**
 * The store's replacement for App Bridge, a classic script that an embedded app loads first. It
 * gets session tokens from the admin page around the app, adds them to the app's own requests, and
 * forwards navigation out of the frame.
 * @param stores the origins of the shops by domain, when the script is not loaded from one of them
 */
export function appBridgeSource(stores: Readonly<Record<string, string>> = {}): string {
  return `(${SOURCE})(${scriptValue(stores).text});\n`;
}

const SOURCE = `(stores) => {
  const script = document.currentScript;
  const framed = window.parent !== window;
  const query = new URLSearchParams(location.search);

  // Links inside an app lose the admin's parameters, so the first page's are kept for the tab.
  const recall = (name) => {
    const key = 'app-bridge:' + name;
    try {
      if (query.has(name)) sessionStorage.setItem(key, query.get(name));
      return sessionStorage.getItem(key) ?? undefined;
    } catch {
      return query.get(name) ?? undefined;
    }
  };
  const config = {
    apiKey: script.dataset.apiKey ?? document.querySelector('meta[name="shopify-api-key"]')?.content,
    shop: recall('shop'),
    host: recall('host'),
    locale: recall('locale') ?? 'en',
  };

  // From its fixed address the script knows the shop by the page around the app, or by its name.
  const shopOrigin = () => {
    const origins = Object.values(stores);
    const around = [location.ancestorOrigins?.[0], document.referrer && new URL(document.referrer).origin];
    const named = Object.hasOwn(stores, config.shop ?? '') ? stores[config.shop] : undefined;
    return around.find((origin) => origins.includes(origin)) ?? named ?? origins[0];
  };
  const store = shopOrigin() ?? new URL(script.src).origin;

  const waiting = new Map();
  let lastId = 0;
  addEventListener('message', (event) => {
    if (event.source !== window.parent || event.origin !== store) return;
    const { channel, id, result, error } = event.data ?? {};
    if (channel !== 'app-bridge' || !waiting.has(id)) return;
    const { resolve, reject } = waiting.get(id);
    waiting.delete(id);
    if (error) reject(new Error(error));
    else resolve(result);
  });
  const ask = (action, detail) => new Promise((resolve, reject) => {
    if (!framed) return reject(new Error('The app is not open inside the admin.'));
    const id = ++lastId;
    waiting.set(id, { resolve, reject });
    window.parent.postMessage({ channel: 'app-bridge', id, action, detail }, store);
  });

  const idToken = () => ask('idToken');
  const leave = (url) => {
    const target = String(url);
    ask('navigate', { url: target.startsWith('shopify:') ? target : new URL(target, location.href).href });
  };

  const nativeOpen = window.open.bind(window);
  window.open = (url, target, features) => {
    const outward = target === '_top' || target === '_parent' || String(url).startsWith('shopify:');
    if (!framed || !outward) return nativeOpen(url, target, features);
    leave(url);
    return null;
  };
  addEventListener('click', (event) => {
    const link = event.target.closest?.('a[href]');
    if (!framed || !link || event.defaultPrevented) return;
    const href = link.getAttribute('href');
    if (link.target !== '_top' && link.target !== '_parent' && !href.startsWith('shopify:')) return;
    event.preventDefault();
    leave(href);
  });

  const nativeFetch = window.fetch.bind(window);
  window.fetch = async (input, init) => {
    const request = new Request(input, init);
    const ours = framed && new URL(request.url).origin === location.origin;
    if (!ours || request.headers.has('Authorization')) return nativeFetch(request);
    const send = async () => {
      const attempt = request.clone();
      attempt.headers.set('Authorization', 'Bearer ' + (await idToken()));
      return nativeFetch(attempt);
    };
    let response = await send();
    if (response.headers.get('${HEADERS.retryWithNewToken}') === '1') response = await send();
    const reauthorize = response.headers.get('${HEADERS.reauthorizeUrl}');
    if (reauthorize) leave(reauthorize);
    return response;
  };

  window.shopify = {
    config,
    environment: { embedded: framed, mobile: false, pos: false },
    ready: Promise.resolve(),
    idToken,
    toast: { show: (message) => { ask('showToast', { message: String(message) }); } },
    loading: () => {},
  };

  // A bounce page carries the address to come back to with a fresh token; only one of the app itself is followed.
  const reload = query.get('${WIRE.reloadParam}');
  if (framed && reload) {
    const target = new URL(reload, location.href);
    if (target.origin === location.origin) {
      idToken().then((token) => {
        target.searchParams.set('id_token', token);
        location.replace(target);
      });
    }
  }
}`;
