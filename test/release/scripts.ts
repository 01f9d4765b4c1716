import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { ROOT } from '../architecture/source-tree.js';

/**
 * Runs a program of `scripts/` in a folder that holds `files` only, and answers how it ended and
 * what it wrote.
 */
export function runScript(
  script: string,
  args: readonly string[],
  files: Readonly<Record<string, string | object>>,
) {
  const folder = mkdtempSync(join(tmpdir(), 'shopwright-release-'));
  try {
    for (const [name, content] of Object.entries(files))
      writeFileSync(
        join(folder, name),
        typeof content === 'string' ? content : JSON.stringify(content),
      );
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [join(ROOT, 'scripts', script), ...args],
      {
        cwd: folder,
        encoding: 'utf8',
      },
    );
    return { status, stdout, stderr };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
