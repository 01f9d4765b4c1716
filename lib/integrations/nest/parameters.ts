import { createParamDecorator } from '@nestjs/common';
import type { ExecutionContext } from '@nestjs/common';

import { MissingRequiredArgument } from '../../core/core.errors.js';
import type { AdminContext } from '../../auth/clients/admin-context.js';
import type { SessionScopes } from '../../auth/scopes/session-scopes.js';
import type { SessionBilling } from '../../billing/session-billing.js';
import type { StorefrontClient } from '../../graphql-client/storefront-graphql.client.js';
import type { Session } from '../../sessions/session.js';
import type { WebhookDelivery } from '../../webhooks/deliveries/webhook-delivery.js';
import { isWebhookContext } from '../../webhooks/handlers/webhook-handler.factory.js';
import { billingOf, grantedTo, scopesOf } from './grant.js';

/**
 * The session of the request, behind `AuthenticatedSessionGuard`; in a webhook handler the shop's
 * offline session, if it has one.
 */
export const CurrentSession = createParamDecorator(
  (_: unknown, context: ExecutionContext): Session | undefined =>
    isWebhookContext(context)
      ? deliveryOf(context).session
      : grantedTo(context.switchToHttp().getRequest<object>(), '@CurrentSession()').session,
);

/**
 * The Admin API on behalf of the session; in a webhook handler on behalf of the shop, `undefined`
 * once the app is uninstalled.
 */
export const AdminApi = createParamDecorator(
  (_: unknown, context: ExecutionContext): AdminContext | undefined =>
    isWebhookContext(context)
      ? deliveryOf(context).admin
      : grantedTo(context.switchToHttp().getRequest<object>(), '@AdminApi()').admin,
);

/**
 * The Storefront API on behalf of the session; in a webhook handler on behalf of the shop,
 * `undefined` once the app is uninstalled.
 */
export const StorefrontApi = createParamDecorator(
  (_: unknown, context: ExecutionContext): StorefrontClient | undefined =>
    isWebhookContext(context)
      ? deliveryOf(context).storefront
      : grantedTo(context.switchToHttp().getRequest<object>(), '@StorefrontApi()').storefront,
);

/**
 * What the shop of the session pays, behind `AuthenticatedSessionGuard` or `@RequiresPlan`. Inject
 * `BillingService` elsewhere.
 */
export const BillingApi = createParamDecorator(
  (_: unknown, context: ExecutionContext): SessionBilling =>
    billingOf(context.switchToHttp().getRequest<object>(), '@BillingApi()'),
);

/**
 * What the shop of the session has granted, behind `AuthenticatedSessionGuard`. Inject
 * `ScopesService` elsewhere.
 */
export const ScopesApi = createParamDecorator(
  (_: unknown, context: ExecutionContext): SessionScopes =>
    scopesOf(context.switchToHttp().getRequest<object>(), '@ScopesApi()'),
);

/**
 * The shop a delivery came from, in a `@WebhookHandler` method; elsewhere the shop of the session,
 * behind `AuthenticatedSessionGuard`. Takes pipes.
 */
export const Shop = createParamDecorator((_: unknown, context: ExecutionContext): string =>
  isWebhookContext(context)
    ? deliveryOf(context).shop
    : grantedTo(context.switchToHttp().getRequest<object>(), '@Shop()').session.shop,
);

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
