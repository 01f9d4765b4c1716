import { topicName } from '../base/webhook-topics.js';
import { isDeliveryFault, type Fault } from './fault.js';

const FREQUENCY = ['on', 'times', 'probability'];
const REQUEST_EFFECTS = 'latency status html throttled reset truncated revokesTokens'.split(' ');
const REQUEST_DETAILS = ['headers', 'body', 'executed'];
const REQUEST_TARGET = ['method', 'path', 'operation', 'shop', 'apiKey'];
const DELIVERY_EFFECTS = ['late', 'copies', 'outOfOrder', 'signature'];
const DELIVERY_TARGET = ['topic', 'shop', 'apiKey'];

/** @throws TypeError that says what is wrong with a fault */
export function checkFault(fault: Fault): void {
  if (typeof fault !== 'object' || fault === null || typeof fault.on !== 'object' || !fault.on)
    throw new TypeError('A fault says in "on" where it happens: { path } or { topic }, or {}.');
  const isDelivery = isDeliveryFault(fault);
  const effects = isDelivery ? DELIVERY_EFFECTS : REQUEST_EFFECTS;
  const members = [...FREQUENCY, ...effects, ...(isDelivery ? [] : REQUEST_DETAILS)];
  known(fault, members, isDelivery ? 'fault of deliveries' : 'fault of requests');
  known(fault.on, isDelivery ? DELIVERY_TARGET : REQUEST_TARGET, '"on" of a fault');
  if (!effects.some((name) => Object(fault)[name]))
    throw new TypeError(`A fault needs one of ${effects.join(', ')}.`);
  const { times = 1, probability = 1 } = fault;
  if (!Number.isInteger(times) || times < 1)
    throw new TypeError(`"times" of a fault is a whole number from 1, got ${times}.`);
  if (!(probability > 0 && probability <= 1))
    throw new TypeError(`"probability" of a fault is above 0 and at most 1, got ${probability}.`);
  for (const [name, value] of Object.entries(isDelivery ? DELIVERY_CHECKS : REQUEST_CHECKS))
    value(Object(fault)[name], name);
  if (isDelivery) return checkTopic(fault.on.topic);
  const answers = ['throttled', 'reset', 'truncated', 'revokesTokens'].filter(
    (name) => Object(fault)[name],
  );
  if (fault.status !== undefined || fault.html) answers.push('status or html');
  if (answers.length > 1)
    throw new TypeError(`A fault answers in one way, not in several: ${answers.join(', ')}.`);
}

function checkTopic(topic: string): void {
  if (typeof topic === 'string' && (topic.includes('*') || topicName(topic))) return;
  throw new TypeError(
    `There is no webhook topic "${topic}"; topics look like "PRODUCTS_CREATE", "products/create" or "products/*".`,
  );
}

function known(value: object, names: readonly string[], what: string): void {
  const unknown = Object.keys(value).filter((name) => !names.includes(name));
  if (unknown.length > 0)
    throw new TypeError(`A ${what} has no ${unknown.join(', ')}; it has ${names.join(', ')}.`);
}

type Check = (value: unknown, name: string) => void;

const within =
  (least: number, most: number, what: string): Check =>
  (value, name) => {
    if (value === undefined) return;
    if (typeof value === 'number' && value >= least && value <= most) return;
    throw new TypeError(`"${name}" of a fault is ${what}, got ${String(value)}.`);
  };

const REQUEST_CHECKS: Readonly<Record<string, Check>> = {
  latency: within(0, 86_400_000, 'milliseconds, at most a day'),
  status: within(200, 599, 'a status from 200 to 599'),
};
const DELIVERY_CHECKS: Readonly<Record<string, Check>> = {
  late: within(0, 30 * 86_400_000, 'milliseconds, at most 30 days'),
  copies: within(1, 100, 'a number of requests from 1 to 100'),
  signature: (value) => {
    if (value === undefined || value === 'wrong' || value === 'missing') return;
    throw new TypeError(`"signature" of a fault is 'wrong' or 'missing', got ${String(value)}.`);
  },
};
