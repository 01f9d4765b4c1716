// Says whether a request had the right to what it brought about, from what was really sent and with
// signatures of our own making.
import {
  APP,
  APP_URL,
  SHOPS,
  adminMessage,
  appSignature,
  mac,
  proxyMessage,
  seconds,
  sessionCookie,
  stateCookie,
} from './platform.mjs';

/** What is counted. */
export const KINDS = ['hang', 'crash', '5xx', 'false accept', 'open redirect', 'leak', 'injection'];

const SECRETS = [APP.secret, APP.previous];
/** Time passes between sending and judging, in seconds. */
const SLACK = 30;
const SHOP = /^[a-z0-9][a-z0-9_-]*\.(?:myshopify\.com|shop\.dev|myshopify\.io)$/;
const ADMIN = /^https:\/\/admin\.(?:shopify\.com|myshopify\.com|myshopify\.io|shop\.dev)$/;
const ISSUED_TOKEN = /shp(?:at|rt)_[0-9a-f]{32}/;
const near = (time, tolerance) => Math.abs(seconds() - Number(time)) <= tolerance + SLACK;

/** One request, as its rights can be read from it. */
export class Sent {
  constructor({ target, headers, body, method }, issued) {
    Object.assign(this, { target, headers, body, method, issued });
    const query = target.includes('?')
      ? target.slice(target.indexOf('?') + 1).split('#', 1)[0]
      : '';
    this.pairs = [...new URLSearchParams(query)];
  }

  values(name) {
    return this.pairs.filter(([other]) => other === name).map(([, value]) => value);
  }

  all(name) {
    return this.headers
      .filter(([other]) => other.toLowerCase() === name)
      .map(([, value]) => value.trim());
  }

  /** Every session token the request may be said to bring. */
  get tokens() {
    return [
      ...this.values('id_token'),
      ...this.all('authorization').map((text) => text.replace(/^bearer +/i, '')),
    ].filter((token) => token.startsWith('eyJ'));
  }

  /** Cookies as the first reader finds them. */
  get cookies() {
    const pairs = this.all('cookie')
      .flatMap((header) => header.split(/;\s*/))
      .map((pair) => [
        pair.slice(0, pair.indexOf('=')).trim(),
        pair.slice(pair.indexOf('=') + 1).trim(),
      ]);
    return new Map(pairs.toReversed());
  }

  /** The delivery that this is, as the platform has made it. */
  get delivery() {
    const made = this.method === 'POST' ? this.issued.get(this.body.toString('base64')) : undefined;
    const claimed = [...this.all('x-shopify-hmac-sha256'), ...this.all('shopify-hmac-sha256')];
    return made && SECRETS.some((secret) => claimed.includes(mac(this.body, 'base64', secret)))
      ? made
      : undefined;
  }

  hasTokenOf(shop) {
    return this.tokens.some((token) => shopOfToken(token) === shop);
  }

  hasCookieOf(shop) {
    const cookies = this.cookies;
    const value = cookies.get(sessionCookie()) ?? '';
    const [issued, id] = [value.slice(0, value.indexOf('.')), value.slice(value.indexOf('.') + 1)];
    const isSigned = SECRETS.some(
      (secret) => cookies.get(`${sessionCookie()}.sig`) === appSignature(value, 'base64', secret),
    );
    return isSigned && id === `offline_${shop}` && seconds() - Number(issued) < 86_400 + SLACK;
  }

  isCallbackOf(shop) {
    const value = this.cookies.get(stateCookie(shop));
    const isBegun = SECRETS.some(
      (secret) =>
        this.cookies.get(`${stateCookie(shop)}.sig`) ===
        appSignature(value ?? '', 'base64', secret),
    );
    const isSigned = SECRETS.some(
      (secret) => mac(adminMessage(this.pairs), 'hex', secret) === this.values('hmac').join(),
    );
    return (
      isBegun &&
      isSigned &&
      this.method === 'GET' &&
      this.values('state')[0] === value &&
      this.values('shop').join() === shop &&
      near(this.values('timestamp'), 90)
    );
  }

  get isProxied() {
    const isSigned = SECRETS.some(
      (secret) => mac(proxyMessage(this.pairs), 'hex', secret) === this.values('signature').join(),
    );
    return isSigned && near(this.values('timestamp'), 90);
  }

  /** Shops that the request speaks of. */
  get shops() {
    const form =
      this.body.length < 10_000
        ? new URLSearchParams(this.body.toString('latin1')).getAll('shop')
        : [];
    const named = [...this.values('shop'), ...form].map(
      (text) =>
        text
          .trim()
          .toLowerCase()
          .replace(/^https?:\/\//, '')
          .split('/')[0],
    );
    const typed = form.map(
      (text) =>
        `${
          text
            .trim()
            .toLowerCase()
            .replace(/^https?:\/\//, '')
            .split('/')[0]
        }.myshopify.com`,
    );
    const stores = [...this.values('shop'), ...form]
      .map((text) =>
        /^(?:https?:\/\/)?admin\.[a-z.]+\/store\/([\w-]+)\/*$/i
          .exec(text.trim())?.[1]
          ?.toLowerCase(),
      )
      .filter(Boolean);
    const cookie = (this.cookies.get(sessionCookie()) ?? '').split('offline_')[1];
    return [
      ...named,
      ...typed,
      ...stores.map((name) => `${name}.myshopify.com`),
      ...this.tokens.map(shopOfToken),
      cookie,
    ].filter((shop) => SHOP.test(shop ?? ''));
  }
}

/** The shop of a session token that is in order; nothing for any other. */
export function shopOfToken(token) {
  const { iss, dest, sub, aud } = claimsIn(token) ?? {};
  if (typeof sub !== 'string' || sub === '' || aud !== APP.key) return undefined;
  const [shop, other] = [hostOf(dest), hostOf(iss)];
  return shop === other && SHOP.test(shop) ? shop : undefined;
}

/** The same for a token of an extension, which need not name a user, the admin or the app. */
function shopOfExtension(token) {
  const { dest } = claimsIn(token) ?? {};
  const shop = SHOP.test(dest) ? dest : hostOf(dest);
  return SHOP.test(shop) ? shop : undefined;
}

/** The claims of a token that is signed with a secret of the app and valid now. */
function claimsIn(token) {
  const [header, payload, signature, ...more] = token.split('.');
  if (
    more.length > 0 ||
    !signature ||
    !SECRETS.some((secret) => mac(`${header}.${payload}`, 'base64url', secret) === signature)
  )
    return undefined;
  const { alg, crit } = json(header);
  const claims = json(payload);
  const { exp, nbf } = claims;
  const isTimely =
    typeof exp === 'number' &&
    typeof nbf === 'number' &&
    exp > seconds() - 10 - SLACK &&
    nbf <= seconds() + 10;
  return alg === 'HS256' && crit === undefined && isTimely ? claims : undefined;
}

const hostOf = (address) => (URL.canParse(address) ? new URL(address).hostname : '');
function json(part) {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString()) ?? {};
  } catch {
    return {};
  }
}

/** Everything that is wrong with what a request has brought about. */
export function judge({ request, sent, outcome, notes, granted }) {
  const found = [];
  const add = (kind, what) => found.push({ kind, what });
  if (outcome === 'hang') add('hang', 'no answer to a complete request');
  for (const entry of notes) {
    if (entry.kind === 'crash') add('crash', entry.message);
    else if (wrongIn(entry, sent, granted))
      add(
        'false accept',
        `${entry.kind} ${entry.hook ?? ''} ${entry.shop ?? entry.sessions ?? ''}`,
      );
    if (entry.kind === 'log')
      for (const what of leaksIn(entry.line, sent))
        add('leak', `${what} in the log: ${entry.line.slice(0, 300)}`);
  }
  const answer = outcome === 'hang' ? undefined : outcome;
  if (!answer) {
    const isOwed =
      outcome === undefined && request.isComplete && !request.pace && sent.body.length < 50_000;
    if (isOwed) add('hang', 'the connection was closed without an answer');
    return found;
  }
  if (answer.status >= 500 && !isBusy(answer))
    add('5xx', `${answer.status} ${answer.body.slice(0, 300)}`);
  for (const target of targetsOf(answer))
    if (!mayLeadTo(target, sent)) add('open redirect', target);
  // What an engine says of an address it has no route for, to whoever has sent it.
  const isEcho = /Cannot [A-Z]+ |is not a valid url component|Route [A-Z]+:/.test(answer.body);
  const text = `${answer.headers.flat().join('\n')}\n${isEcho ? '' : answer.body}`;
  for (const what of leaksIn(text, sent)) add('leak', `${what} in the answer`);
  if (
    answer.headers.some(
      ([name, value]) =>
        name === 'x-injected' || (name === 'set-cookie' && value.startsWith('a=b')),
    )
  )
    add('injection', 'a header of the sender’s');
  if (
    /html/.test(answer.header('content-type') ?? '') &&
    /<script>alert|"><script|onerror=/.test(answer.body)
  )
    add('injection', 'a script of the sender’s');
  return found;
}

/** The delivery is being handled at this moment. */
const isBusy = ({ status, body }) => status === 503 && body.includes('delivery_in_progress');

function wrongIn({ kind, shop, sessions, hook }, sent, granted) {
  const uninstalls = (gone) =>
    sent.delivery?.topic === 'app/uninstalled' &&
    sent.delivery.shop === gone &&
    SHOPS.gone.includes(gone);
  switch (kind) {
    case 'handled':
      return sent.delivery === undefined;
    case 'granted':
      return !sent.hasTokenOf(shop) && !sent.hasCookieOf(shop);
    case 'stored':
      return !sent.hasTokenOf(shop) && !sent.isCallbackOf(shop);
    case 'ended':
      return !SHOPS.gone.includes(shop);
    case 'deleted':
      return !sessions.every((id) => uninstalls(id.replace('offline_', '')));
    case 'told':
      return hook === 'onUninstall' ? !uninstalls(shop) : !granted.has(shop);
    case 'proxied':
      return !sent.isProxied;
    case 'extended':
      return !sent.tokens.some((token) => shopOfExtension(token) === shop);
    case 'flowed':
      return sent.delivery?.topic !== 'flow' || sent.delivery.shop !== shop;
    // Which shop it is for stands in a header, which is not signed.
    case 'notified':
      return sent.delivery === undefined;
    case 'paid':
      return true;
    default:
      return false;
  }
}

/** Where an answer sends a browser. */
function targetsOf(answer) {
  const opened = [...answer.body.matchAll(/window\.open\(("(?:[^"\\]|\\.)*")/g)].map(([, text]) =>
    JSON.parse(text),
  );
  const links = [...answer.body.matchAll(/(?:href|url)="?([^"]+)"/g)].map(([, text]) =>
    text.replaceAll('&amp;', '&').replaceAll('&#x2F;', '/'),
  );
  const headers = ['location', 'x-shopify-api-request-failure-reauthorize-url'].map((name) =>
    answer.header(name),
  );
  return [
    ...headers,
    ...opened,
    ...(answer.header('content-type')?.includes('html') ? links : []),
  ].filter((target) => target !== undefined);
}

function mayLeadTo(target, sent) {
  // As a browser reads it: with the app's own address before it, backslashes as slashes.
  if (!URL.canParse(target, APP_URL)) return false;
  const { origin, protocol, username } = new URL(target, APP_URL);
  if (!/^https?:$/.test(protocol) || username) return false;
  if (
    origin === APP_URL ||
    ADMIN.test(origin) ||
    sent.shops.some((shop) => origin === `https://${shop}`)
  )
    return true;
  const given = [...sent.values('redirectUri'), ...sent.values('exitIframe')];
  return given.some((text) =>
    SECRETS.some(
      (secret) =>
        sent.values('sig')[0] === appSignature(`exit-iframe ${text}`, 'base64url', secret),
    ),
  );
}

function leaksIn(text, sent) {
  const found = [];
  for (const [what, secret] of [
    ['the secret', APP.secret],
    ['the previous secret', APP.previous],
  ])
    if (text.includes(secret)) found.push(what);
  if (ISSUED_TOKEN.test(text)) found.push('an access or refresh token');
  // Under any other name than its own it is what the sender has made of it.
  const isOnce = (value) =>
    sent.target.split(value).length + sent.headers.flat().join('\n').split(value).length === 3;
  for (const token of sent.tokens)
    if (token.length > 100 && text.includes(token) && isOnce(token))
      found.push('the session token');
  // On any other path it is a parameter of the app's own.
  const codes = /^\/auth\/callback\/?\?/.test(sent.target) ? sent.values('code') : [];
  for (const code of codes)
    if (text.includes(code) && code.startsWith('genuine-code-') && isOnce(code))
      found.push('the authorization code');
  return found;
}
