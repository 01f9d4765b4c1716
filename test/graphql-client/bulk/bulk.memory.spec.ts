import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { BulkFixture } from './bulk.fixture.js';

const PRODUCTS = '{ products { edges { node { id } } } }';
const PIECES = 800;
const LINES = 64;
const PIECE = Buffer.from(
  `${JSON.stringify({ id: 'gid://p/1', text: 'x'.repeat(950) })}\n`.repeat(LINES),
);

let app: BulkFixture;
beforeEach(async () => {
  app = await BulkFixture.open();
});
afterEach(() => app.close());

describe('a large result', () => {
  /** Some 50 MB, made as they are asked for; tells how many pieces were. */
  function serveLargeFile(): { made: number } {
    const file = { made: 0 };
    async function* open() {
      for (file.made = 0; file.made < PIECES; file.made++) yield PIECE;
    }
    app.shop.serveBulkFile({ open, size: PIECES * PIECE.length });
    return file;
  }

  it('arrives whole', async () => {
    serveLargeFile();
    let rows = 0;
    for await (const row of (await app.admin()).bulk.query(PRODUCTS))
      if (row['id'] === 'gid://p/1') rows++;
    expect(rows).toBe(PIECES * LINES);
  }, 60_000);

  it('is fetched no faster than it is read', async () => {
    const file = serveLargeFile();
    const rows = (await app.admin()).bulk.query(PRODUCTS)[Symbol.asyncIterator]();
    await rows.next();
    let before = -1;
    // Until the buffers between the store and the reader are full.
    while (before !== file.made) {
      before = file.made;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(file.made).toBeLessThan(PIECES / 2);
    await rows.return!();
    const left = file.made;
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(file.made).toBe(left);
  });
});
