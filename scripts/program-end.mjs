/**
 * Watches a program that was just spawned. What it returns says how it has ended, such as `with
 * code 1`, `by SIGKILL` or `before it began: …`, and `undefined` while it runs.
 */
export function endOf(program) {
  let failure;
  program.once('error', (error) => (failure = error));
  return () => {
    if (failure) return `before it began: ${failure.message}`;
    if (program.signalCode !== null) return `by ${program.signalCode}`;
    return program.exitCode === null ? undefined : `with code ${program.exitCode}`;
  };
}
