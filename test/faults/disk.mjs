import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** Writes to a small disk until nothing more goes in. @returns makes room again */
export function fillDisk(folder) {
  const filler = join(folder, 'filler');
  const file = openSync(filler, 'w');
  for (let size = 65_536; size >= 1; size /= 16) {
    try {
      for (;;) writeSync(file, Buffer.alloc(size));
    } catch (error) {
      if (error.code !== 'ENOSPC') throw error;
    }
  }
  closeSync(file);
  return () => rmSync(filler);
}
