import { Injectable, SetMetadata, UseGuards, applyDecorators } from '@nestjs/common';
import type { CanActivate, ExecutionContext, OnModuleInit, Type } from '@nestjs/common';
import { HttpAdapterHost, ModulesContainer, Reflector } from '@nestjs/core';

import { BillingGate, checkedPlans } from '../../billing/billing-gate.js';
import type { RequirePlanOptions } from '../../billing/billing-gate.js';
import type { PlanRequiredError } from '../../billing/billing.errors.js';
import type { PlanName } from '../../billing/billing-plans.js';
import { PlanCatalog } from '../../billing/plan-catalog.js';
import type { Token } from '../../core/binding.js';
import { PlatformConfig } from '../../core/config/platform-config.js';
import { InvalidOptionsError } from '../../core/core.errors.js';
import type { OptionProblem } from '../../core/core.errors.js';
import { DEFAULT_APP } from '../../platform/nest/platform-tokens.js';
import { grantedTo } from './grant.js';
import { RequestGuard } from './request.guard.js';
import { AuthenticatedSessionGuard } from './session.guard.js';
import { marksOf } from './session-routes.js';

/** What becomes of a request whose shop pays for none of the plans. */
export interface RequiresPlanOptions extends Pick<
  RequirePlanOptions,
  'plan' | 'isTest' | 'returnUrl'
> {
  /**
   * `request` asks the merchant to pay, in the way the kind of request allows; `deny` answers 402.
   * A function decides by itself: it may throw an exception of the app's, or answer with true to
   * let the request through. With `request`, an app that has plans does not start when it lacks
   * the one that it would ask for. @default 'request'
   */
  readonly onFailure?:
    | 'request'
    | 'deny'
    | ((error: PlanRequiredError, context: ExecutionContext) => boolean | Promise<boolean>)
    | undefined;
  /**
   * The guard that finds the session, such as one that overrides `getRequest()`; it has to be a
   * guard of the same `app`, as one of `YourGuard.of(app)` is. @default `AuthenticatedSessionGuard`
   * of the app
   */
  readonly guard?: Type<CanActivate> | undefined;
  /** Name of the app the plans belong to. @default the unnamed app */
  readonly app?: string | undefined;
}

interface Requirement extends RequiresPlanOptions {
  readonly plans: readonly PlanName[];
}

/**
 * Each app's requirement has a place of its own, so that one on a handler does not take that of
 * another app on its controller away.
 */
const requirementOf = (app: string): symbol => Symbol.for(`shopwright:${app}:REQUIRED_PLAN`);

/**
 * Lets requests of shops through that pay for one of the plans; goes on a handler or a controller,
 * and brings `AuthenticatedSessionGuard` along. What a handler requires replaces what its
 * controller requires of the same app.
 * @throws {BillingError} when no plan is named, `plan` is not among them, or `onFailure` is none
 * @example
 * @RequiresPlan('Pro')
 * @Get('reports') reports(@CurrentSession() session: Session) {}
 */
export function RequiresPlan(
  plans: PlanName | readonly PlanName[],
  options: RequiresPlanOptions = {},
): ClassDecorator & MethodDecorator {
  const { app = DEFAULT_APP, guard = AuthenticatedSessionGuard.of(app) } = options;
  const requirement: Requirement = { ...options, plans: checkedPlans({ ...options, plans }) };
  const guards = [guard, PlanGuard.of(app)];
  return applyDecorators(SetMetadata(requirementOf(app), requirement), UseGuards(...guards));
}

/**
 * Carries out what `@RequiresPlan` says. Refuses as `AuthenticatedSessionGuard` of its app does,
 * which has to stand before it.
 * @throws {MissingRequiredArgument} when no session guard of its app did
 */
@Injectable()
export class PlanGuard extends RequestGuard implements OnModuleInit {
  static override readonly perApp: readonly Token[] = [BillingGate, PlatformConfig, PlanCatalog];

  constructor(
    private readonly gate: BillingGate,
    config: PlatformConfig,
    private readonly reflector: Reflector,
    host: HttpAdapterHost,
    private readonly catalog: PlanCatalog,
    private readonly modules: ModulesContainer,
  ) {
    super(config, host);
  }

  /**
   * Nest makes a guard for each module that has it on a route: no other is looked through.
   * @throws {InvalidOptionsError} naming each handler or class whose shops would be asked to pay
   * for a plan that is not among those of `billing`
   */
  onModuleInit(): void {
    // An app that names none may leave its plans to the platform.
    if (this.catalog.names.length === 0) return;
    const places = [...this.modules.values()]
      .filter(({ injectables }) => injectables.get(this.constructor)?.instance === this)
      .flatMap(({ controllers, providers }) => [...controllers.values(), ...providers.values()]);
    const classes = new Set(places.map(({ metatype }) => metatype));
    const problems = [...classes].flatMap((metatype) =>
      marksOf<Requirement>(metatype, requirementOf(this.app)).flatMap(({ place, mark }) =>
        this.#problemsOf(mark, place),
      ),
    );
    if (problems.length > 0) throw new InvalidOptionsError(problems);
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const places = [context.getHandler(), context.getClass()];
    const requirement = this.reflector.getAllAndOverride<Requirement | undefined>(
      requirementOf(this.app),
      places,
    );
    if (!requirement) return true;
    const decorator = this.app === DEFAULT_APP ? '@RequiresPlan()' : '@RequiresPlan(…, { app })';
    const { request, context: granted, met } = grantedTo(context, decorator, this.app);
    if (met.has(requirement)) return true;
    const { session } = granted.granted;
    const { onFailure, app: _app, guard: _guard, ...wanted } = requirement;
    const decision = await this.gate.require<boolean>(request, session, {
      ...wanted,
      onFailure: typeof onFailure === 'function' ? (error) => onFailure(error, context) : onFailure,
    });
    const outcome =
      decision.kind === 'answered' ? decision.answer : decision.kind === 'granted' || decision;
    if (outcome === true) met.add(requirement);
    if (typeof outcome === 'boolean') return outcome;
    const refuse = await this.refusal(context, request);
    throw refuse(outcome, session.shop);
  }

  #problemsOf({ plan, plans, onFailure }: Requirement, option: string): OptionProblem[] {
    // The others may name plans that are no longer sold, or that the platform itself sells.
    if ((onFailure ?? 'request') !== 'request') return [];
    const asked = plan === undefined ? plans : [plan];
    if (asked.some((name) => this.catalog.has(name))) return [];
    const message = `@RequiresPlan() asks shops to pay for ${asked.join(' or ')}, but the option billing has only ${this.catalog.names.join(', ')}: name one of its plans, add one to it, or say with onFailure what becomes of these shops`;
    return [{ option, message }];
  }
}
