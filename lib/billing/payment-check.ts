import { TtlSet } from '../core/cache/ttl-cache.js';
import type { PlatformLogger } from '../core/logger.js';
import type { Clock } from '../core/time/clock.js';
import { checkOf } from './billing-state.js';
import type { BillingCheck, BillingState, PaymentFilter } from './billing-state.js';
import type { PlanCatalog } from './plan-catalog.js';

/** What a {@link PaymentCheck} works with. */
interface PaymentCheckDependencies {
  readonly plans: PlanCatalog;
  readonly clock: Clock;
  readonly logger: PlatformLogger;
}

/** Decides which payments of a shop count. */
export class PaymentCheck {
  readonly #warned: TtlSet;

  constructor(private readonly dependencies: PaymentCheckDependencies) {
    this.#warned = new TtlSet(dependencies.clock, Infinity);
  }

  /**
   * The payments that count. Where neither the call nor the app says whether tests do, they count
   * while there is no real one, with one warning per shop: an app that was written for a library
   * whose charges are tests by default must not ask its shops to pay again.
   */
  of(state: BillingState, shop: string, { plans, isTest }: PaymentFilter): BillingCheck {
    const { plans: catalog, logger } = this.dependencies;
    const decided = isTest ?? catalog.isTest;
    const check = checkOf(state, { plans, isTest: decided });
    if (decided !== undefined || check.hasActivePayment) return check;
    const tests = checkOf(state, { plans, isTest: true });
    if (tests.hasActivePayment && this.#warned.add(shop)) logger.warn(TEST_ACCEPTED, { shop });
    return tests;
  }
}

const TEST_ACCEPTED =
  'A shop has only a test charge, which costs it nothing, and it was accepted. ' +
  'Set isTest to true where tests count, or to false to ask the shop for a real payment';
