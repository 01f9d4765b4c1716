import type { InboundRequest } from '../core/http/inbound-request.js';
import { QUERY } from '../core/vendor.js';
import type { BillingState, Charge, PaymentFilter } from './billing.state.js';
import { isMeant } from './billing.state.js';

/** Query parameter of a page that waits for a charge: how often it has been loaded for that. */
const LOOK = 'billing-look';
/** What proves who the user is, or is signed together with the rest of the address: neither is to be used again. */
const SPENT = [QUERY.idToken, QUERY.reload, 'hmac', 'timestamp', 'session'];

/** The number of the charge a merchant comes back from, whatever became of it; `undefined` for every other request. */
export function returnedFrom(request: InboundRequest): string | undefined {
  return request.url.searchParams.get(QUERY.charge) || undefined;
}

/** The charge that was come back from; `undefined` when the platform does not know it, or not yet. */
export function chargeOf(number: string, { charges }: BillingState): Charge | undefined {
  return charges.find(({ id }) => id.slice(id.lastIndexOf('/') + 1) === number);
}

/** True while a charge may still become active without anybody doing anything. */
export function isUnderWay(state: BillingState, number: string | undefined, filter: PaymentFilter): boolean {
  if (number === undefined) return state.charges.some((charge) => charge.status === 'ACCEPTED' && isMeant(charge, filter));
  const status = chargeOf(number, state)?.status ?? 'PENDING';
  return status === 'PENDING' || status === 'ACCEPTED';
}

/** How often the page has been loaded to wait for a charge. */
export function looksOf(request: InboundRequest): number {
  return Number(request.url.searchParams.get(LOOK)) || 0;
}

/** The page once more, to look whether the charge runs by now. */
export function lookAgain(address: URL, looks: number): string {
  const url = without(address, [...SPENT, LOOK]);
  if (looks > 0) url.searchParams.set(LOOK, String(looks));
  return url.href;
}

/** The page as if nobody had come back to it. */
export function startOver(address: URL): string {
  return without(address, [...SPENT, LOOK, QUERY.charge]).href;
}

function without(address: URL, names: readonly string[]): URL {
  const url = new URL(address);
  for (const name of names) url.searchParams.delete(name);
  return url;
}
