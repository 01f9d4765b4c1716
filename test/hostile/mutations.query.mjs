import { flip, onePair, otherShop, setParam, value } from './mutations.support.mjs';
import { APP_URL, SHOPS, base64Host, seconds } from './platform.mjs';

/** What is done to the query. */
export const QUERY = {
  'drop a parameter': (request, random) =>
    request.query.splice(random.below(request.query.length), 1),
  'repeat a parameter': (request, random) =>
    request.query.push([...(onePair(request, random) ?? ['shop', 'a'])]),
  'repeat a parameter otherwise': (request, random) =>
    request.query.unshift([
      onePair(request, random)?.[0] ?? 'shop',
      encodeURIComponent(otherShop(random)),
    ]),
  'repeat a parameter as a list': (request, random) => {
    const [name, text] = onePair(request, random) ?? ['shop', 'a'];
    request.query.push([`${name}[]`, text], [`${name}[0]`, text], [`${name}[__proto__][a]`, '1']);
  },
  'change a parameter': (request, random) => {
    const pair = onePair(request, random);
    if (pair) pair[1] = encodeURIComponent(value(random));
  },
  'change a parameter, not encoded': (request, random) => {
    const pair = onePair(request, random);
    if (pair) pair[1] = value(random).replaceAll(/[\0-\x20#]/g, '');
  },
  'flip a character of a parameter': (request, random) => {
    const pair = onePair(request, random);
    if (pair?.[1]) pair[1] = encodeURIComponent(flip(pair[1], random));
  },
  'encode a parameter twice': (request, random) => {
    const pair = onePair(request, random);
    if (pair) pair[1] = encodeURIComponent(pair[1]);
  },
  'encode every letter': (request, random) => {
    const pair = onePair(request, random);
    if (pair)
      pair[1] = [...Buffer.from(decodeURIComponent(safe(pair[1])))]
        .map((byte) => `%${byte.toString(16).padStart(2, '0')}`)
        .join('');
  },
  'encode badly': (request, random) => {
    const pair = onePair(request, random);
    if (pair)
      pair[1] += random.pick([
        '%',
        '%zz',
        '%c0%ae',
        '%ff',
        '%u0041',
        '%00',
        '%ed%a0%80',
        '+',
        ';a=b',
      ]);
  },
  'grow a parameter': (request, random) => {
    const pair = onePair(request, random);
    if (pair) pair[1] += random.pick(['a', '%2f', '/', '=', '.', '%00']).repeat(random.below(4000));
  },
  'write a name otherwise': (request, random) => {
    const pair = onePair(request, random);
    if (pair)
      pair[0] = random.pick([
        pair[0].toUpperCase(),
        `${pair[0]}%00`,
        ` ${pair[0]}`.replace(' ', '%20'),
        `__proto__[${pair[0]}]`,
      ]);
  },
  'speak for another shop': (request, random) =>
    setParam(request, 'shop', random.pick([otherShop(random), value(random)])),
  'name another host': (request, random) =>
    setParam(
      request,
      'host',
      random.pick([
        base64Host(otherShop(random)),
        value(random),
        Buffer.from(value(random)).toString('base64'),
        Buffer.from(`evil.example/store/a`).toString('base64'),
      ]),
    ),
  'lead elsewhere': (request, random) =>
    setParam(
      request,
      random.pick(['redirectUri', 'exitIframe', 'shopify-reload', 'return_to']),
      random.pick([
        value(random),
        `https://evil.example/${random.hex(2)}`,
        `//${value(random)}`,
        `${APP_URL}@evil.example/`,
        `${APP_URL}.evil.example`,
      ]),
    ),
  'add framing': (request, random) =>
    setParam(request, 'embedded', random.pick(['0', '1', 'true', ''])),
  'add a charge': (request, random) => setParam(request, 'charge_id', value(random)),
  'just bounced': (request) => setParam(request, 'bounced-at', String(seconds())),
  'add many parameters': (request, random) => {
    for (let added = random.below(600); added > 0; added--)
      request.query.push([random.pick(['a', 'shop', 'a[]', '__proto__']), '1']);
  },
  'pollute a prototype': (request, random) =>
    request.query.push(
      random.pick([
        ['__proto__', '1'],
        ['__proto__[shop]', SHOPS.attacker],
        ['constructor[prototype][shop]', 'a'],
        ['hmac[toString]', '1'],
        ['shop.length', '1'],
      ]),
    ),
  shuffle: (request, random) => request.query.sort(() => random.next() - 0.5),
};

function safe(text) {
  try {
    decodeURIComponent(text);
    return text;
  } catch {
    return '';
  }
}
