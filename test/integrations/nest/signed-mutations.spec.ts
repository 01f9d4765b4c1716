import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { ADAPTERS, openSurfaces, ran } from './signed-guards.fixture.js';
import { MUTANTS } from './signed-mutations.js';

describe.each(ADAPTERS)('1,000 requests that were not signed as they are, on %s', (_, adapter) => {
  let open: Awaited<ReturnType<typeof openSurfaces>>;
  beforeAll(async () => {
    open = await openSurfaces(adapter);
  });
  afterAll(() => open.close());

  it.each(MUTANTS)('are refused by the guard of %s', async (_surface, mutants) => {
    ran.length = 0;
    await fc.assert(
      fc.asyncProperty(mutants, async ({ path, ...init }) => {
        const response = await fetch(open.appUrl + path, init as RequestInit);
        const body = (await response.json()) as object;
        expect([400, 401, 413]).toContain(response.status);
        expect(body).toMatchObject({ error: expect.stringMatching(/^[a-z_]+$/) });
        expect(ran).toEqual([]);
      }),
      { numRuns: 1000 },
    );
  });
});
