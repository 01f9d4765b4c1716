import { fileURLToPath } from 'node:url';

import { beforeEach, describe, expect, it } from '@jest/globals';

import { run } from '../../lib/cli/command-line.js';
import { API_KEY } from '../support/app.js';
import { kept, letter } from '../webhooks/queue/listed.queue.js';
import { command } from './command.js';

const APP = fileURLToPath(new URL('./apps/dead-letters.app.ts', import.meta.url));
const EXPRESS = fileURLToPath(new URL('./apps/express.app.ts', import.meta.url));
const HEAD = `Dead letters of the app with the client id ${API_KEY}:`;
const HOUR = 3_600_000;

beforeEach(() => {
  kept.letters = [
    letter('d-1'),
    letter('d-2', { shop: 'two.myshopify.com', attempts: 1, reason: 'a\u001b[31mb' }),
    letter('d-3', {
      topic: 'PRODUCTS_UPDATE',
      failedAt: new Date(Date.now() - 50 * HOUR),
      handlers: ['Products.onUpdate'],
    }),
  ];
  kept.onReplay = () => {};
});

describe('shopwright webhooks dead', () => {
  it('lists the dead letters, for people', async () => {
    expect(await command(['webhooks', 'dead', APP])).toEqual({
      code: 0,
      err: '',
      out: [
        HEAD,
        'd-1 ORDERS_CREATE one.myshopify.com, 10 attempts, given up 2 h ago: These handlers failed: Orders.onCreate. The log says why.',
        'd-2 ORDERS_CREATE two.myshopify.com, 1 attempt, given up 2 h ago: a[31mb',
        'd-3 PRODUCTS_UPDATE one.myshopify.com, 10 attempts, given up 2 d ago: These handlers failed: Orders.onCreate. The log says why.',
        '3 dead letters: ORDERS_CREATE 2, PRODUCTS_UPDATE 1',
        '',
      ].join('\n'),
    });
  });

  it('lists them as lines of JSON', async () => {
    const { out } = await command(['webhooks', 'dead', APP, '--json']);
    const lines = out.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual(JSON.parse(JSON.stringify(kept.letters)));
  });

  it.each<[string, string[], string[]]>([
    ['a topic', ['--topic', 'products/update'], ['d-3']],
    ['a shop', ['--shop', 'Two.myshopify.com'], ['d-2']],
    ['a handler', ['--handler', 'Products.onUpdate'], ['d-3']],
    ['a time', ['--since', '3h'], ['d-1', 'd-2']],
    ['a date', ['--since', '2000-01-01'], ['d-1', 'd-2', 'd-3']],
    ['a number', ['--limit', '1'], ['d-1']],
  ])('lists those of %s', async (_, args, ids) => {
    const { out } = await command(['webhooks', 'dead', APP, ...args]);
    expect(out.match(/^d-\d/gm)).toEqual(ids);
    expect(out.includes('There may be more')).toBe(args[0] === '--limit');
  });

  it('says why an app without a durable queue has none', async () => {
    const { code, err } = await command(['webhooks', 'dead', EXPRESS]);
    expect([code, err]).toEqual([0, expect.stringContaining('no durable queue')]);
  });
});

describe('shopwright webhooks replay', () => {
  it('counts what it would do, and does nothing', async () => {
    expect(await command(['webhooks', 'replay', APP, '--all', '--dry-run'])).toEqual({
      code: 0,
      err: '',
      out: `${HEAD}\n3 dead letters: ORDERS_CREATE 2, PRODUCTS_UPDATE 1\nNothing was changed: repeat without --dry-run to have them handled again.\n`,
    });
    expect(kept.letters).toHaveLength(3);
  });

  it('replays those that match', async () => {
    const { code, out } = await command(['webhooks', 'replay', APP, '--topic', 'orders/create']);
    expect([code, out.split('\n').slice(1)]).toEqual([
      0,
      ['2 dead letters: ORDERS_CREATE 2', '2 will be handled again.', ''],
    ]);
    expect(kept.letters.map(({ id }) => id)).toEqual(['d-3']);
  });

  it('replays those that are named, and fails for one that is none', async () => {
    const { code, out } = await command(['webhooks', 'replay', APP, 'd-3', 'd-9', 'd-1']);
    expect([code, out.split('\n').slice(1, -1)]).toEqual([
      1,
      [
        'd-9 is none',
        '2 dead letters: ORDERS_CREATE 1, PRODUCTS_UPDATE 1',
        '2 will be handled again.',
      ],
    ]);
    expect(kept.letters.map(({ id }) => id)).toEqual(['d-2']);
  });

  it('tells of those that somebody else has replayed meanwhile', async () => {
    kept.onReplay = () => {
      kept.letters = kept.letters.filter(({ id }) => id !== 'd-2');
    };
    const { code, out } = await command(['webhooks', 'replay', APP, '--all']);
    expect([code, out]).toEqual([
      0,
      expect.stringContaining('2 will be handled again, 1 were handled again meanwhile.'),
    ]);
  });

  it('tells the progress, and ends in order when it is interrupted', async () => {
    kept.letters = Array.from({ length: 120 }, (_, index) => letter(`d-${index}`));
    const interruption = new AbortController();
    let replays = 0;
    kept.onReplay = () => {
      if (++replays === 60) interruption.abort();
    };
    const written = { out: '', err: '' };
    const code = await run(
      ['webhooks', 'replay', APP, '--all'],
      {
        stdout: { write: (text: string) => (written.out += text) },
        stderr: { write: (text: string) => (written.err += text) },
      },
      interruption.signal,
    );
    expect([code, kept.letters.length]).toEqual([1, 60]);
    expect(written.err).toBe('50 of 120\nBroken off. Repeat the command for the others.\n');
    expect(written.out).toContain('60 will be handled again.');
  });

  it.each<[string, RegExp, string[]]>([
    ['without a module', /The module .* is missing/, []],
    ['without saying which', /Say which dead letters/, [APP]],
    ['with ids and a filter', /Say which dead letters/, [APP, 'd-1', '--topic', 'orders/create']],
    ['with a filter and all', /Say which dead letters/, [APP, '--all', '--since', '1h']],
    ['with a time that is none', /--since takes/, [APP, '--since', 'yesterday']],
    ['with an option of the list', /takes no --json/, [APP, '--all', '--json']],
  ])('called %s says what is wrong', async (_, message, args) => {
    const { code, err } = await command(['webhooks', 'replay', ...args]);
    expect([code, err]).toEqual([2, expect.stringMatching(message)]);
  });
});
