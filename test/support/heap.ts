import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as (options?: { type: 'minor' }) => void;

/** Bytes this process holds on to: what the garbage collector leaves, buffers included. */
export function heldBytes(): number {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Bytes of buffers that this process holds on to. */
export function heldInBuffers(): Promise<number> {
  return buffersAfter(() => collect());
}

/**
 * Bytes of buffers that are left when only the young generation is collected, as the collector does
 * nearly always: those that had to wait for a full collection count.
 */
export function heldByYoung(): Promise<number> {
  return buffersAfter(() => collect({ type: 'minor' }));
}

async function buffersAfter(collecting: () => void): Promise<number> {
  for (let n = 0; n < 3; n++) {
    collecting();
    // The memory of buffers is given back on another thread.
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return process.memoryUsage().arrayBuffers;
}
