import type { AuthUrls } from '../auth/responses/auth-urls.js';
import { bearerToken, sessionTokenOf } from '../auth/credentials/session-token.js';
import type { ApiSession } from '../core/api-session.js';
import type { Clock } from '../core/time/clock.js';
import type { PlatformConfig } from '../core/config/platform-config.js';
import { denied } from '../core/decision.js';
import type { ResponseDecision } from '../core/decision.js';
import { isFramed, wantsDocument } from '../core/http/inbound-request.js';
import type { InboundRequest } from '../core/http/inbound-request.js';
import type { PlatformLogger } from '../core/logger.js';
import { sanitizeShop } from '../core/shop-domain.js';
import type { BillingCall } from './billing.api.js';
import { PlanRequiredError } from './billing.errors.js';
import type { PlanRefusal } from './billing.errors.js';
import { MESSAGES, refusalPage, waitingPage } from './billing.pages.js';
import type { PlanName } from './billing-plans.js';
import {
  chargeOf,
  isUnderWay,
  lookAgain,
  mayLoadAgain,
  returnedFrom,
  startOver,
  waitAnew,
} from './billing-return.js';
import type { BillingService } from './billing.service.js';
import { checkOf } from './billing-state.js';
import type { BillingCheck, BillingState, PaymentFilter } from './billing-state.js';
import { checkedPlans } from './required-plans.js';

/**
 * How often the platform is asked, within one request, whether a charge runs by now; and the
 * milliseconds in between.
 */
const LOOKS = 4;
const BETWEEN_LOOKS = 500;

/** What a request needs to go on, and what becomes of it otherwise. */
export interface RequirePlanOptions<Answer = never> {
  /** Any of them will do. */
  readonly plans: PlanName | readonly PlanName[];
  /**
   * The one a shop without any is asked to pay for. @default the first of `plans` that the app
   * sells
   */
  readonly plan?: PlanName | undefined;
  /** Test charges count, and are asked for. @default the app's `billing.isTest` */
  readonly isTest?: boolean | undefined;
  /**
   * Where the merchant goes after approving. @default the page that was asked for; for all but
   * pages the app's home
   */
  readonly returnUrl?: string | undefined;
  /**
   * Answers in place of the toolkit, such as with a page of plans. Not called for a request with a
   * `charge_id`: who comes back from a charge, declined or not confirmed yet, would be asked for
   * another at once where this asks for one.
   */
  readonly onFailure?: ((error: PlanRequiredError) => Answer | Promise<Answer>) | undefined;
}

/** The shop pays. */
export interface BillingGranted {
  readonly kind: 'granted';
  readonly check: BillingCheck;
}

/** The app has answered by its `onFailure`. */
export interface BillingAnswered<Answer> {
  readonly kind: 'answered';
  readonly answer: Answer;
}

/** What becomes of a request that needs a plan. */
export type BillingDecision<Answer = never> =
  BillingGranted | BillingAnswered<Answer> | ResponseDecision;

/** What the gate is built from. */
export interface BillingGateDependencies {
  readonly config: PlatformConfig;
  readonly clock: Clock;
  readonly logger: PlatformLogger;
  readonly urls: AuthUrls;
  readonly billing: BillingService;
}

/** Lets requests of paying shops through, and leads all others to where they can pay. */
export class BillingGate {
  constructor(private readonly dependencies: BillingGateDependencies) {}

  /**
   * Decides about a request of an authenticated session. That a shop pays is believed for a minute,
   * or until the platform says otherwise; that it does not pay is never believed without asking.
   * Who comes back from approving a charge is not asked for another.
   * @throws {BillingError} when no charge can be asked for, or `plan` is not among `plans`
   */
  async require<Answer = never>(
    request: InboundRequest,
    session: ApiSession,
    options: RequirePlanOptions<Answer>,
  ): Promise<BillingDecision<Answer>> {
    const { billing } = this.dependencies;
    const accepted = checkedPlans(options.plans, options.plan);
    const call: BillingCall = { session, sessionToken: sessionTokenOf(request) };
    const filter = billing.filter(options);
    const number = returnedFrom(request);
    const remembered =
      number === undefined ? await billing.rememberedState(session.shop) : undefined;
    const state =
      remembered && checkOf(remembered, filter).hasActivePayment
        ? remembered
        : await this.#settled(request, call, number, filter);
    const check = checkOf(state, filter);
    if (check.hasActivePayment) return { kind: 'granted', check };
    if (number !== undefined && isUnderWay(request, number, state))
      return this.#wait(request, session.shop);
    const reason = reasonFor(number, state);
    this.dependencies.logger.info('A shop has no plan that counts', {
      shop: session.shop,
      plans: filter.plans,
      reason,
    });
    if (number !== undefined) return this.#refuse(request, session.shop, reason);
    if (!options.onFailure) return this.#ask(request, call, accepted, options, state);
    return {
      kind: 'answered',
      answer: await options.onFailure(new PlanRequiredError(session.shop, accepted)),
    };
  }

  /** The state as soon as it is clear, or as it is when that takes too long. */
  async #settled(
    request: InboundRequest,
    call: BillingCall,
    number: string | undefined,
    filter: PaymentFilter,
  ): Promise<BillingState> {
    for (let look = 1; ; look++) {
      const state = await this.dependencies.billing.state(call);
      const isClear =
        number === undefined ||
        checkOf(state, filter).hasActivePayment ||
        !isUnderWay(request, number, state);
      if (isClear || look === LOOKS) return state;
      await this.dependencies.clock.sleep(BETWEEN_LOOKS);
    }
  }

  #wait(request: InboundRequest, shop: string): ResponseDecision {
    if (isPage(request) && mayLoadAgain(request))
      return waitingPage({ config: this.dependencies.config, shop }, lookAgain(request.url));
    return this.#refuse(request, shop, 'plan_pending');
  }

  #refuse(request: InboundRequest, shop: string, reason: PlanRefusal): ResponseDecision {
    if (!isPage(request)) return denied(402, reason, MESSAGES[reason]);
    const again = { title: 'Look again', url: waitAnew(request.url) };
    const over = { title: 'Choose the plan again', url: startOver(request.url) };
    return refusalPage(
      { config: this.dependencies.config, shop },
      reason,
      reason === 'plan_pending' ? [again, over] : [over],
    );
  }

  async #ask(
    request: InboundRequest,
    call: BillingCall,
    accepted: readonly [PlanName, ...PlanName[]],
    { plan, isTest, returnUrl }: RequirePlanOptions<unknown>,
    { charges }: BillingState,
  ): Promise<ResponseDecision> {
    const { billing } = this.dependencies;
    const params = {
      ...call,
      plan: plan ?? accepted.find((name) => billing.plans.has(name)) ?? accepted[0],
      isTest,
      returnUrl: returnUrl ?? this.#pageAskedFor(request, call),
    };
    const { confirmationUrl } = await billing.request(params, charges);
    return this.#sendTo(request, call.session.shop, confirmationUrl);
  }

  #pageAskedFor(request: InboundRequest, { session }: BillingCall): string | undefined {
    const { config, urls } = this.dependencies;
    if (!isPage(request)) return undefined;
    if (!config.isEmbeddedApp) return startOver(request.url);
    const { location } = urls.embeddedApp(request, sanitizeShop(session.shop, true), {
      keepPage: true,
    });
    return startOver(new URL(location));
  }

  /**
   * The confirmation page wants the whole window, which each kind of request gives up in its own
   * way.
   */
  #sendTo(request: InboundRequest, shop: string, confirmationUrl: string): ResponseDecision {
    const { urls } = this.dependencies;
    const reason: PlanRefusal = 'plan_required';
    const details = { confirmationUrl };
    if (wantsDocument(request)) {
      return isFramed(request)
        ? urls.exitIframe(request, shop, confirmationUrl)
        : { kind: 'redirect', location: confirmationUrl, reason };
    }
    return bearerToken(request) === undefined
      ? { ...denied(402, reason, MESSAGES[reason]), details }
      : { ...urls.reauthorize(confirmationUrl, reason, MESSAGES[reason]), details };
  }
}

/** Something a browser shows and can load again. */
function isPage(request: InboundRequest): boolean {
  return wantsDocument(request) && (request.method === 'GET' || request.method === 'HEAD');
}

/**
 * Why a shop that does not pay does not; a charge that runs without counting is of another plan, or
 * a test.
 */
function reasonFor(number: string | undefined, state: BillingState): PlanRefusal {
  const charge = number === undefined ? undefined : chargeOf(number, state);
  return charge === undefined || charge.status === 'ACTIVE' ? 'plan_required' : 'plan_declined';
}
