/** Below this nobody waits, in milliseconds, and a measurement tells nothing about growth. */
const NOTICEABLE = 4;
/** For sixteen times the input, linear work takes sixteen times as long, and quadratic work 256 times. */
const STEP = 16;
const LINEAR_AT_MOST = 64;
/** Something else in the process, such as the collector of garbage, may take part in one measurement, not in every one. */
const ATTEMPTS = 4;

/** The least of several measurements of `work`, in milliseconds of the processor: time in which the machine does something else does not count. */
export function leastTime(work: () => unknown, runs = 3): number {
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
 * The size of the input at which `work` is seen to take more than linear time; `undefined` when it stays linear up to `upTo`. Grows the
 * input in steps that are small at first, so that exponential time is noticed before it takes for ever.
 */
export function superLinearAt(work: (size: number) => unknown, upTo: number): number | undefined {
  for (let size = 8; size <= upTo; size = size < 64 ? size + 4 : size * 2) {
    if (leastTime(() => work(size), 1) < NOTICEABLE) continue;
    if (Array.from({ length: ATTEMPTS }).every(() => growsTooFast(work, size))) return size;
  }
  return undefined;
}

function growsTooFast(work: (size: number) => unknown, size: number): boolean {
  const long = leastTime(() => work(size));
  return long >= NOTICEABLE && long > LINEAR_AT_MOST * leastTime(() => work(Math.ceil(size / STEP)), 5);
}
