import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';

import { ApiVersion, isApiVersion } from '../../core/api-version.js';
import type { Environment } from '../../core/config/config.options.js';
import { systemClock } from '../../core/time/clock.js';
import { SHOP_DOMAINS, WEBHOOK_HEADER_TITLES } from '../../core/vendor.js';
import { normalizeTopic } from '../../webhooks/handlers/webhook.registry.js';
import { unknownTopic } from '../../webhooks/subscriptions/topic-spelling.js';
import { WHERE_SECRETS_ARE, secretIn, withEnvFile } from '../app-secrets.js';
import { UsageError } from '../cli.errors.js';
import { exchange, isLoopback, whyUnanswered } from '../exchange.js';
import type { Answer } from '../exchange.js';
import type { CommandProcess } from '../output.js';
import { printable } from '../printable.js';
import { signatureOf } from '../signatures.js';
import { topicName } from '../samples/topic-name.js';
import { webhookSample } from '../samples/webhook-samples.js';

/** What {@link postWebhook} posts, and where. */
interface WebhookCommandOptions {
  /** In any spelling. */
  readonly topic: string;
  /** Where the app receives webhooks. @default `/webhooks` at the port of this machine */
  readonly address?: string | undefined;
  /** In its canonical spelling. @default a made-up one */
  readonly shop?: string | undefined;
  /** A file with the body, or `-` for stdin. @default a sample */
  readonly payload?: string | undefined;
  /** Only prints the body. @default false */
  readonly print?: boolean | undefined;
  /** How often it is posted. @default 1 */
  readonly times?: number | undefined;
  /** Identifies all that is posted as one delivery. @default each has an id of its own */
  readonly deliveryId?: string | undefined;
  /** @default the newest one */
  readonly apiVersion?: string | undefined;
  /** A file with environment variables. */
  readonly envFile?: string | undefined;
  /** Whether the address may be on another machine. @default false */
  readonly remote?: boolean | undefined;
  /** Ends the command. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Posts a signed webhook to an app, as the platform delivers it, and prints each answer.
 * @returns the exit code: 0 when every answer says that the delivery is done
 * @throws {UsageError} when an option is invalid, or the app's secret is not known
 * @see https://shopify.dev/docs/apps/build/webhooks/subscribe/https
 */
export async function postWebhook(
  options: WebhookCommandOptions,
  { stdout, stderr, env: given = {}, stdin }: CommandProcess,
): Promise<number> {
  const { topic, shop = `dev-shop.${SHOP_DOMAINS[0]}`, times = 1, deliveryId, signal } = options;
  const { apiVersion = ApiVersion.October26 } = options;
  if (!/^[a-z]\w*(?:[/.]\w+)?$/i.test(topic))
    throw new UsageError(`A topic is spelled like products/create, not "${topic}".`);
  if (!isApiVersion(apiVersion))
    throw new UsageError(`--api-version takes one such as 2026-10, not "${apiVersion}".`);
  if (deliveryId !== undefined && !/^[\x21-\x7e]{1,200}$/.test(deliveryId))
    throw new UsageError('--delivery-id takes up to 200 characters of ASCII, without spaces.');
  const env = await withEnvFile(given, options.envFile);
  const note = unknownTopic(normalizeTopic(topic));
  if (note !== undefined) stderr.write(`${note}\n`);
  const body =
    options.payload === undefined
      ? sampleBody(topic, shop, (line) => stderr.write(`${line}\n`))
      : await bodyIn(options.payload, stdin);
  if (options.print) {
    stdout.write(`${body.toString('utf8').trimEnd()}\n`);
    return 0;
  }
  const address = addressIn(options, env);
  const secret = secretIn(env);
  if (secret === undefined)
    throw new UsageError(`A webhook is signed with the app's secret: ${WHERE_SECRETS_ARE}.`);
  const signature = signatureOf(body, secret);
  let accepted = 0;
  for (let index = 0; index < times && !signal?.aborted; index++) {
    const id = deliveryId ?? randomUUID();
    const names = WEBHOOK_HEADER_TITLES;
    const headers = {
      'content-type': 'application/json',
      [names.topic]: topicName(topic),
      [names.hmac]: signature,
      [names.domain]: shop,
      [names.apiVersion]: apiVersion,
      [names.webhookId]: id,
      [names.eventId]: randomUUID(),
      [names.triggeredAt]: systemClock.now().toISOString(),
    };
    stdout.write(`${topicName(topic)} of ${shop}, delivery ${id}, to ${address.href}\n`);
    try {
      const answer = await exchange(address, { method: 'POST', headers, body, signal });
      for (const line of linesOf(answer, secret)) stdout.write(`${line}\n`);
      if (answer.status >= 200 && answer.status < 300) accepted++;
    } catch (error) {
      stdout.write(`no answer: ${printable(whyUnanswered(error), [secret])}\n`);
    }
  }
  return accepted === times ? 0 : 1;
}

function addressIn({ address, remote }: WebhookCommandOptions, env: Environment): URL {
  const text = address ?? `http://localhost:${env['PORT']?.trim() || '3000'}/webhooks`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw new UsageError(
      `--address takes where the app receives webhooks, such as http://localhost:3000/webhooks, not "${text}".`,
    );
  if (!isLoopback(url) && !remote)
    throw new UsageError(
      `${url.origin} is not on this machine, and the app there would handle the sample as a real delivery: say --remote if that is meant.`,
    );
  return url;
}

function sampleBody(topic: string, shop: string, tell: (line: string) => unknown): Buffer {
  const constant = normalizeTopic(topic);
  const sample = webhookSample(constant, shop);
  if (!sample)
    tell(`The payload of ${constant} is not known here: {} is sent. --payload <file> sends yours.`);
  return Buffer.from(JSON.stringify(sample ?? {}, null, 2));
}

/** The bytes as they are: a body that is no JSON may be what is to be tried. */
async function bodyIn(path: string, stdin: CommandProcess['stdin']): Promise<Buffer> {
  if (path === '-') {
    const parts: Buffer[] = [];
    for await (const part of stdin ?? []) parts.push(Buffer.from(part));
    return Buffer.concat(parts);
  }
  try {
    return await readFile(path);
  } catch (cause) {
    const { code = 'unreadable' } = Object(cause) as { readonly code?: string };
    throw new UsageError(`--payload: ${path} cannot be read (${code}).`, { cause });
  }
}

function linesOf({ status, ms, body }: Answer, secret: string): string[] {
  const hint = HINTS.get(status);
  return [
    `${status} in ${ms} ms${hint === undefined ? '' : `: ${hint}`}`,
    ...(body === '' ? [] : [printable(body, [secret])]),
  ];
}

/** What an answer of an app of this toolkit is most often about. */
const HINTS: ReadonlyMap<number, string> = new Map([
  [401, 'the app has another secret than this command'],
  [404, 'there is no handler for the topic, or --address is not where the app receives webhooks'],
  [500, 'a handler failed, and the log of the app says why'],
]);
