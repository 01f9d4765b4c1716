import { randomUUID } from 'node:crypto';

import type { Injected, Token } from '../../core/binding.js';
import { InFlight } from '../../core/concurrency/in-flight.js';
import { PlatformConfig } from '../../core/config/platform-config.js';
import { HttpTransport, discard } from '../../core/http/http-transport.js';
import { PlatformLogger } from '../../core/logger.js';
import { Clock, inTime, stopwatch } from '../../core/time/clock.js';
import { Lock } from '../../sessions/coordination/lock.js';
import { SessionStorage } from '../../sessions/session.storage.js';
import { WebhookQueue } from '../../webhooks/queue/webhook.queue.js';
import { HandlerDiscovery } from '../host/handler-discovery.js';
import type {
  HealthCheckName,
  HealthCheckResult,
  HealthOptions,
  HealthReason,
  HealthReport,
} from './health-report.js';
import { SharedChecks } from './shared-checks.js';

/** The objects of an app that its health depends on. */
export const CHECKED = {
  config: PlatformConfig,
  clock: Clock,
  logger: PlatformLogger,
  inFlight: InFlight,
  discovery: HandlerDiscovery,
  storage: SessionStorage,
  lock: Lock,
  queue: WebhookQueue,
  transport: HttpTransport,
  shared: SharedChecks,
} as const;

/** The objects themselves, by name. */
export type Checked = Injected<typeof CHECKED>;
type Finding = Omit<HealthCheckResult, 'status' | 'durationMs'>;

/** Finds all of them. @param objectOf finds the one of a token */
export function checkedOf(objectOf: (token: Token) => unknown): Checked {
  const entries = Object.entries<Token>(CHECKED).map(([name, token]) => [name, objectOf(token)]);
  return Object.fromEntries(entries) as Checked;
}

const TIMEOUT = 2_000;
const MAX_AGE = 1_000;
const MAX_WAITING = 1_000;
const MAX_CLOCK_SKEW = 10_000;
/** Of a session that is looked for, and of a lock that is taken: nothing else has such a name. */
const PROBE = 'shopwright-health';

/** Makes the checks of one app, all at once. */
export class HealthChecks {
  readonly #checks: Readonly<Record<HealthCheckName, () => Promise<Finding>>> = {
    configuration: () => this.#configuration(),
    storage: () => this.#storage(),
    lock: () => this.#lock(),
    queue: () => this.#queue(),
    clock: () => this.#clock(),
  };

  constructor(
    private readonly checked: Checked,
    private readonly options: HealthOptions,
  ) {}

  /** Never rejects. */
  async run(): Promise<HealthReport> {
    const names = this.options.checks ?? (Object.keys(this.#checks) as HealthCheckName[]);
    const results = await Promise.all(names.map((name) => this.#shared(name)));
    return {
      isHealthy: results.every(({ status }) => status === 'up'),
      checks: Object.fromEntries(names.map((name, at) => [name, results[at]])),
    };
  }

  #shared(name: HealthCheckName): Promise<HealthCheckResult> {
    // It asks nobody, and a shutdown has to be known at once.
    if (name === 'configuration') return this.#result(name);
    const { timeout, maxWaiting, maxClockSkew, shop, maxAge = MAX_AGE } = this.options;
    // Not as JSON, in which no limit is the same as none given.
    const key = [name, timeout, maxWaiting, maxClockSkew, shop].join(' ');
    return this.checked.shared.result(key, maxAge, () => this.#result(name));
  }

  async #result(name: HealthCheckName): Promise<HealthCheckResult> {
    const { clock, logger } = this.checked;
    const passed = stopwatch(clock);
    const finding = await this.#inTime(this.#checks[name]()).catch((error: unknown): Finding => {
      // Drivers put addresses and credentials into their messages: the report has none of them.
      logger.warn('A health check has failed', { check: name, error });
      // That the platform does not say its time is no fault of this process.
      if (name === 'clock') return {};
      return { reason: error instanceof TimeIsOver ? 'timeout' : 'unreachable' };
    });
    const status = finding.reason === undefined ? 'up' : 'down';
    return { status, ...finding, durationMs: Math.round(passed()) };
  }

  #inTime<T>(work: Promise<T>): Promise<T> {
    const { timeout = TIMEOUT } = this.options;
    const late = (): Error => new TimeIsOver(`It took longer than ${timeout} ms.`);
    return inTime(this.checked.clock, timeout, work, late);
  }

  /** An app whose options are wrong does not start: what is left is what starts later. */
  async #configuration(): Promise<Finding> {
    const { discovery, inFlight, logger } = this.checked;
    if (inFlight.isDraining) return down('shutting_down');
    try {
      await discovery.pending;
      return {};
    } catch (error) {
      logger.warn('A health check has failed', { check: 'configuration', error });
      return down('boot_failed');
    }
  }

  async #storage(): Promise<Finding> {
    await this.checked.storage.loadSession(PROBE);
    return {};
  }

  /** Held twice at a time it would be no lock. */
  async #lock(): Promise<Finding> {
    const { lock } = this.checked;
    const lease = (this.options.timeout ?? TIMEOUT) * 2;
    const [name, holder] = [`${PROBE}:${randomUUID()}`, randomUUID()];
    if (!(await lock.take(name, holder, lease))) return down('not_exclusive');
    try {
      return (await lock.take(name, randomUUID(), lease)) ? down('not_exclusive') : {};
    } finally {
      await lock.release(name, holder);
    }
  }

  async #queue(): Promise<Finding> {
    const depth = await this.checked.queue.depth();
    const isFull = (depth?.waiting ?? 0) > (this.options.maxWaiting ?? MAX_WAITING);
    return { depth, ...(isFull && down('too_many_waiting')) };
  }

  /**
   * Session tokens and signatures name times, so that an app whose clock is wrong refuses genuine
   * requests.
   */
  async #clock(): Promise<Finding> {
    const { config, clock, transport } = this.checked;
    const { shop, timeout = TIMEOUT, maxClockSkew = MAX_CLOCK_SKEW } = this.options;
    const response = await transport.send(config.appBridgeUrl(shop), { method: 'HEAD', timeout });
    const { headers } = response;
    await discard(response);
    // A cache sends the time of the reply that it has kept, and how long it has kept it.
    const age = Number(headers.get('age') ?? 0) * 1000;
    const theirs = Date.parse(headers.get('date') ?? '') + age;
    if (Number.isNaN(theirs)) return down('no_date');
    const skewMs = clock.now().getTime() - theirs;
    return { skewMs, ...(Math.abs(skewMs) > maxClockSkew && down('clock_skew')) };
  }
}

/** A check took longer than it may. */
class TimeIsOver extends Error {
  override readonly name = 'TimeIsOver';
}

function down(reason: HealthReason): Finding {
  return { reason };
}
