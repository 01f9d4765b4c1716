import { chmod, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { expect } from '@jest/globals';

/**
 * Runs `use` while nothing in the folder can be written, as on a disk that is mounted read-only.
 * Permissions do not stop root, who is nobody meanwhile.
 */
export async function whileReadOnly(disk: string, use: () => Promise<void>): Promise<void> {
  const isRoot = process.geteuid?.() === 0;
  const files = (await readdir(disk)).map((name) => join(disk, name));
  await Promise.all([
    ...files.map((file) => chmodIfThere(file, 0o444)),
    chmod(disk, 0o555),
    chmod(dirname(disk), 0o755),
  ]);
  if (isRoot) process.seteuid!(65_534);
  try {
    await expect(writeFile(join(disk, 'probe'), '')).rejects.toThrow();
    await use();
  } finally {
    if (isRoot) process.seteuid!(0);
    await Promise.all([...files.map((file) => chmodIfThere(file, 0o600)), chmod(disk, 0o700)]);
  }
}

/** A connection that is closing takes files of its own along. */
async function chmodIfThere(file: string, mode: number): Promise<void> {
  await chmod(file, mode).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
}
