import { PlatformError } from '../../../lib/core/core.errors.js';
import { Clock, systemClock } from '../../../lib/core/time/clock.js';
import { Lock } from '../../../lib/sessions/coordination/lock.js';
import { MemorySessionStorage } from '../../../lib/sessions/storages/memory/memory-session.storage.js';

/** How a call fails: before it does anything, by a throw or a rejection, or after it was done. */
export type Fault = 'throw' | 'reject' | 'reject once done';

export const FAULTS: readonly Fault[] = ['throw', 'reject', 'reject once done'];

/** Any of them, or a call to which no answer comes. */
type Injected = Fault | 'hang';

/** How long the engines of the toolkit wait for an answer, in milliseconds. */
const ENGINE_LIMIT = 10_000;

/** What an engine, a network or a hook of the app fails with. */
export class InjectedError extends Error {
  constructor(readonly call: string) {
    super(`The fault that was injected into ${call}`);
  }
}

/** Leases end ten times as fast: that of a lock whose release has failed is waited for. */
class FastClock extends Clock {
  readonly #start = Date.now();

  now(): Date {
    return new Date(this.#start + 10 * (Date.now() - this.#start));
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return systemClock.sleep(ms / 10, signal);
  }
}

/** Whether an error says what it is: one of ours, or what the port itself failed with. */
export const isTyped = (error: unknown): boolean =>
  error instanceof PlatformError || error instanceof InjectedError;

type Method = (...parameters: unknown[]) => unknown;

/**
 * Counts the calls of an app's ports (storage, lock, installations, inbox, `fetch`, hooks), and lets
 * one of them fail.
 */
export class FaultyPorts {
  /** The calls so far, as `lock.take`. */
  readonly calls: string[] = [];
  /** Names of locks that are held. */
  readonly held = new Set<string>();
  readonly storage: MemorySessionStorage;
  /** Whether a call has been reached to which no answer comes. */
  hasHung = false;
  /** How many other calls are in progress. */
  busy = 0;
  #fault: { readonly at: number; readonly fault: Injected } | undefined;

  /** @param clock of the leases. @default one that is ten times as fast as the others */
  constructor(private readonly clock: Clock = new FastClock()) {
    this.storage = new MemorySessionStorage(clock);
  }

  /** Lets the call of this number fail, counted from now on. */
  arm(at: number, fault: Injected): void {
    this.calls.length = 0;
    this.hasHung = false;
    this.#fault = { at, fault };
  }

  disarm(): void {
    this.calls.length = 0;
    this.#fault = undefined;
  }

  /** The lock, with a note of the names that are held. */
  watched(lock: Lock): Lock {
    const { held } = this;
    return new (class extends Lock {
      async take(name: string, holder: string, leaseMs: number): Promise<boolean> {
        const isTaken = await lock.take(name, holder, leaseMs);
        if (isTaken) held.add(name);
        return isTaken;
      }
      renew(name: string, holder: string, leaseMs: number): Promise<boolean> {
        return lock.renew(name, holder, leaseMs);
      }
      async release(name: string, holder: string): Promise<void> {
        await lock.release(name, holder);
        held.delete(name);
      }
    })();
  }

  /** The port with its calls counted. */
  over<Port extends object>(name: string, port: Port): Port {
    return new Proxy(port, {
      get: (target, member) => {
        const value = Reflect.get(target, member, target) as unknown;
        if (typeof value !== 'function' || member === 'constructor') return value;
        return this.call(`${name}.${String(member)}`, (value as Method).bind(target));
      },
    });
  }

  /** The function with its calls counted. */
  call<Function_ extends Method>(name: string, work: Function_): Function_ {
    return ((...parameters: unknown[]) => {
      const at = this.calls.push(name) - 1;
      const fault = this.#fault?.at === at ? this.#fault.fault : undefined;
      if (fault === 'throw') throw new InjectedError(name);
      if (fault === 'reject') return Promise.reject(new InjectedError(name));
      if (fault === 'hang') {
        this.hasHung = true;
        return this.#unanswered(name, parameters);
      }
      const result = this.#counted(work(...parameters));
      if (fault === undefined) return result;
      return Promise.resolve(result).then(() => Promise.reject(new InjectedError(name)));
    }) as Function_;
  }

  /**
   * A call to which no answer comes. Engines wait for ten seconds and then say so; `fetch` waits
   * for its signal, and what the app itself has written for ever.
   */
  #unanswered(name: string, parameters: readonly unknown[]): Promise<never> {
    return new Promise((_, reject) => {
      const fail = (): void => reject(new InjectedError(name));
      if (/^(?:storage|lock|installations|inbox)\./.test(name))
        void this.clock.sleep(ENGINE_LIMIT).then(fail);
      for (const one of parameters)
        (one as RequestInit | undefined)?.signal?.addEventListener('abort', fail, { once: true });
    });
  }

  #counted(result: unknown): unknown {
    if (!(result instanceof Promise)) return result;
    this.busy += 1;
    return result.finally(() => {
      this.busy -= 1;
    });
  }
}
