import type { LeakWatch } from './leak.watch.js';
import { observeCalls } from './observe.js';

/**
 * Jest's console keeps the lines of a file until the file is done, unless it is the only file of
 * the run.
 */
interface BufferedConsole extends Console {
  getBuffer?(): readonly { readonly message: string }[] | undefined;
}

/**
 * Watches what the process writes. A console that a test replaces is the test's own affair: what
 * would have gone there is seen as log lines.
 */
export function observeOutput(watch: LeakWatch): void {
  for (const stream of [process.stdout, process.stderr])
    watch.atEnd(
      observeCalls(stream, 'write', (_, [chunk]) => watch.leaves('output', String(chunk))),
    );
  watch.atEnd(() =>
    (console as BufferedConsole)
      .getBuffer?.()
      ?.forEach(({ message }) => watch.leaves('output', message)),
  );
}
