import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';

import { transpile } from '../support/transpile.js';
import type { Transpiled } from '../support/transpile.js';

// On a busy machine a process takes its time to start.
jest.setTimeout(60_000);

let program: Transpiled;
beforeAll(async () => {
  program = await transpile('lib/cli/index.ts');
});
afterAll(() => program.remove());

/** How a process of the command ends. */
async function ended(...args: string[]): Promise<{ code: number; err: string }> {
  const file = join(program.folder, 'lib/cli/index.js');
  const env = { ...process.env, NODE_OPTIONS: '' };
  return new Promise((resolve) => {
    execFile(process.execPath, [file, ...args], { env }, (error, _, err) =>
      resolve({ code: Number(error?.code ?? 0), err }),
    );
  });
}

describe('the process of a command', () => {
  it('ends with the code of the command', async () => {
    expect((await ended('--help')).code).toBe(0);
    expect((await ended('unheard-of')).code).toBe(2);
  });

  // It ended with 0, having done nothing.
  it('fails when the module of the app never comes to its end', async () => {
    const app = join(program.folder, 'endless.js');
    await writeFile(app, 'await new Promise(() => {});');
    const { code, err } = await ended('migrate-tokens', app);
    expect(code).toBe(1);
    expect(err).toContain('did not come to its end');
  });
});
