/** Below this nobody waits, in milliseconds, and a measurement tells nothing about growth. */
const NOTICEABLE = 4;
/**
 * For sixteen times the input, linear work takes sixteen times as long, and quadratic work 256
 * times.
 */
const STEP = 16;
const LINEAR_AT_MOST = 64;
/**
 * Something else in the process, such as the collector of garbage, may take part in one
 * measurement, not in every one.
 */
const ATTEMPTS = 6;

/**
 * The least of several measurements of `work`, in milliseconds of the processor: time in which the
 * machine does something else does not count.
 */
function leastTime(work: () => unknown, runs: number): number {
  let least = Infinity;
  for (let run = 0; run < runs; run++) {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}

/**
 * True when `work` takes more than `ms` milliseconds of the processor. By the clock on the wall,
 * which is quicker to read, most does not.
 */
export function takesLonger(work: () => unknown, ms: number): boolean {
  const start = performance.now();
  work();
  return performance.now() - start > ms && leastTime(work, 1) > ms;
}

/**
 * The size of the input at which `work` is seen to take more than linear time; `undefined` when it
 * stays linear up to `upTo`. Grows the input in steps that are small at first, so that exponential
 * time is noticed before it takes for ever.
 */
export function superLinearAt(work: (size: number) => unknown, upTo: number): number | undefined {
  for (let size = 8; size <= upTo; size = size < 64 ? size + 4 : size * 2) {
    if (!takesLonger(() => work(size), NOTICEABLE)) continue;
    if (Array.from({ length: ATTEMPTS }).every(() => growsTooFast(work, size))) return size;
  }
  return undefined;
}

function growsTooFast(work: (size: number) => unknown, size: number): boolean {
  const short = leastTime(() => work(Math.ceil(size / STEP)), 5);
  // One measurement below is enough to say that it does not.
  return takesLonger(() => work(size), Math.max(NOTICEABLE, LINEAR_AT_MOST * short));
}
