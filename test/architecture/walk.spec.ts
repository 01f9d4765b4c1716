import { describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from './source-tree.js';

const WALKS = [
  'webhook over Express',
  'token exchange over Express',
  'authenticated request over Express',
  'Remix with token exchange',
  'admin.graphql',
  'admin.graphql that meets a 401',
  'OAuth callback over Express',
];

describe('the way of a request through lib', () => {
  // A process of its own: jest loads modules by other means, which the coverage would not see.
  it('runs no more files than scripts/walk.mjs allows', async () => {
    const script = join(ROOT, 'scripts/walk.mjs');
    const { stdout } = await promisify(execFile)(process.execPath, [script, '--check']);
    const rows = stdout.trimEnd().split('\n');
    expect(rows.map((row) => row.split(/ {2,}/)[0])).toEqual(WALKS);
    expect(rows.filter((row) => / of \d+$/.test(row))).toHaveLength(6);
  }, 120_000);
});
