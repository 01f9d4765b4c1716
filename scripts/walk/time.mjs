const LONGEST_TIMER = 2 ** 31 - 1;

/**
 * Stops the ticks and the timers of this process. What lib does because time has passed belongs to
 * no request, and on a busy machine it would be counted by chance.
 */
export function stopTime() {
  const ticks = performance.now();
  performance.now = () => ticks;
  const { setTimeout } = globalThis;
  globalThis.setTimeout = (act) => setTimeout(act, LONGEST_TIMER).unref();
}
