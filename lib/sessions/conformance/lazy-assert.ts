import type strictAssert from 'node:assert/strict';

/** Node's assertions, once they are loaded: an entry point that exports the suites loads none. */
export let assert: typeof strictAssert;

/** Loads {@link assert}, before a case runs. */
export async function loadAssert(): Promise<void> {
  assert ??= (await import('node:assert/strict')).default;
}
