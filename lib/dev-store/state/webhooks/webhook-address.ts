import { WIRE } from '../../base/vendor.js';

/** Where a subscription's deliveries go. */
export type WebhookEndpoint =
  | { kind: 'http'; callbackUrl: string }
  | { kind: 'eventbridge'; arn: string }
  | { kind: 'pubsub'; project: string; topic: string };

/** The longest address and the longest filter, in bytes. */
export const LONGEST_TEXT = 65_535;

/** The address of a partner event source: its app and its name. */
const ARN = /^arn:aws:events:[a-z0-9-]+::event-source\/aws\.partner\/shopify\.com\/[^\s/]+\/\S+$/;

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * The endpoint of an address, or the platform's messages about it, which continue "Address". The
 * id of the app in an ARN is not compared: it is that of the real app, not of the simulated one.
 */
export function parseAddress(given: string): WebhookEndpoint | readonly string[] {
  const address = given.trim();
  if (!address) return ["can't be blank"];
  if (Buffer.byteLength(address) > LONGEST_TEXT) return ['is too big (maximum is 64 KB)'];
  if (address.startsWith('arn:'))
    return ARN.test(address)
      ? { kind: 'eventbridge', arn: address }
      : ['is invalid', 'is not a valid AWS ARN'];
  if (address.startsWith('pubsub://')) return parsePubSub(address);
  if (!URL.canParse(address)) return ['is invalid'];
  const { protocol, hostname } = new URL(address);
  const refusal = `protocol ${protocol}// is not supported`;
  if (protocol === 'kafka:') return [refusal, 'is not a valid kafka topic'];
  // Plain http is refused as on the platform, except for this machine.
  if (protocol !== 'https:' && !(protocol === 'http:' && LOOPBACK.has(hostname))) return [refusal];
  if (isOfPlatform(hostname)) return ['cannot be a Shopify or an internal domain'];
  return { kind: 'http', callbackUrl: address };
}

/** True for the id of a Google Cloud project, or its number. */
export function isPubSubProject(project: string): boolean {
  return /^(?:\d+|[a-z](?:[a-z0-9-]*[a-z0-9])?)$/.test(project);
}

/** True for the id of a Pub/Sub topic. */
export function isPubSubTopic(topic: string): boolean {
  return /^(?!goog)[A-Za-z][\w.~+%-]{0,254}$/.test(topic);
}

function parsePubSub(address: string): WebhookEndpoint | readonly string[] {
  const [, project, topic] = /^pubsub:\/\/([^:]*):(.+)$/.exec(address) ?? [];
  if (project === undefined || topic === undefined)
    return [
      'protocol pubsub:// is not supported',
      'is not a valid GCP pub/sub format. Format should be pubsub://project:topic',
    ];
  if (!isPubSubProject(project)) return ['is invalid', 'is not a valid GCP project id.'];
  if (!isPubSubTopic(topic)) return ['is invalid', 'is not a valid GCP topic id.'];
  return { kind: 'pubsub', project, topic };
}

function isOfPlatform(hostname: string): boolean {
  return PLATFORM_DOMAINS.some((domain) => `.${hostname}`.endsWith(domain));
}

/** With a dot in front, the domains that belong to the platform. */
const PLATFORM_DOMAINS: readonly string[] = [
  WIRE.shopDomainSuffix,
  WIRE.adminHost.slice(WIRE.adminHost.indexOf('.')),
];
