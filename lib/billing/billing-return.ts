import { reloadableAddress, withoutParameters } from '../auth/responses/auth-urls.js';
import type { InboundRequest } from '../core/http/inbound-request.js';
import { QUERY } from '../core/vendor.js';
import type { BillingState, Charge } from './billing-state.js';

/** Query parameter of a page that waits for a charge: how often it has been loaded for that. */
const LOOK = 'billing-look';
/** How often a page loads itself again for that. */
const RELOADS = 3;

/**
 * The number of the charge a merchant comes back from, whatever became of it; `undefined` for every
 * other request.
 */
export function returnedFrom(request: InboundRequest): string | undefined {
  return request.url.searchParams.get(QUERY.charge) || undefined;
}

/**
 * The charge that was come back from; `undefined` when the platform does not know it, or not yet,
 * or no longer names it. A subscription and a purchase may have the same number: the one that
 * nothing has been decided about is meant.
 */
export function chargeOf(number: string, { charges }: BillingState): Charge | undefined {
  const found = charges.filter(({ id }) => id.slice(id.lastIndexOf('/') + 1) === number);
  return found.find(isUndecided) ?? found[0];
}

/**
 * True while the charge that was come back from may still become active without anybody doing
 * anything.
 */
export function isUnderWay(request: InboundRequest, number: string, state: BillingState): boolean {
  const charge = chargeOf(number, state);
  return charge ? isUndecided(charge) : mayLoadAgain(request);
}

/** True for a page that has not yet been loaded often enough to wait for a charge. */
export function mayLoadAgain(request: InboundRequest): boolean {
  return looksOf(request.url) < RELOADS;
}

/** The page once more, by itself, to look whether the charge runs by now. */
export function lookAgain(address: URL): string {
  const url = reloadableAddress(address);
  url.searchParams.set(LOOK, String(looksOf(address) + 1));
  return url.href;
}

/** The page as it was when it was come back to. */
export function waitAnew(address: URL): string {
  return without(address, [LOOK]);
}

/** The page as if nobody had come back to it. */
export function startOver(address: URL): string {
  return without(address, [LOOK, QUERY.charge]);
}

function isUndecided({ status }: Charge): boolean {
  return status === 'PENDING' || status === 'ACCEPTED';
}

/** How often the page has been loaded by itself. */
function looksOf(address: URL): number {
  return Number(address.searchParams.get(LOOK)) || 0;
}

function without(address: URL, names: readonly string[]): string {
  const url = reloadableAddress(address);
  url.search = String(withoutParameters(url.searchParams, names));
  return url.href;
}
