import { markCommand } from '../core/command-mark.js';
import { fromEnvironment } from '../core/config/config.options.js';
import { PlatformError } from '../core/core.errors.js';
import { redactedText } from '../core/redaction.js';
import { systemClock } from '../core/time/clock.js';
import type { PlatformApi } from '../platform/api/platform.api.js';
import type { DeadLetterFilter } from '../webhooks/queue/dead-letters.js';
import { secretIn, withEnvFile } from './app-secrets.js';
import { loadApp } from './app-loader.js';
import { UsageError } from './cli.errors.js';
import {
  countIn,
  parsedOptions,
  portIn,
  pathsIn,
  prefixIn,
  shopIn,
  shopsIn,
  sinceIn,
} from './command-options.js';
import type { Option, OptionValues } from './command-options.js';
import { listDeadLetters, replayDeadLetters } from './commands/dead-letters.command.js';
import { runDevStore } from './commands/dev-store.command.js';
import { examineApp } from './commands/doctor.command.js';
import { migrateTokens } from './commands/migrate-tokens.command.js';
import { copyStoredSessions, reencryptStoredSessions } from './commands/sessions.command.js';
import { postWebhook } from './commands/webhook.command.js';
import { reconcileWebhooks } from './commands/webhooks.command.js';
import type { CommandProcess } from './output.js';
import { USAGE } from './usage.js';

/** What a command does, once its options are found to be valid. @returns the exit code */
type Work = (given: CommandProcess, signal: AbortSignal | undefined) => Promise<number>;

interface Command {
  readonly options: readonly Option[];
  /**
   * What the word behind the command is, for the message that it is missing; undefined where none
   * may follow.
   */
  readonly subject?: string;
  /** Whether more words may follow. @default false */
  readonly takesMore?: boolean;
  /** @throws {UsageError} when an option is invalid or missing */
  prepare(values: OptionValues, subject: string, more: readonly string[]): Work;
}

const ON_SESSIONS: readonly Option[] = ['dry-run', 'concurrency', 'resume'];

const COMMANDS: Readonly<Record<string, Command>> = {
  'migrate-tokens': {
    ...onApp('apply', 'after', 'concurrency'),
    prepare(values, module) {
      const { apply = false, after, concurrency } = values;
      const options = { apply, after, concurrency: countIn('concurrency', concurrency) };
      return withApp(module, values, (api, { stdout }, signal) =>
        migrateTokens(api, { ...options, signal }, (line) => stdout.write(`${line}\n`)),
      );
    },
  },
  webhook: {
    options: [
      'address',
      'shop',
      'print',
      'payload',
      'times',
      'delivery-id',
      'api-version',
      'env-file',
      'remote',
    ],
    subject: 'The topic',
    prepare(values, topic) {
      const { address, print, payload, remote } = values;
      const options = {
        ...{ topic, address, print, payload, remote },
        shop: shopIn(values.shop),
        times: countIn('times', values.times),
        deliveryId: values['delivery-id'],
        apiVersion: values['api-version'],
        envFile: values['env-file'],
      };
      return (given, signal) => postWebhook({ ...options, signal }, given);
    },
  },
  'dev-store': {
    options: ['config', 'port', 'shop', 'app-url'],
    prepare({ config, port, shop, 'app-url': appUrl }) {
      const options = { config, port: portIn(port), shop: shopIn(shop), appUrl };
      return (given, signal) => runDevStore({ ...options, signal }, given);
    },
  },
  doctor: {
    options: ['page', 'auth', 'exit', 'webhooks', 'api', 'shop', 'env-file', 'json'],
    subject: 'The address of the app',
    prepare(values, address) {
      const url = URL.canParse(address) ? new URL(address) : undefined;
      if (!url || !/^https?:$/.test(url.protocol) || url.search !== '' || url.username !== '')
        throw new UsageError(
          `The address of an app is one such as https://app.example.com, not "${address}".`,
        );
      const paths = pathsIn(values, ['page', 'auth', 'exit', 'webhooks', 'api']);
      const options = { url, ...paths, shop: shopIn(values.shop), json: values.json };
      return async (given, signal) => {
        const env = await withEnvFile(given.env ?? {}, values['env-file']);
        const secrets = { apiKey: fromEnvironment(env, 'apiKey'), secret: secretIn(env) };
        return examineApp({ ...options, ...secrets, signal }, given);
      };
    },
  },
  'sessions copy': {
    options: ['from', 'to', 'from-keys', 'to-keys', 'overwrite', ...ON_SESSIONS],
    prepare(values) {
      const { from, to, 'from-keys': fromKeys, 'to-keys': toKeys, overwrite } = values;
      const options = { from, to, fromKeys, toKeys, overwrite, ...sessionsRunIn(values) };
      return (given, signal) => copyStoredSessions({ ...options, signal }, given);
    },
  },
  'sessions reencrypt': {
    options: ['keys', ...ON_SESSIONS],
    subject: 'The storage',
    prepare(values, target) {
      const options = { target, keys: values.keys, ...sessionsRunIn(values) };
      return (given, signal) => reencryptStoredSessions({ ...options, signal }, given);
    },
  },
  'webhooks dead': {
    ...onApp('topic', 'shop', 'handler', 'since', 'limit', 'json'),
    prepare(values, module) {
      const limit = countIn('limit', values.limit);
      const options = { filter: filterIn(values), limit, json: values.json };
      return withApp(module, values, (api, given) => listDeadLetters(api, options, given));
    },
  },
  'webhooks replay': {
    ...onApp('topic', 'shop', 'handler', 'since', 'all', 'dry-run'),
    takesMore: true,
    prepare(values, module, ids) {
      const { all = false, 'dry-run': dryRun } = values;
      const filter = filterIn(values);
      const isFiltered = Object.values(filter).some((value) => value !== undefined);
      if ([ids.length > 0, isFiltered, all].filter(Boolean).length !== 1)
        throw new UsageError(
          'Say which dead letters: their ids behind the module, or --topic, --shop, --handler and --since, or --all.',
        );
      return withApp(module, values, (api, given, signal) =>
        replayDeadLetters(api, { ids, filter, dryRun, signal }, given),
      );
    },
  },
  'webhooks plan': webhooksCommand('plan'),
  'webhooks apply': webhooksCommand('apply'),
};

function webhooksCommand(mode: 'plan' | 'apply'): Command {
  return {
    ...onApp(
      ...(['shop', 'all', 'prune', 'after', 'resume', 'config', 'concurrency', 'json'] as const),
      'prefix',
    ),
    prepare(values, module) {
      const { shop, all = false, prune = false, after, resume, config, json = false } = values;
      if (all === (shop !== undefined))
        throw new UsageError('Say which shops: either --all, or --shop <domain> for each of them.');
      if (after !== undefined && resume !== undefined)
        throw new UsageError(
          '--after and --resume both say where to go on: leave one of them out.',
        );
      const shops = shopsIn(shop);
      const concurrency = countIn('concurrency', values.concurrency);
      const options = { mode, shops, prune, after, resume, config, concurrency, json };
      const reconcile: AppWork = (api, output, signal) =>
        reconcileWebhooks(api, { ...options, signal }, output);
      return withApp(module, values, reconcile, { needsPaths: true });
    },
  };
}

function sessionsRunIn({ 'dry-run': dryRun, concurrency, resume }: OptionValues) {
  return { dryRun, resume, concurrency: countIn('concurrency', concurrency) };
}

function filterIn({ topic, shop, handler, since }: OptionValues): DeadLetterFilter {
  return { topic, shop: shopIn(shop), handler, since: sinceIn(since, systemClock.now()) };
}

/** What a command does with an app. @returns the exit code */
type AppWork = (
  api: PlatformApi,
  given: CommandProcess,
  signal: AbortSignal | undefined,
) => Promise<number>;

function onApp(...options: Option[]): Pick<Command, 'options' | 'subject'> {
  return { options: [...options, 'app'], subject: 'The module that exports the app' };
}

/** @param needsPaths whether the work uses addresses of the app */
function withApp(
  module: string,
  { app: name, prefix: path }: OptionValues,
  work: AppWork,
  { needsPaths = false } = {},
): Work {
  const prefix = prefixIn(path);
  return async (given, signal) => {
    markCommand();
    const app = await loadApp(module, { app: name, prefix, needsPaths });
    try {
      return await work(app.api, given, signal);
    } finally {
      await app.close();
    }
  };
}

/**
 * Runs the command line. Resolves with its exit code: 0 on success, 1 when something failed, 2 for
 * invalid arguments.
 * @param signal ends the run after the work in progress
 */
export async function run(
  args: readonly string[],
  given: CommandProcess,
  signal?: AbortSignal,
): Promise<number> {
  try {
    const { values, positionals } = parsedOptions(args);
    if (values.help) {
      given.stdout.write(USAGE);
      return 0;
    }
    const { command, name, subject, more } = commandIn(positionals);
    for (const option of Object.keys(values) as Option[])
      if (!command.options.includes(option)) throw new UsageError(`${name} takes no --${option}.`);
    return await command.prepare(values, subject, more)(given, signal);
  } catch (error) {
    given.stderr.write(`${redactedText(inWords(error))}\n`);
    if (error instanceof UsageError) given.stderr.write(`\n${USAGE}`);
    return error instanceof UsageError ? 2 : 1;
  }
}

/** The command that is named by the first words, one or two, and the words behind it. */
function commandIn(positionals: readonly string[]): {
  command: Command;
  name: string;
  subject: string;
  more: readonly string[];
} {
  if (positionals.length === 0) throw new UsageError('A command is missing.');
  const [first = ''] = positionals;
  const words = Object.keys(COMMANDS).some((known) => known.startsWith(`${first} `)) ? 2 : 1;
  const name = positionals.slice(0, words).join(' ');
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) throw new UsageError(`There is no command "${name}".`);
  const behind = positionals.slice(words);
  const [subject, ...more] = command.subject === undefined ? ['', ...behind] : behind;
  if (subject === undefined) throw new UsageError(`${command.subject} is missing.`);
  if (more.length > 0 && !command.takesMore) throw new UsageError(`What is "${more.join(' ')}"?`);
  return { command, name, subject, more };
}

function inWords(error: unknown): string {
  if (error instanceof PlatformError) return `${error.code}: ${error.message}`;
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
