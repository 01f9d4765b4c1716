import { topicName } from '../base/webhook-topics.js';
import { checkFault } from './fault-check.js';
import {
  isDeliveryFault,
  type ActiveFault,
  type DeliveryFault,
  type Fault,
  type RequestFault,
} from './fault.js';
import { matchesPattern } from './pattern.js';

/** What is known of a request when faults are looked for. */
interface FaultyRequest {
  readonly shop: string;
  readonly method: string;
  readonly path: string;
  /** The names of its GraphQL operation; called when a fault asks for one. */
  readonly operations: () => readonly string[];
  /** The app that its token belongs to; called when a fault asks for one. */
  readonly apiKey: () => string | undefined;
}

/** What is known of a delivery when faults are looked for. */
interface FaultyDelivery {
  readonly shop: string;
  /** Header spelling. */
  readonly topic: string;
  readonly apiKey: string;
}

/**
 * What goes wrong in a simulated platform, on command. Of several faults that match, the one that
 * was added first happens.
 * @example
 * devStore.faults.add({ on: { path: '/admin/api/*' }, times: 2, status: 502 });
 * devStore.faults.add({ on: { operation: 'productCreate' }, reset: true, executed: true });
 * devStore.faults.add({ on: { topic: 'products/*' }, copies: 2, probability: 0.1 });
 */
export class Faults {
  /**
   * Milliseconds by which the platform's clock is ahead of `devStore.clock`, or behind when
   * negative: in the `Date` of its answers, in the times of session tokens and signatures, and when
   * it decides whether a token has expired. @default 0
   */
  clockSkew = 0;
  private readonly faults: Array<{ id: number; fault: Fault; hits: number }> = [];
  private lastId = 0;
  private state: number;

  /** @param seed of what is random: the same seed, the same faults */
  constructor(private readonly seed: number) {
    this.state = seed;
  }

  /** The faults that may still happen, oldest first. */
  get active(): readonly ActiveFault[] {
    return this.faults.map((active) => ({ ...active }));
  }

  /**
   * Adds a fault. @returns its number, for `remove`
   * @throws TypeError when the description is invalid
   */
  add(fault: Fault): number {
    checkFault(fault);
    this.faults.push({ id: ++this.lastId, fault, hits: 0 });
    return this.lastId;
  }

  /** Removes one fault. Returns whether it was there. */
  remove(id: number): boolean {
    const index = this.faults.findIndex((active) => active.id === id);
    if (index >= 0) this.faults.splice(index, 1);
    return index >= 0;
  }

  /** Removes every fault and the skew of the clock; what is random begins anew. */
  clear(): void {
    this.faults.length = 0;
    this.clockSkew = 0;
    this.state = this.seed;
  }

  /** The fault that happens to a request, if any; it counts as one time. */
  ofRequest(request: FaultyRequest): RequestFault | undefined {
    return this.next((fault): fault is RequestFault => {
      if (isDeliveryFault(fault)) return false;
      const { method, path, operation, shop, apiKey } = fault.on;
      return (
        (method === undefined || method.toUpperCase() === request.method) &&
        (path === undefined || matchesPattern(path, request.path)) &&
        (shop === undefined || shop === request.shop) &&
        (operation === undefined ||
          request.operations().some((name) => matchesPattern(operation, name))) &&
        (apiKey === undefined || apiKey === request.apiKey())
      );
    });
  }

  /** The fault that happens to a delivery, if any; it counts as one time. */
  ofDelivery(delivery: FaultyDelivery): DeliveryFault | undefined {
    return this.next((fault): fault is DeliveryFault => {
      if (!isDeliveryFault(fault)) return false;
      const { topic, shop, apiKey } = fault.on;
      return (
        matchesPattern(topicName(topic) ?? topic, delivery.topic) &&
        (shop === undefined || shop === delivery.shop) &&
        (apiKey === undefined || apiKey === delivery.apiKey)
      );
    });
  }

  private next<F extends Fault>(matches: (fault: Fault) => fault is F): F | undefined {
    for (const active of this.faults) {
      const { fault } = active;
      if (!matches(fault) || this.random() >= (fault.probability ?? 1)) continue;
      active.hits++;
      if (active.hits === fault.times) this.remove(active.id);
      return fault;
    }
    return undefined;
  }

  /** The next of a series of numbers from 0 to 1 that the seed determines (Mulberry32). */
  private random(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
}
