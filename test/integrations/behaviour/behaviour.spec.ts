import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { readDocument } from '../../docs/documents.js';
import { DIFFERENCES } from './differences.js';
import { expectAnswer, runsOn } from './row.js';
import type { Row } from './row.js';
import { OAUTH_ROWS } from './rows/oauth.rows.js';
import { PAGE_ROWS } from './rows/pages.rows.js';
import { SIGNED_ROWS } from './rows/signed.rows.js';
import { WEBHOOK_ROWS } from './rows/webhooks.rows.js';
import { SURFACE_HOSTS } from './surfaces.js';
import { World } from './world.js';
import type { AppKind } from './world.js';

const TABLES = {
  OAuth: OAUTH_ROWS,
  pages: PAGE_ROWS,
  webhooks: WEBHOOK_ROWS,
  'signed requests': SIGNED_ROWS,
} as const;
const ROWS: readonly Row[] = Object.values(TABLES).flat();
const KINDS: readonly AppKind[] = ['embedded', 'standalone'];
const kindOf = ({ app = 'embedded' }: Row): AppKind => app;

/** Nothing that one row leaves behind is there for another: each has a shop of its own. */
const shopOf = (row: Row): string => `row-${ROWS.indexOf(row)}.myshopify.com`;

describe.each(SURFACE_HOSTS)('the answers of $name', (host) => {
  const worlds = new Map<AppKind, World>();
  const own = ROWS.filter((row) => runsOn(row, host.name));

  beforeAll(async () => {
    for (const kind of KINDS) {
      const rows = own.filter((row) => kindOf(row) === kind);
      if (rows.length > 0) worlds.set(kind, await World.open(host, kind, rows.map(shopOf)));
    }
  }, 60_000);
  afterAll(async () => {
    for (const world of worlds.values()) await world.close();
  });

  describe.each(Object.entries(TABLES))('%s', (_, rows) => {
    const runnable = rows.filter((row) => own.includes(row));
    it.each(runnable.map((row) => [row.name, row] as const))('%s', async (_name, row) => {
      await expectAnswer(row, worlds.get(kindOf(row))!.of(shopOf(row)));
    });
  });
});

describe('the differences between hosts', () => {
  const shown = ROWS.flatMap((row) => [
    ...Object.keys(row.differs ?? {}),
    ...(row.app === 'standalone' ? ['alwaysEmbedded'] : []),
  ]);

  it('are a table in the documents', () => {
    const { prose } = readDocument('docs/fetch-hosts.md');
    const start = prose.indexOf('## Where hosts differ');
    const end = prose.findIndex((line, at) => at > start && line.startsWith('## '));
    const cells = prose
      .slice(start, end)
      .filter((line) => line.startsWith('| '))
      .map((line) => line.split('|').slice(1, -1))
      .map((row) => row.map((cell) => cell.trim()));
    const [, , ...rows] = cells;
    expect(rows).toEqual(
      Object.values(DIFFERENCES).map(({ hosts, what, why }) => [hosts.join(', '), what, why]),
    );
  });

  it('are each shown by a row, and no row has another', () => {
    expect([...new Set(shown)].sort()).toEqual(Object.keys(DIFFERENCES).sort());
  });
});
