import { parseArgs } from 'node:util';

import { messageOf } from '../core/error-message.js';
import { sanitizeShop } from '../core/shop-domain.js';
import { UsageError } from './cli.errors.js';

/** The options of all commands. */
const OPTIONS = {
  address: { type: 'string' },
  after: { type: 'string' },
  all: { type: 'boolean' },
  'api-version': { type: 'string' },
  api: { type: 'string' },
  app: { type: 'string' },
  'app-url': { type: 'string' },
  apply: { type: 'boolean' },
  auth: { type: 'string' },
  concurrency: { type: 'string' },
  config: { type: 'string' },
  'delivery-id': { type: 'string' },
  'dry-run': { type: 'boolean' },
  'env-file': { type: 'string' },
  exit: { type: 'string' },
  from: { type: 'string' },
  'from-keys': { type: 'string' },
  handler: { type: 'string' },
  help: { type: 'boolean' },
  json: { type: 'boolean' },
  keys: { type: 'string' },
  limit: { type: 'string' },
  overwrite: { type: 'boolean' },
  page: { type: 'string' },
  payload: { type: 'string' },
  port: { type: 'string' },
  prefix: { type: 'string' },
  print: { type: 'boolean' },
  prune: { type: 'boolean' },
  remote: { type: 'boolean' },
  resume: { type: 'string' },
  shop: { type: 'string', multiple: true },
  since: { type: 'string' },
  times: { type: 'string' },
  to: { type: 'string' },
  'to-keys': { type: 'string' },
  topic: { type: 'string' },
  webhooks: { type: 'string' },
} as const;

/** The name of an option, without its dashes. */
export type Option = keyof typeof OPTIONS;

/** What the options of a command line are set to. */
export type OptionValues = ReturnType<typeof parsedOptions>['values'];

/**
 * The options of a command line, and the words that are none.
 * @throws {UsageError} when an option is unknown, or has no value
 */
export function parsedOptions(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options: OPTIONS });
  } catch (error) {
    throw new UsageError(messageOf(error), { cause: error });
  }
}

/** Domains of shops, in their canonical spelling. @throws {UsageError} when one is none */
export function shopsIn(domains: readonly string[] | undefined): string[] | undefined {
  return domains?.map((domain) => sanitizeShop(domain) ?? notAShop(domain));
}

function notAShop(domain: string): never {
  throw new UsageError(`--shop takes the domain of a shop, not "${domain}".`);
}

/** The domain of one shop at most. @throws {UsageError} when there are more, or it is none */
export function shopIn(domains: readonly string[] | undefined): string | undefined {
  const [shop, ...more] = shopsIn(domains) ?? [];
  if (more.length > 0) throw new UsageError('--shop can be given only once here.');
  return shop;
}

/** Paths of the app. @throws {UsageError} when one is none */
export function pathsIn<Name extends Option>(
  values: Partial<Record<Name, string>>,
  names: readonly Name[],
): Partial<Record<Name, string>> {
  for (const name of names) {
    const path = values[name];
    if (path !== undefined && !/^\/(?!\/)[\w.~%/-]*$/.test(path))
      throw new UsageError(`--${name} takes a path of the app such as /${name}, not "${path}".`);
  }
  return Object.fromEntries(names.map((name) => [name, values[name]])) as Partial<
    Record<Name, string>
  >;
}

/** A global prefix. @throws {UsageError} when it is no path */
export function prefixIn(text: string | undefined): string | undefined {
  if (text === undefined || /^[\w.~/-]*$/.test(text)) return text;
  throw new UsageError(`--prefix takes a path such as /api, or / for none, not "${text}".`);
}

/** A whole number of an option. @throws {UsageError} when it is none, or not from 1 to 999 */
export function countIn(option: Option, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^[1-9]\d{0,2}$/.test(text)) return Number(text);
  throw new UsageError(`--${option} must be a whole number from 1 to 999, not "${text}".`);
}

/** A port, 0 for a free one. @throws {UsageError} when it is none */
export function portIn(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new UsageError(`--port must be a port from 0 to 65535, not "${text}".`);
}

const LENGTHS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** The moment of `--since`: a date, or how long ago. @throws {UsageError} when it is neither */
export function sinceIn(text: string | undefined, now: Date): Date | undefined {
  if (text === undefined) return undefined;
  const [, count, unit = ''] = /^(\d{1,4})([mhd])$/.exec(text) ?? [];
  if (count !== undefined) return new Date(now.getTime() - Number(count) * LENGTHS[unit]!);
  const date = new Date(text);
  if (/^\d{4}-\d\d-\d\d/.test(text) && !Number.isNaN(date.getTime())) return date;
  throw new UsageError(
    `--since takes a date such as 2026-11-20 or 2026-11-20T08:00:00Z, or how long ago, such as 30m, 12h or 7d; not "${text}".`,
  );
}
