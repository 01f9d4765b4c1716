interface Lane {
  running: number;
  readonly waiting: (() => void)[];
}

/**
 * Limits how many tasks run at a time in each lane, first come, first served. Empty lanes are
 * removed.
 */
export class BulkQueue {
  readonly #lanes = new Map<string, Lane>();

  /**
   * Resolves as soon as fewer than `limit` others are in the lane.
   * @returns the function that frees the slot; calling it twice does no harm
   * @throws the signal's reason when it is aborted first
   */
  async enter(name: string, limit: number, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    const lane = this.#lanes.get(name) ?? { running: 0, waiting: [] };
    this.#lanes.set(name, lane);
    if (lane.running < limit) lane.running++;
    else await turn(lane, signal);
    let isInside = true;
    return () => {
      if (isInside) this.#leave(name, lane);
      isInside = false;
    };
  }

  /** Passes the slot on to the next in the queue. */
  #leave(name: string, lane: Lane): void {
    const next = lane.waiting.shift();
    if (next) return next();
    lane.running--;
    if (lane.running === 0) this.#lanes.delete(name);
  }
}

function turn(lane: Lane, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const go = (): void => {
      signal.removeEventListener('abort', giveUp);
      resolve();
    };
    const giveUp = (): void => {
      lane.waiting.splice(lane.waiting.indexOf(go), 1);
      reject(signal.reason);
    };
    signal.addEventListener('abort', giveUp, { once: true });
    lane.waiting.push(go);
  });
}
