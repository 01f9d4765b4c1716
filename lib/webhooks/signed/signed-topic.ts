import type { SignedSource } from '../../auth/signed/signed-source.js';
import { namedPath } from '../subscriptions/webhook-subscription.js';
import type {
  HttpSubscription,
  NamedPath,
  WebhookSubscription,
} from '../subscriptions/webhook-subscription.js';

/** Where these requests arrive, as paths of the app. */
export type SignedPaths = Readonly<Record<SignedSource, string>>;

/**
 * Tells these topics from those of webhooks: it is replaced in the topic that a delivery names, so
 * that no webhook runs a handler of signed requests.
 */
export const SIGNED_MARK = ':';

/**
 * Under which handlers and deliveries of a signed request are kept, beside the topics of webhooks:
 * `FLOW:TAG-ORDER`. @param handle of an action, in any spelling
 */
export function signedTopic(source: SignedSource, handle?: string): string {
  return source === 'flow'
    ? `FLOW${SIGNED_MARK}${handle}`
    : `FULFILLMENT_SERVICE${SIGNED_MARK}NOTIFICATION`;
}

/** True of what {@link signedTopic} makes: nothing is subscribed for it. */
export function isSignedTopic(topic: string): boolean {
  return topic.includes(SIGNED_MARK);
}

/** Has the path of these requests answered by the toolkit, as that of a webhook handler is. */
export function signedSubscription(source: SignedSource, paths: SignedPaths): HttpSubscription {
  return { deliveryMethod: 'http', callbackUrl: paths[source] };
}

/** The option of webhook handlers that names their address. */
export const CALLBACK_URL = 'callbackUrl';

/** Where a handler has its deliveries arrive. */
export interface NamedAddress {
  /** The option that names it, of the app or of a decorator. */
  readonly option: string;
  /** As it was named. */
  readonly url: string;
  readonly path: NamedPath;
}

/** Adds the address that a subscription names for the deliveries of its handler, each once. */
export function noteAddress(
  addresses: NamedAddress[],
  topic: string,
  subscription: WebhookSubscription,
): void {
  if (subscription.deliveryMethod !== 'http' || subscription.callbackUrl === undefined) return;
  const { callbackUrl: url } = subscription;
  const option = pathOptionOf(topic);
  if (addresses.some((other) => other.url === url && other.option === option)) return;
  addresses.push({ option, url, path: namedPath(subscription) });
}

function pathOptionOf(topic: string): string {
  if (!isSignedTopic(topic)) return CALLBACK_URL;
  return topic.startsWith(signedTopic('flow', ''))
    ? 'webhooks.flowPath'
    : 'webhooks.fulfillmentServicePath';
}
