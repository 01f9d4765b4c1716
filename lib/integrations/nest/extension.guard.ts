import { Injectable, mixin } from '@nestjs/common';
import type { CanActivate, ExecutionContext, Type } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';

import { ExtensionAuthenticator } from '../../auth/public/extension.authenticator.js';
import type {
  ExtensionOptions,
  ExtensionSurface,
} from '../../auth/public/extension.authenticator.js';
import type { Token } from '../../core/binding.js';
import { PlatformConfig } from '../../core/config/platform-config.js';
import type { Untyped } from '../../core/json.js';
import { grant } from './grant.js';
import { emptyReply } from './nest-response.js';
import { RequestGuard } from './request.guard.js';

/** A class of guards for one surface. */
export interface ExtensionGuardClass extends Type<ExtensionGuard> {
  /** Name of the app that it authenticates for. */
  readonly app: string;
  readonly surface: ExtensionSurface;
  readonly options: ExtensionOptions;
}

/**
 * Lets requests of extensions through that come with a session token in their `Authorization`
 * header, and gives `@SessionToken()` its value; answers all others with 401. The extension can
 * read every response; preflight requests of guarded routes are answered in front of the app. The
 * session token of any extension of the app is accepted, wherever it runs, and none proves that
 * staff of the shop is there.
 */
@Injectable()
export abstract class ExtensionGuard extends RequestGuard {
  /** Where the extension runs. */
  static readonly surface: ExtensionSurface;
  /** How it may call the app. */
  static readonly options: ExtensionOptions = {};

  static override readonly perApp: readonly Token[] = [ExtensionAuthenticator, PlatformConfig];

  constructor(
    private readonly authenticator: ExtensionAuthenticator,
    config: PlatformConfig,
    host: HttpAdapterHost,
  ) {
    super(config, host);
  }

  /**
   * The guard with options: `@UseGuards(CheckoutGuard.with({ corsHeaders: ['X-Request-Id'] }))`.
   */
  static with<Guard extends Type<CanActivate>>(this: Guard, options: ExtensionOptions): Guard {
    const Base = this as unknown as new (...injected: Untyped[]) => ExtensionGuard;
    class GuardWithOptions extends Base {
      static readonly options: ExtensionOptions = options;
    }
    return mixin(GuardWithOptions) as unknown as Guard;
  }

  /**
   * @throws {HttpException} or `WsException`, `RpcException`, when the request is refused; for a
   * preflight request as well
   */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const { surface, options } = this.constructor as typeof ExtensionGuard;
    const request = this.inbound(context);
    const decision = this.authenticator.authenticate(request, surface, options);
    if (decision.kind === 'denied') return this.refuse(context, request, decision);
    this.addHeaders(context, decision.headers);
    if (decision.kind === 'preflight') throw emptyReply(decision.status);
    const { sessionToken, shop } = decision;
    grant(context, { kind: 'extension', app: this.app, shop, sessionToken });
    return true;
  }
}

/**
 * For extensions of the checkout: the `dest` of their token is the domain of the shop.
 * As each guard of extensions it accepts the session token of any extension of the app; none proves
 * that staff is there.
 * @see
 * https://shopify.dev/docs/api/checkout-ui-extensions/latest/target-apis/platform-apis/session-token-api
 */
@Injectable()
export class CheckoutGuard extends ExtensionGuard {
  static override readonly surface = 'checkout';
}

/**
 * For extensions of customer accounts.
 * As each guard of extensions it accepts the session token of any extension of the app; none proves
 * that staff is there.
 * @see https://shopify.dev/docs/api/customer-account-ui-extensions/latest/apis/session-token
 */
@Injectable()
export class CustomerAccountGuard extends ExtensionGuard {
  static override readonly surface = 'customer_account';
}

/**
 * For extensions of the point of sale.
 * As each guard of extensions it accepts the session token of any extension of the app; none proves
 * that staff is there.
 * @see https://shopify.dev/docs/api/pos-ui-extensions/latest/apis/session-api
 */
@Injectable()
export class PosGuard extends ExtensionGuard {
  static override readonly surface = 'pos';
}
