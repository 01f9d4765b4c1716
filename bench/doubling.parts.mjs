// The parts of a request that a sender can make longer, each with what it is filled with. What is
// signed is signed again: a request that is refused at once tells nothing.
import { decodedPairs } from '../test/hostile/corpus.mjs';
import { adminMessage, jwt, mac, proxyMessage } from '../test/hostile/platform.mjs';

/**
 * Characters in the head: doubled, and with the rest of a request, they still fit into what Node
 * takes, which is 16 kB.
 */
const HEAD = 5_000;
/** A session token of more than 8 kB is refused unread. */
const TOKEN = 2_000;

/**
 * By name: the size that is doubled, and what makes a request that long. `undefined` where a
 * request has no such part.
 */
export const PARTS = {
  'path, slashes': [
    HEAD,
    (request, size) => ({ ...request, path: `${request.path}${'/'.repeat(size)}a` }),
  ],
  'path, slashes at the end': [
    HEAD,
    (request, size) => ({ ...request, path: request.path + '/'.repeat(size) }),
  ],
  'path, encoded': [
    HEAD,
    (request, size) => ({ ...request, path: `${request.path}${'%2f'.repeat(size / 3)}` }),
  ],
  'a query value': [
    HEAD,
    (request, size) => signed({ ...request, query: [...request.query, ['q', 'a'.repeat(size)]] }),
  ],
  'a query value, encoded': [
    HEAD,
    (request, size) =>
      signed({ ...request, query: [...request.query, ['q', '%2F%3D'.repeat(size / 6)]] }),
  ],
  'query parameters': [
    HEAD,
    (request, size) =>
      signed({
        ...request,
        query: [...request.query, ...many(size / 4, (at) => [`${at % 10}a`, '1'])],
      }),
  ],
  'one parameter, repeated': [
    HEAD,
    (request, size) =>
      signed({ ...request, query: [...request.query, ...many(size / 7, () => ['locale', ''])] }),
  ],
  'a header value': [
    HEAD,
    (request, size) => ({
      ...request,
      headers: [...request.headers, ['X-Filler', 'a,= '.repeat(size / 4)]],
    }),
  ],
  'the Accept header': [
    HEAD,
    (request, size) => ({
      ...request,
      headers: [...request.headers, ['Accept', 'text/htm, '.repeat(size / 10)]],
    }),
  ],
  headers: [
    HEAD,
    (request, size) => ({
      ...request,
      headers: [...request.headers, ...many(size / 12, (at) => [`X-${at}`, 'aaa'])],
    }),
  ],
  cookies: [
    HEAD,
    (request, size) => withCookies(request, many(size / 6, (at) => `a${at % 100}=b`).join('; ')),
  ],
  'a cookie value': [HEAD, (request, size) => withCookies(request, `a=${'%3D'.repeat(size / 3)}`)],
  'the session token': [TOKEN, withToken],
  body: [undefined, withBody],
};

/** What is doubled, in characters, of a part on a host: Express' own parser takes 100 kB. */
export const sizeOf = (part, host) => PARTS[part][0] ?? (host === 'wired' ? 40_000 : 1_000_000);

const many = (count, item) => Array.from({ length: Math.floor(count) }, (_, at) => item(at));

function signed(request) {
  const [name] = request.query.find(([other]) => other === 'hmac' || other === 'signature') ?? [];
  if (!name) return request;
  const query = request.query.filter(([other]) => other !== name);
  const message = (name === 'hmac' ? adminMessage : proxyMessage)(decodedPairs(query));
  return { ...request, query: [...query, [name, mac(message, 'hex')]] };
}

function withCookies(request, cookies) {
  const [, own] = request.headers.find(([name]) => name === 'Cookie') ?? [];
  const others = request.headers.filter(([name]) => name !== 'Cookie');
  return { ...request, headers: [...others, ['Cookie', own ? `${cookies}; ${own}` : cookies]] };
}

function withToken(request, size) {
  const header = request.headers.find(([name]) => name === 'Authorization');
  const text =
    header?.[1].slice('Bearer '.length) ?? request.query.find(([name]) => name === 'id_token')?.[1];
  if (text === undefined) return undefined;
  const token = jwt({ ...claims(text), jti: 'a'.repeat(size) });
  if (header)
    return {
      ...request,
      headers: [
        ...request.headers.filter((other) => other !== header),
        ['Authorization', `Bearer ${token}`],
      ],
    };
  return signed({
    ...request,
    query: request.query.map(([name, value]) => [name, name === 'id_token' ? token : value]),
  });
}

const claims = (token) => JSON.parse(Buffer.from(token.split('.')[1], 'base64url').toString());

function withBody(request, size) {
  if (!request.body) return undefined;
  const isJson = request.body[0] === 0x7b;
  const body = isJson
    ? Buffer.from(
        JSON.stringify({
          ...JSON.parse(request.body.toString()),
          filler: 'a/= "'.repeat(size / 6),
        }),
      )
    : Buffer.from(`${request.body}&a=${'a'.repeat(size)}`);
  const headers = request.headers.map(([name, value]) => [
    name,
    /hmac-sha256$/i.test(name) ? mac(body, 'base64') : value,
  ]);
  return { ...request, body, headers };
}
