import type { ChildProcess } from 'node:child_process';

/**
 * Watches a program that was just spawned. What it returns says how it has ended, such as `with
 * code 1`, `by SIGKILL` or `before it began: …`, and `undefined` while it runs.
 */
export function endOf(program: ChildProcess): () => string | undefined;
