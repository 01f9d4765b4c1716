import { reloadableAddress, withoutParameters } from '../auth/responses/auth-urls.js';
import type { InboundRequest } from '../core/http/inbound-request.js';
import { QUERY } from '../core/vendor.js';
import type { BillingState, Charge } from './billing-state.js';

/** Query parameter of a page that waits for a charge: how often it has reloaded itself. */
const RELOADS = 'billing-look';
const MAX_RELOADS = 3;

/**
 * The number of the charge a merchant returns from, whatever they decided; `undefined` for every
 * other request.
 */
export function returnedChargeNumber(request: InboundRequest): string | undefined {
  return request.url.searchParams.get(QUERY.charge) || undefined;
}

/**
 * The charge a merchant returns from; `undefined` when the platform does not list it. A
 * subscription and a purchase may have the same number: the undecided one is meant.
 */
export function returnedCharge(number: string, { charges }: BillingState): Charge | undefined {
  const found = charges.filter(({ id }) => id.slice(id.lastIndexOf('/') + 1) === number);
  return found.find(isUndecided) ?? found[0];
}

/** True while the charge a merchant returns from may still become active by itself. */
export function isPending(request: InboundRequest, number: string, state: BillingState): boolean {
  const charge = returnedCharge(number, state);
  return charge ? isUndecided(charge) : canReload(request);
}

/** True for a page that has not reloaded itself often enough to give up on a charge. */
export function canReload(request: InboundRequest): boolean {
  return reloadsOf(request.url) < MAX_RELOADS;
}

/** The address with which a waiting page reloads itself. */
export function reloadUrl(address: URL): string {
  const url = reloadableAddress(address);
  url.searchParams.set(RELOADS, String(reloadsOf(address) + 1));
  return url.href;
}

/** The address with which the merchant waits for the charge again. */
export function waitAgainUrl(address: URL): string {
  return without(address, [RELOADS]);
}

/** The address without the charge. */
export function startOverUrl(address: URL): string {
  return without(address, [RELOADS, QUERY.charge]);
}

function isUndecided({ status }: Charge): boolean {
  return status === 'PENDING' || status === 'ACCEPTED';
}

function reloadsOf(address: URL): number {
  return Number(address.searchParams.get(RELOADS)) || 0;
}

function without(address: URL, names: readonly string[]): string {
  const url = reloadableAddress(address);
  url.search = String(withoutParameters(url.searchParams, names));
  return url.href;
}
