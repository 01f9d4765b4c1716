import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';

import { describe, expect, it } from '@jest/globals';

import { endOf } from '../../scripts/program-end.mjs';

/** How a program of Node ends, once it has. */
async function endedBy(text: string, executable = process.execPath): Promise<string | undefined> {
  const program: ChildProcess = spawn(executable, ['-e', text], { stdio: 'ignore' });
  const ending = endOf(program);
  expect(ending()).toBeUndefined();
  await new Promise((resolve) => program.once('exit', resolve).once('error', resolve));
  return ending();
}

describe('the program of an example', () => {
  it.each([
    ['with code 0', ''],
    ['with code 3', 'process.exit(3)'],
    ['by SIGKILL', "process.kill(process.pid, 'SIGKILL'); setInterval(() => {}, 1000)"],
  ])('is known to have ended %s', async (end, text) => {
    expect(await endedBy(text)).toBe(end);
  });

  it('is known never to have begun', async () => {
    expect(await endedBy('', '/no/such/program')).toMatch(/^before it began: .*ENOENT/);
  });
});
