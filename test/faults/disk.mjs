import { execFileSync } from 'node:child_process';
import { closeSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
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

/** This machine does not let us do something to a disk. */
export class NotAllowedError extends Error {}

/** @throws {NotAllowedError} */
export function privileged(program, ...args) {
  try {
    execFileSync(program, args, { stdio: 'pipe' });
  } catch (error) {
    throw new NotAllowedError(String(error.stderr || error.message).split('\n')[0]);
  }
}

/**
 * Makes files immutable, also for who has them open. @returns lets them be written again @throws
 * {NotAllowedError}
 */
export function freezeFiles(...files) {
  privileged('chattr', '+i', ...files);
  return () => privileged('chattr', '-i', ...files);
}

/**
 * @throws {NotAllowedError} unless files in the folder can be made immutable while they are open
 */
export function checkFreezing(folder) {
  const probe = join(folder, 'probe');
  writeFileSync(probe, '');
  const file = openSync(probe, 'r+');
  const undo = freezeFiles(probe);
  let isWritable = true;
  try {
    writeSync(file, 'x');
  } catch {
    isWritable = false;
  } finally {
    undo();
    closeSync(file);
    rmSync(probe);
  }
  if (isWritable)
    throw new NotAllowedError('files that are open can be written although they are immutable');
}
