import { UNPRINTABLE, flip, oneHeader, setHeader, value } from './mutations.support.mjs';
import { APP_URL } from './platform.mjs';

/** What is done to the headers. */
export const HEADERS = {
  'drop a header': (request, random) =>
    request.headers.splice(random.below(request.headers.length), 1),
  'repeat a header': (request, random) =>
    request.headers.length && request.headers.push([...oneHeader(request, random)]),
  'repeat a header otherwise': (request, random) =>
    request.headers.length &&
    request.headers.splice(random.below(2) * request.headers.length, 0, [
      oneHeader(request, random)[0],
      value(random).replaceAll(UNPRINTABLE, ''),
    ]),
  'change a header': (request, random) => {
    const header = oneHeader(request, random);
    if (header) header[1] = value(random).replaceAll(UNPRINTABLE, '');
  },
  'flip a character of a header': (request, random) => {
    const header = oneHeader(request, random);
    if (header?.[1]) header[1] = flip(header[1], random);
  },
  'write a header otherwise': (request, random) => {
    const header = oneHeader(request, random);
    if (header)
      header[0] = random.pick([
        header[0].toUpperCase(),
        header[0].toLowerCase(),
        header[0].replaceAll('-', '_'),
      ]);
  },
  'surround a header with spaces': (request, random) => {
    const header = oneHeader(request, random);
    if (header)
      header[1] = random.pick([
        `  ${header[1]}`,
        `${header[1]}\t`,
        `"${header[1]}"`,
        `${header[1]},${header[1]}`,
      ]);
  },
  'an odd byte in a header': (request, random) => {
    const header = oneHeader(request, random);
    if (header) header[1] += random.pick(['\u0000', '\n', '\r\nX-Injected: 1', '\u00ff', '\u007f']);
  },
  'a long header': (request, random) =>
    request.headers.push([
      random.pick(['Cookie', 'Accept', 'Authorization', 'X-A']),
      random.pick(['a=b; ', 'a', ', ', 'Bearer ']).repeat(random.below(1500)),
    ]),
  'many headers': (request, random) => {
    for (let added = random.below(300); added > 0; added--)
      request.headers.push([`X-${added}`, 'a']);
  },
  'forwarding headers': (request, random) =>
    request.headers.push(
      ...[
        ['X-Forwarded-Host', 'evil.example'],
        ['X-Forwarded-Proto', 'http'],
        ['X-Original-URL', '/page'],
        ['X-HTTP-Method-Override', 'DELETE'],
      ].slice(random.below(4)),
    ),
  'another content type': (request, random) =>
    setHeader(
      request,
      'Content-Type',
      random.pick([
        'text/plain',
        'application/xml',
        'application/x-www-form-urlencoded',
        'multipart/form-data; boundary=a',
        'application/json; charset=utf-16',
        'application/json; charset=__proto__',
        ';',
        'application/json;'.repeat(50),
      ]),
    ),
  'a content encoding': (request, random) =>
    setHeader(
      request,
      'Content-Encoding',
      random.pick(['gzip', 'br', 'deflate', 'identity', 'gzip, gzip', 'a']),
    ),
  expect: (request, random) =>
    request.headers.push([
      'Expect',
      random.pick(['100-continue', '100-Continue', 'a', '100-continue, a']),
    ]),
  upgrade: (request, random) =>
    request.headers.push(['Upgrade', random.pick(['websocket', 'h2c'])], ['Connection', 'Upgrade']),
  'an origin': (request, random) =>
    request.headers.push(['Origin', random.pick(['https://evil.example', 'null', APP_URL])]),
  'a fetch': (request) => request.headers.push(['X-Requested-With', 'XMLHttpRequest']),
  'another accept': (request, random) =>
    setHeader(
      request,
      'Accept',
      random.pick([
        '*/*',
        'text/html',
        'application/json',
        '',
        'text/html;q=0',
        value(random).replaceAll(UNPRINTABLE, ''),
      ]),
    ),
  'another destination': (request, random) =>
    setHeader(
      request,
      'Sec-Fetch-Dest',
      random.pick(['document', 'iframe', 'empty', 'script', '']),
    ),
  'another cookie': (request, random) =>
    setHeader(
      request,
      'Cookie',
      random.pick([
        'a',
        ';;;',
        '__proto__=1; a=b',
        `${value(random)}=1`.replaceAll(UNPRINTABLE, ''),
        'a="b"; a=c',
      ]),
    ),
  'no cookie': (request) =>
    (request.headers = request.headers.filter(([name]) => name.toLowerCase() !== 'cookie')),
};
