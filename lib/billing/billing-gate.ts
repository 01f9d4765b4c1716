import type { AuthUrls } from '../auth/responses/auth-urls.js';
import { bearerToken } from '../auth/credentials/session-token.verifier.js';
import type { ApiSession } from '../core/api-session.js';
import type { Clock } from '../core/time/clock.js';
import type { PlatformConfig } from '../core/config/platform-config.js';
import { denied } from '../core/decision.js';
import type { ResponseDecision } from '../core/decision.js';
import { isFramed, wantsDocument } from '../core/http/inbound-request.js';
import type { InboundRequest } from '../core/http/inbound-request.js';
import type { PlatformLogger } from '../core/logger.js';
import { sanitizeShop } from '../core/shop-domain.js';
import type { BillingCall } from './billing.client.js';
import { BillingError, PlanRequiredError } from './billing.errors.js';
import type { PlanDenyReason } from './billing.errors.js';
import { MESSAGES, deniedPage, waitingPage } from './billing.pages.js';
import type { PlanName } from './billing-plans.js';
import {
  canReload,
  isPending,
  reloadUrl,
  returnedCharge,
  returnedChargeNumber,
  startOverUrl,
  waitAgainUrl,
} from './billing-return.js';
import type { BillingService } from './billing.service.js';
import type { BillingCheck, BillingState } from './billing-state.js';

/**
 * How often the platform is asked, within one request, whether a charge is active; and the
 * milliseconds in between.
 */
const POLLS = 4;
const POLL_INTERVAL = 500;

/** What a request needs, and what happens when its shop does not pay for it. */
export interface RequirePlanOptions<Answer = never> {
  /** Any of them is enough. */
  readonly plans: PlanName | readonly PlanName[];
  /** The plan a shop is asked to pay for. @default the first of `plans` that the app sells */
  readonly plan?: PlanName | undefined;
  /**
   * Test charges count, and are requested. @default the app's `billing.isTest`; without it, test
   * charges count where there is no real one, with a warning, and real ones are requested
   */
  readonly isTest?: boolean | undefined;
  /**
   * Where the merchant goes after approving. @default the requested page; for requests other than
   * pages, the app's home
   */
  readonly returnUrl?: string | undefined;
  /**
   * `request` asks the merchant to pay, `deny` responds with 402, a function responds itself, for
   * example with a page of plans. Does not apply to a request with a `charge_id`: a merchant who
   * returns from a charge that was declined, or is not active yet, would be asked for another at
   * once. @default 'request'
   */
  readonly onFailure?:
    'request' | 'deny' | ((error: PlanRequiredError) => Answer | Promise<Answer>) | undefined;
}

/** The shop pays. */
export interface BillingGranted {
  readonly kind: 'granted';
  readonly check: BillingCheck;
}

/** The app has responded with its `onFailure`. */
export interface BillingAnswered<Answer> {
  readonly kind: 'answered';
  readonly answer: Answer;
}

/** The decision about a request that needs a plan. */
export type BillingDecision<Answer = never> =
  BillingGranted | BillingAnswered<Answer> | ResponseDecision;

/** What a {@link BillingGate} depends on. */
interface BillingGateDependencies {
  readonly config: PlatformConfig;
  readonly clock: Clock;
  readonly logger: PlatformLogger;
  readonly urls: AuthUrls;
  readonly billing: BillingService;
}

/** Lets requests of paying shops through, and sends all others to where they can pay. */
export class BillingGate {
  constructor(private readonly dependencies: BillingGateDependencies) {}

  /**
   * Decides about a request of an authenticated session. That a shop pays is cached for a minute,
   * or until the platform reports a change; that it does not pay is never cached. A merchant who
   * returns from approving a charge is not asked for another.
   * @throws {BillingError} when no charge can be requested, `plan` is not among `plans`, or
   * `onFailure` is none
   */
  async require<Answer = never>(
    request: InboundRequest,
    session: ApiSession,
    options: RequirePlanOptions<Answer>,
  ): Promise<BillingDecision<Answer>> {
    const { billing } = this.dependencies;
    const accepted = checkedPlans(options);
    const call: BillingCall = { session };
    const { plans, isTest } = options;
    const check = (read: BillingState): BillingCheck =>
      billing.checked(read, { session, plans, isTest });
    const number = returnedChargeNumber(request);
    const cached = number === undefined ? await billing.cachedState(session.shop) : undefined;
    const state =
      cached && check(cached).hasActivePayment
        ? cached
        : await this.#settledState(request, call, number, check);
    const found = check(state);
    if (found.hasActivePayment) return { kind: 'granted', check: found };
    if (number !== undefined && isPending(request, number, state))
      return this.#wait(request, session.shop);
    const reason = denyReason(number, state);
    this.dependencies.logger.info('A shop has no plan that counts', {
      shop: session.shop,
      plans,
      reason,
    });
    if (number !== undefined) return this.#deny(request, session.shop, reason);
    const { onFailure = 'request' } = options;
    if (onFailure === 'request') return this.#request(request, call, accepted, options, state);
    const error = new PlanRequiredError(session.shop, accepted);
    if (onFailure === 'deny') return denied(402, error.reason, error.message);
    return { kind: 'answered', answer: await onFailure(error) };
  }

  /** The state once the charge is decided, or the last one read when that takes too long. */
  async #settledState(
    request: InboundRequest,
    call: BillingCall,
    number: string | undefined,
    check: (state: BillingState) => BillingCheck,
  ): Promise<BillingState> {
    for (let poll = 1; ; poll++) {
      const state = await this.dependencies.billing.state(call);
      const isSettled =
        number === undefined || check(state).hasActivePayment || !isPending(request, number, state);
      if (isSettled || poll === POLLS) return state;
      await this.dependencies.clock.sleep(POLL_INTERVAL);
    }
  }

  #wait(request: InboundRequest, shop: string): ResponseDecision {
    if (isPage(request) && canReload(request))
      return waitingPage({ config: this.dependencies.config, shop }, reloadUrl(request.url));
    return this.#deny(request, shop, 'plan_pending');
  }

  #deny(request: InboundRequest, shop: string, reason: PlanDenyReason): ResponseDecision {
    if (!isPage(request)) return denied(402, reason, MESSAGES[reason]);
    const again = { title: 'Look again', url: waitAgainUrl(request.url) };
    const over = { title: 'Choose the plan again', url: startOverUrl(request.url) };
    return deniedPage(
      { config: this.dependencies.config, shop },
      reason,
      reason === 'plan_pending' ? [again, over] : [over],
    );
  }

  async #request(
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
      returnUrl: returnUrl ?? this.#requestedPage(request, call),
    };
    const { confirmationUrl } = await billing.request(params, charges);
    return this.#sendTo(request, call.session.shop, confirmationUrl);
  }

  #requestedPage(request: InboundRequest, { session }: BillingCall): string | undefined {
    const { config, urls } = this.dependencies;
    if (!isPage(request)) return undefined;
    if (!config.isEmbeddedApp) return startOverUrl(request.url);
    const { location } = urls.embeddedApp(request, sanitizeShop(session.shop, true), {
      keepPage: true,
    });
    return startOverUrl(new URL(location));
  }

  /**
   * The confirmation page needs the whole window: how to leave the frame depends on the request.
   */
  #sendTo(request: InboundRequest, shop: string, confirmationUrl: string): ResponseDecision {
    const { urls } = this.dependencies;
    const reason: PlanDenyReason = 'plan_required';
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

/** A page that a browser can show and reload. */
function isPage(request: InboundRequest): boolean {
  return wantsDocument(request) && (request.method === 'GET' || request.method === 'HEAD');
}

/** A charge that is active without counting is of another plan, or a test. */
function denyReason(number: string | undefined, state: BillingState): PlanDenyReason {
  const charge = number === undefined ? undefined : returnedCharge(number, state);
  return charge === undefined || charge.status === 'ACTIVE' ? 'plan_required' : 'plan_declined';
}

/**
 * The required plans as a list. Call it where they are declared, so that a mistake is found at
 * start-up.
 * @throws {BillingError} when there are none, or `plan`, the one a shop is asked to pay for, is not
 * among them: paying for it would not let the request through; or `onFailure` is none
 */
export function checkedPlans({
  plans,
  plan,
  onFailure = 'request',
}: Pick<RequirePlanOptions, 'plans' | 'plan'> & {
  readonly onFailure?: unknown;
}): readonly [PlanName, ...PlanName[]] {
  if (onFailure !== 'request' && onFailure !== 'deny' && typeof onFailure !== 'function')
    throw new BillingError(
      "The onFailure of a required plan must be 'request', 'deny' or a function.",
    );
  const [first, ...others] = [plans].flat();
  if (first === undefined)
    throw new BillingError(
      'No plan is named that the shop could be asked to pay for: pass the name of one of those in `billing`.',
    );
  const accepted = [first, ...others] as const;
  if (plan === undefined || accepted.includes(plan)) return accepted;
  throw new BillingError(
    `Plan ${plan} is not among those that are required: ${accepted.join(', ')}.`,
  );
}
