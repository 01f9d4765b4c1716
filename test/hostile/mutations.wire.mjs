import { Buffer } from 'node:buffer';

import { forge } from './mutations.signatures.mjs';
import { SHAPES } from './nasty.mjs';

/** What is done to the method and the target. */
export const PATHS = {
  'another path': (request, random) =>
    (request.path = random.pick([
      '/',
      '/auth',
      '/auth/callback',
      '/page',
      '/pro',
      '/webhooks',
      '/exitiframe',
      '/auth/exit-iframe',
      '/auth/session-token',
      '/auth/login',
      '/hooks/paid',
      '/hooks/flow',
      '/hooks/service/fulfillment_order_notification',
      '/json',
      '/nowhere',
      '/leave',
      '/home',
    ])),
  'slashes behind the path': (request, random) =>
    (request.path += '/'.repeat(random.below(3000)) + random.pick(['', 'a'])),
  'slashes before the path': (request, random) =>
    (request.path = '/'.repeat(1 + random.below(3)) + request.path),
  'dots in the path': (request, random) =>
    (request.path = random.pick([
      `/a/..${request.path}`,
      `/.${request.path}`,
      `/%2e%2e${request.path}`,
      `${request.path}/..`,
      `${request.path}/.`,
      `\\..${request.path}`,
    ])),
  'an encoded path': (request, random) =>
    (request.path = random.pick([
      request.path.replace(/(?<=.)\//, '%2f'),
      request.path.replace(/[a-z]/, (letter) => `%${letter.codePointAt(0).toString(16)}`),
      `${request.path}%`,
      `${request.path}%00`,
      `${request.path}%0d%0aX:%201`,
    ])),
  'capitals in the path': (request) => (request.path = request.path.toUpperCase()),
  'parameters in the path': (request, random) =>
    (request.path += random.pick([';a=b', ';jsessionid=1', '#a', '?shop=a', '.json'])),
  'an absolute target': (request, random) =>
    (request.path =
      random.pick([
        'http://evil.example',
        'https://app.example.com',
        'http://a:b@evil.example',
        '//evil.example',
      ]) + request.path),
  'an odd target': (request, random) =>
    (request.path = random.pick([
      '*',
      'evil.example:443',
      '',
      '?',
      '/\u00e9',
      '/[',
      '/\\evil.example',
      '/"><script>',
    ])),
  'another method': (request, random) =>
    (request.method = random.pick([
      'GET',
      'HEAD',
      'POST',
      'PUT',
      'DELETE',
      'OPTIONS',
      'PATCH',
      'TRACE',
      'PROPFIND',
      'get',
      'QUERY',
      'A',
    ])),
};

/** What is done to the body. */
export const BODIES = {
  'no body': (request) => (request.body = undefined),
  'an empty body': (request) => (request.body = Buffer.alloc(0)),
  'flip a byte of the body': (request, random) => {
    if (request.body?.length)
      request.body = Buffer.from(request.body).fill(
        random.below(256),
        random.below(request.body.length),
        undefined,
      );
  },
  'a space more': (request) =>
    request.body && (request.body = Buffer.concat([request.body, Buffer.from(' ')])),
  'a byte-order mark': (request) =>
    request.body && (request.body = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), request.body])),
  'another body': (request, random) => (request.body = Buffer.from(random.pick(SHAPES))),
  'another delivery': (request, random) => {
    forge(request, random.pick(SHAPES));
    request.issued(request.body, {});
  },
  'a large body': (request, random) => (request.body = Buffer.alloc(random.below(300_000), 'a')),
  'an upload of a form': (request, random) => {
    request.body = Buffer.from(
      random.pick([
        'shop=a&shop=b',
        'shop[]=a',
        '__proto__[a]=1&shop=installed-0.myshopify.com',
        `shop=${'a'.repeat(5000)}`,
        'shop=%',
        '--a\r\nContent-Disposition: form-data; name="shop"\r\n\r\nevil.example\r\n--a--',
      ]),
    );
    request.method = 'POST';
  },
};

/** What is done on the wire. */
export const WIRE = {
  chunked: (request) => (request.framing = 'chunked'),
  'chunked, badly': (request, random) =>
    (request.framing = random.pick([
      'chunked without an end',
      'chunked with a wrong size',
      'chunked twice',
    ])),
  'two lengths': (request) => (request.framing = 'two lengths'),
  'a length and chunks': (request) => (request.framing = 'length and chunks'),
  'a length that is too short': (request) => (request.framing = 'short'),
  'a length that is too long': (request, random) =>
    (request.framing = random.pick(['cut', 'stalled'])),
  'no length': (request) => (request.framing = 'none'),
  'an odd length': (request, random) => {
    request.framing = 'none';
    request.headers.push([
      'Content-Length',
      random.pick(['-1', '1e3', '0x10', '99999999999999999999', 'a', '', '10, 10']),
    ]);
  },
  'one byte at a time': (request) => (request.pace = 'bytes'),
  'in two pieces': (request) => (request.pace = 'halves'),
  'an old version': (request, random) =>
    (request.version = random.pick([
      'HTTP/1.0',
      'HTTP/1.1',
      'HTTP/0.9',
      'HTTP/2.0',
      'HTTP/9',
      'XTTP/1.1',
    ])),
  'another host': (request, random) =>
    (request.host = random.pick([
      'evil.example',
      '',
      'a, b',
      undefined,
      '[::1]:1',
      'app.example.com\\@evil.example',
    ])),
  'line breaks of another kind': (request) => (request.lineBreak = '\n'),
  'a folded header': (request) => request.headers.push(['X-Folded', 'a\r\n b']),
  'hang up at once': (request) => (request.pace = 'hang up'),
};
