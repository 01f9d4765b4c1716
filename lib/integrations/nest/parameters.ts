import { createParamDecorator } from '@nestjs/common';
import type { ExecutionContext } from '@nestjs/common';

import { MissingRequiredArgument } from '../../core/core.errors.js';
import type { AdminContext } from '../../auth/clients/admin-context.js';
import type { ExtensionTokenPayload } from '../../auth/credentials/session-token.js';
import type { SessionScopes } from '../../auth/scopes/session-scopes.js';
import type { SessionBilling } from '../../billing/session-billing.js';
import type { StorefrontClient } from '../../graphql-client/storefront-graphql.client.js';
import type { Session } from '../../sessions/session.js';
import type { WebhookDelivery } from '../../webhooks/deliveries/webhook-delivery.js';
import type { SignedDelivery } from '../../webhooks/signed/signed-delivery.js';
import { isWebhookContext } from '../../webhooks/handlers/webhook-handler.factory.js';
import { billingOf, grantOf, scopesOf, sessionIn, shopIn } from './grant.js';
import type { AppProxyContext, SignedContext } from './signed-contexts.js';

/**
 * The session of the request, behind `AuthenticatedSessionGuard`; the shop's offline session, if it
 * has one, behind `AppProxyGuard`, `FlowGuard` and `FulfillmentServiceGuard`, and in a webhook
 * handler.
 */
export const CurrentSession = createParamDecorator(
  (_: unknown, context: ExecutionContext): Session | undefined =>
    isWebhookContext(context)
      ? deliveryOf(context).session
      : sessionIn(context, '@CurrentSession()').session,
);

/**
 * The Admin API on behalf of the session; behind guards without a user, and in a webhook handler,
 * on behalf of the shop: `undefined` once the app is uninstalled.
 */
export const AdminApi = createParamDecorator(
  (_: unknown, context: ExecutionContext): AdminContext | undefined =>
    isWebhookContext(context) ? deliveryOf(context).admin : sessionIn(context, '@AdminApi()').admin,
);

/**
 * The Storefront API on behalf of the session, behind `AuthenticatedSessionGuard`; behind
 * `AppProxyGuard`, and in a webhook handler, on behalf of the shop: `undefined` once the app is
 * uninstalled.
 */
export const StorefrontApi = createParamDecorator(
  (_: unknown, context: ExecutionContext): StorefrontClient | undefined =>
    isWebhookContext(context)
      ? deliveryOf(context).storefront
      : sessionIn(context, '@StorefrontApi()').storefront,
);

/**
 * What the shop of the session pays, behind `AuthenticatedSessionGuard` or `@RequiresPlan`. Inject
 * `BillingService` elsewhere.
 */
export const BillingApi = createParamDecorator(
  (_: unknown, context: ExecutionContext): SessionBilling => billingOf(context, '@BillingApi()'),
);

/**
 * What the shop of the session has granted, behind `AuthenticatedSessionGuard`. Inject
 * `ScopesService` elsewhere.
 */
export const ScopesApi = createParamDecorator(
  (_: unknown, context: ExecutionContext): SessionScopes => scopesOf(context, '@ScopesApi()'),
);

/**
 * The shop a delivery came from, in a `@WebhookHandler` method; elsewhere the shop of the request,
 * behind any guard of the toolkit but `BodyHmacGuard`. Takes pipes.
 */
export const Shop = createParamDecorator((_: unknown, context: ExecutionContext): string =>
  isWebhookContext(context) ? deliveryOf(context).shop : shopIn(context, '@Shop()'),
);

/**
 * The claims of the session token: that of an extension, behind `CheckoutGuard`,
 * `CustomerAccountGuard` or `PosGuard`; that of the admin, behind `AuthenticatedSessionGuard`, or
 * `undefined` for an app that is not embedded.
 */
export const SessionToken = createParamDecorator(
  (_: unknown, context: ExecutionContext): ExtensionTokenPayload | undefined => {
    const guards = 'CheckoutGuard, CustomerAccountGuard, PosGuard or AuthenticatedSessionGuard';
    const granted = grantOf(context, ['extension', 'session'], '@SessionToken()', guards);
    return granted.kind === 'session' ? granted.context.granted.sessionToken : granted.sessionToken;
  },
);

/**
 * A request through the app proxy, behind `AppProxyGuard`, or one of its members:
 * `@AppProxy('shop') shop: string`. Takes pipes.
 */
export const AppProxy = createParamDecorator(
  (member: keyof AppProxyContext | undefined, context: ExecutionContext) =>
    memberOf(grantOf(context, ['app_proxy'], '@AppProxy()', 'AppProxyGuard').context, member),
);

/**
 * The run of an action of Flow, behind `FlowGuard` or in a `@FlowAction('handle')` method, or one
 * of its members: `@FlowActionRun('payload') payload: Payload`. Takes pipes.
 */
export const FlowActionRun = createParamDecorator(
  (member: keyof SignedContext | undefined, context: ExecutionContext) =>
    isWebhookContext(context)
      ? memberOf<SignedDelivery>(deliveryOf(context), member)
      : memberOf(grantOf(context, ['flow'], '@FlowActionRun()', 'FlowGuard').context, member),
);

/**
 * What a fulfillment service is notified of, behind `FulfillmentServiceGuard` or in a
 * `@FulfillmentService()` method, or one of its members. Takes pipes.
 */
export const FulfillmentNotification = createParamDecorator(
  (member: keyof SignedContext | undefined, context: ExecutionContext) => {
    if (isWebhookContext(context)) return memberOf<SignedDelivery>(deliveryOf(context), member);
    const [name, guard] = ['@FulfillmentNotification()', 'FulfillmentServiceGuard'];
    return memberOf(grantOf(context, ['fulfillment_service'], name, guard).context, member);
  },
);

/** The bytes of the body as they were signed, behind `BodyHmacGuard`. Takes pipes. */
export const SignedBody = createParamDecorator(
  (_: unknown, context: ExecutionContext): Buffer =>
    grantOf(context, ['body'], '@SignedBody()', 'BodyHmacGuard').bytes,
);

function memberOf<Context extends object>(
  context: Context,
  member: keyof Context | undefined,
): unknown {
  return member === undefined ? context : context[member];
}

/** The topic of a delivery as a constant, in a `@WebhookHandler` method. Takes pipes. */
export const Topic = createParamDecorator(
  (_: unknown, context: ExecutionContext): string => deliveryIn(context, '@Topic()').topic,
);

/**
 * What identifies a delivery in every attempt, in a `@WebhookHandler` method. Takes pipes.
 */
export const DeliveryId = createParamDecorator(
  (_: unknown, context: ExecutionContext): string => deliveryIn(context, '@DeliveryId()').webhookId,
);

/** The whole delivery, in a `@WebhookHandler` method. */
export const WebhookContext = createParamDecorator(
  (_: unknown, context: ExecutionContext): WebhookDelivery =>
    deliveryIn(context, '@WebhookContext()'),
);

/** @throws {MissingRequiredArgument} on a route, whose request is no delivery */
function deliveryIn(context: ExecutionContext, decorator: string): WebhookDelivery {
  if (!isWebhookContext(context))
    throw new MissingRequiredArgument(
      `${decorator} reads the delivery of a webhook: use it in a method with @WebhookHandler(), not on a route.`,
    );
  return deliveryOf(context);
}

function deliveryOf(context: ExecutionContext): WebhookDelivery {
  return context.getArgByIndex<WebhookDelivery>(0);
}
