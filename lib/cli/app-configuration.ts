import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';

import { messageOf } from '../core/error-message.js';
import { isRecord, isTexts } from '../core/json.js';
import { normalizeTopic } from '../webhooks/handlers/webhook.registry.js';
import { UsageError } from './cli.errors.js';

/** A webhook subscription of the app's configuration file: the platform has it in every shop. */
export interface ConfiguredSubscription {
  /** As a constant. */
  readonly topic: string;
  /** An absolute URL, an ARN or `pubsub://project:topic`. */
  readonly uri: string;
  readonly includeFields?: readonly string[] | undefined;
  readonly filter?: string | undefined;
  /** True for a topic of privacy requests, which cannot be subscribed to otherwise. */
  readonly isCompliance: boolean;
}

/** The subscriptions that the app's configuration file declares. */
export interface AppConfiguration {
  /** Of the file, without its folders. */
  readonly name: string;
  readonly subscriptions: readonly ConfiguredSubscription[];
}

/**
 * Reads the webhook subscriptions of an app's configuration file, which is written in TOML. Needs
 * the package `smol-toml`, an optional peer.
 * @throws {UsageError} when the package is missing, or the file is not there or not valid
 * @see https://shopify.dev/docs/apps/build/cli-for-apps/app-configuration
 */
export async function readAppConfiguration(path: string): Promise<AppConfiguration> {
  const file = await parseConfiguration(path);
  return named(path, () => ({ name: basename(path), subscriptions: subscriptionsIn(file) }));
}

/**
 * The tables of an app's configuration file.
 * @throws {UsageError} when the package is missing, or the file is not there or not TOML
 */
export async function parseConfiguration(path: string): Promise<Record<string, unknown>> {
  const { parse } = await import('smol-toml').catch((cause: unknown) => {
    throw new UsageError(
      'The configuration file of an app needs the package "smol-toml", which could not be loaded. Run: npm install --save-dev smol-toml',
      { cause },
    );
  });
  return named(path, async () => parse(await readFile(path, 'utf8')));
}

/** Says of which file it is that something is wrong. */
async function named<T>(path: string, read: () => T | Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (cause) {
    const why = `${path} cannot be read as the configuration of an app: ${reasonOf(cause)}`;
    throw new UsageError(why, { cause });
  }
}

/** Without the lines that the parser quotes: those of a file named by mistake may be secret. */
function reasonOf(cause: unknown): string {
  const [reason] = messageOf(cause).split('\n');
  const { line, column } = Object(cause) as { readonly line?: unknown; readonly column?: unknown };
  return typeof line === 'number' ? `${reason} (line ${line}, column ${String(column)})` : reason!;
}

function subscriptionsIn(file: unknown): ConfiguredSubscription[] {
  const { webhooks, application_url: appUrl } = isRecord(file) ? file : {};
  if (webhooks === undefined) return [];
  const { subscriptions = [] } = isRecord(webhooks) ? webhooks : invalid('webhooks', 'a table');
  if (!Array.isArray(subscriptions)) return invalid('webhooks.subscriptions', 'a list of tables');
  return subscriptions.flatMap((entry: unknown, index): ConfiguredSubscription[] => {
    const place = `webhooks.subscriptions[${index}]`;
    const table = isRecord(entry) ? entry : invalid(place, 'a table');
    const { uri, filter } = table;
    if (typeof uri !== 'string') return invalid(`${place}.uri`, 'a text');
    if (filter !== undefined && typeof filter !== 'string')
      return invalid(`${place}.filter`, 'a text');
    const textsIn = (name: string): string[] | undefined => {
      const value = table[name];
      if (value === undefined || isTexts(value)) return value;
      return invalid(`${place}.${name}`, 'a list of texts');
    };
    const details = {
      uri: absolute(uri, appUrl),
      filter,
      includeFields: textsIn('include_fields'),
    };
    const topicsOf = (name: string, isCompliance: boolean): ConfiguredSubscription[] =>
      (textsIn(name) ?? []).map((topic) => ({
        topic: normalizeTopic(topic),
        ...details,
        isCompliance,
      }));
    return [...topicsOf('topics', false), ...topicsOf('compliance_topics', true)];
  });
}

/** A path is one on the app. */
function absolute(uri: string, appUrl: unknown): string {
  if (!uri.startsWith('/')) return uri;
  if (typeof appUrl !== 'string') return invalid('application_url', 'a text');
  return appUrl.replace(/\/$/, '') + uri;
}

function invalid(place: string, expected: string): never {
  throw new TypeError(`${place} must be ${expected}.`);
}
