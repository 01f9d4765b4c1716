import type { StoreEvent } from './store-event.js';

const KEPT_EVENTS = 500;

/** The last 500 events of one shop, oldest first. */
export class EventLog {
  private readonly kept: StoreEvent[] = [];
  private lastId = 0;

  constructor(private readonly now: () => Date) {}

  get entries(): readonly StoreEvent[] {
    return this.kept;
  }

  add(event: Omit<StoreEvent, 'id' | 'at'>): void {
    this.kept.push({ id: ++this.lastId, at: this.now(), ...event });
    if (this.kept.length > KEPT_EVENTS) this.kept.shift();
  }
}

/** A redacted secret: its prefix and last four characters. */
export function masked(secret: string): string {
  const prefix = /^[a-z]+_/.exec(secret)?.[0] ?? '';
  return `${prefix}…${secret.slice(-4)}`;
}
