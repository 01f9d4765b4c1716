// What is measured, and what must hold. A group is measured in one go, its sides by turns; a row
// compares two of them.
import { ourEntry } from './apps.mjs';
import { orderOf, pageHeaders, SHOP, webhookHeaders } from './fixtures.mjs';
import { FRESH_ID } from './load.mjs';
import { PAGE, WEBHOOKS } from './servers.mjs';
import { called, imported, memoryAfter, underLoad, untilAnswered, untilCalled } from './sides.mjs';

const lines = (first, headers) =>
  `${first} HTTP/1.1\r\nhost: localhost\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`;

function webhook(bytes) {
  const body = orderOf(bytes);
  const headers = {
    ...webhookHeaders(body),
    'content-length': bytes,
    'x-shopify-webhook-id': FRESH_ID,
  };
  return lines(`POST ${WEBHOOKS}`, headers) + body;
}

const SMALL = webhook(1024);
const LARGE = webhook(50 * 1024);
const PAGE_CALL = lines(`GET ${PAGE}?shop=${SHOP}&embedded=1&locale=en`, pageHeaders());

const ENTRIES = {
  'ours express': [ourEntry('/express')],
  'ours remix': [ourEntry('/remix')],
  'ours graphql-client': [ourEntry('/graphql-client')],
  'ours rest-client': [ourEntry('/rest-client')],
  'official express': ['@shopify/shopify-app-express'],
  'official remix': [
    '@shopify/shopify-app-remix/server/adapters/node',
    '@shopify/shopify-app-remix/server',
  ],
};

/** A row of a group: what it is called, its sides, and how far apart they must and should be. */
const row = (name, ours, against, must, goal) => ({ name, ours, against, must, goal });

/** How much less ours takes: the more, the better. */
const TIMES_LESS = {
  ratio: (ours, against) => against / ours,
  holds: (ratio, limit) => ratio >= limit,
  sign: '≥',
};
/** What ours takes of the other: the less, the better. */
const SHARE = {
  ratio: (ours, against) => ours / against,
  holds: (ratio, limit) => ratio <= limit,
  sign: '≤',
};

/**
 * How often each side has its turn in a round: what disturbs a machine lasts for seconds, and many
 * short turns share it out.
 */
const SHOTS = 5;

export const GROUPS = [
  {
    title: 'webhook 1 KB',
    unit: 'µs',
    ...TIMES_LESS,
    samples: SHOTS,
    open: underLoad({ request: SMALL, count: 2_000 }),
    rows: [
      row('Express', 'ours Express', 'official Express', 4, 5.5),
      row('Express, routes()', 'ours Express, routes()', 'official Express', 4, 5.5),
      row('Express, beside a bare route', 'ours Express', 'bare Express', 0.9, 1.15),
      row('Nest + Express', 'ours Nest + Express', 'official Express', 4, 6),
      row('Nest + Fastify', 'ours Nest + Fastify', 'official Express', 4.5, 7),
      row('Nest + Fastify, beside a bare route', 'ours Nest + Fastify', 'bare Fastify'),
      row('Express, beside bare node:http', 'ours Express', 'bare node:http'),
    ],
  },
  {
    title: 'webhook 50 KB',
    unit: 'µs',
    ...TIMES_LESS,
    samples: SHOTS,
    open: underLoad({ request: LARGE, count: 1_000 }),
    rows: [
      row('Express, unread', 'ours Express', 'official Express', 3.2, 4),
      row('Nest + Express, unread', 'ours Nest + Express', 'official Express', 3.2, 4),
      row('Nest + Fastify, unread', 'ours Nest + Fastify', 'official Express', 3.2, 4),
      row('Express, unread, beside a bare route', 'ours Express', 'bare Express'),
      row('Express, read by us alone', 'ours Express, read', 'official Express', 1.2, 1.27),
      row(
        'Nest + Express, read by us alone',
        'ours Nest + Express, read',
        'official Express',
        1.2,
        1.27,
      ),
      row(
        'Nest + Fastify, read by us alone',
        'ours Nest + Fastify, read',
        'official Express',
        1.2,
        1.27,
      ),
      row('Express, read by both', 'ours Express, read', 'official Express, read'),
      row('Express, read by both, beside a bare route', 'ours Express, read', 'bare Express, read'),
    ],
  },
  {
    title: 'authenticated request',
    unit: 'µs',
    ...TIMES_LESS,
    samples: SHOTS,
    open: underLoad({ request: PAGE_CALL, count: 2_000 }),
    rows: [
      row(
        'Express, beside token exchange',
        'ours Express, page',
        'official Express, page, token exchange',
        1.15,
        1.3,
      ),
      row('Express, beside the default', 'ours Express, page', 'official Express, page', 1.9, 2.2),
      row('Express, beside a bare route', 'ours Express, page', 'bare Express'),
      row(
        'Nest + Express, beside token exchange',
        'ours Nest + Express',
        'official Express, page, token exchange',
      ),
      row(
        'Nest + Fastify, beside token exchange',
        'ours Nest + Fastify',
        'official Express, page, token exchange',
        1.5,
        2,
      ),
      row('Nest + Fastify, beside a bare route', 'ours Nest + Fastify', 'bare Fastify'),
    ],
  },
  {
    title: 'in process',
    unit: 'µs',
    ...TIMES_LESS,
    open: called,
    rows: [
      row('verify', 'ours verify', 'official verify', 40, 50),
      row('verify, beside node:crypto', 'ours verify', 'bare verify'),
      row(
        'authenticate.webhook',
        'ours authenticate.webhook',
        'official authenticate.webhook',
        10,
        15,
      ),
      row('authenticate.admin', 'ours authenticate.admin', 'official authenticate.admin', 2.2, 3),
      row(
        'authenticate.admin, a token each',
        'ours authenticate.admin, a token each',
        'official authenticate.admin, a token each',
      ),
      row(
        'authenticate.admin, beside node:crypto',
        'ours authenticate.admin',
        'bare authenticate.admin',
      ),
      row('launch URL signature', 'ours launch URL', 'official launch URL', 8, 10),
      row('app proxy signature', 'ours app proxy', 'official app proxy'),
    ],
  },
  {
    title: 'import',
    unit: 'ms',
    ...SHARE,
    samples: 3,
    open: imported(ENTRIES),
    rows: [
      row('express', 'ours express', 'official express', 0.4, 0.2),
      row('remix', 'ours remix', 'official remix', 0.4, 0.2),
      // 12 ms and 8 ms where rest-client takes 6.
      row(
        'graphql-client, beside rest-client',
        'ours graphql-client',
        'ours rest-client',
        12 / 6,
        8 / 6,
      ),
    ],
  },
  {
    title: 'start to first signed webhook',
    unit: 'ms',
    ...SHARE,
    samples: 3,
    open: untilAnswered(SMALL),
    rows: [
      row('Express', 'ours Express', 'official Express', 0.7, 0.5),
      // What is left when a toolkit takes no time at all.
      row('a bare route of Express', 'bare Express', 'official Express'),
      row(
        'Nest + Express, beside Nest alone',
        'ours Nest + Express',
        'Nest + Express alone',
        1.15,
        1.05,
      ),
    ],
  },
  {
    title: 'start to first authenticate.admin',
    unit: 'ms',
    ...SHARE,
    samples: 3,
    open: untilCalled,
    rows: [row('Remix', 'ours authenticate.admin', 'official authenticate.admin', 0.7, 0.5)],
  },
  {
    title: 'memory after 200,000 webhooks',
    unit: 'MB',
    ...SHARE,
    open: memoryAfter({ request: SMALL, count: 200_000 }),
    rows: [
      row('Express', 'ours Express', 'official Express', 1.2, 1),
      row('Nest + Express', 'ours Nest + Express', 'official Express', 1.2, 1),
      row('Nest + Fastify', 'ours Nest + Fastify', 'official Express', 1.2, 1),
    ],
  },
];
