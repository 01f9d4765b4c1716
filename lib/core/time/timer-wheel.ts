interface Alarm {
  /** Milliseconds, on the clock that is never set. */
  readonly at: number;
  readonly ring: () => void;
}

/**
 * Any number of alarms on one timer. Nearly all of them are called off in time, and a timer for
 * each would cost more than the rest of a call: so the timer stays as it is when one is called off,
 * and looks again when it rings. It keeps the process alive only while an alarm is set.
 */
export class TimerWheel {
  readonly #set = new Set<Alarm>();
  #timer: NodeJS.Timeout | undefined;
  /** When the timer rings: no later than any alarm. */
  #next = Infinity;

  /**
   * Calls `ring` once, after `ms` milliseconds.
   * @returns what calls it off
   */
  set(ms: number, ring: () => void): () => void {
    const now = performance.now();
    const alarm = { at: now + ms, ring };
    this.#set.add(alarm);
    if (alarm.at < this.#next) this.#wind(alarm.at, now);
    else if (this.#set.size === 1) this.#timer?.ref();
    return () => {
      if (this.#set.delete(alarm) && this.#set.size === 0) this.#timer?.unref();
    };
  }

  #wind(next: number, now: number): void {
    clearTimeout(this.#timer);
    this.#next = next;
    this.#timer = setTimeout(() => this.#look(), Math.ceil(next - now));
  }

  #look(): void {
    const now = performance.now();
    const due: Alarm[] = [];
    this.#next = Infinity;
    let next = Infinity;
    for (const alarm of this.#set) {
      if (alarm.at <= now) due.push(alarm);
      else next = Math.min(next, alarm.at);
    }
    if (next < Infinity) this.#wind(next, now);
    for (const alarm of due.sort((one, other) => one.at - other.at)) {
      // One that rings may call another off.
      if (this.#set.delete(alarm)) alarm.ring();
    }
  }
}
