import { parseArgs } from 'node:util';

import { markCommand } from '../core/command-mark.js';
import { PlatformError } from '../core/core.errors.js';
import { redactedText } from '../core/redaction.js';
import { sanitizeShop } from '../core/shop-domain.js';
import type { PlatformApi } from '../platform/api/platform.api.js';
import { loadApp } from './app-loader.js';
import { UsageError } from './cli.errors.js';
import { migrateTokens } from './commands/migrate-tokens.command.js';
import { SESSIONS_USAGE, runSessionsCommand } from './commands/sessions.command.js';
import type { SessionsProcess } from './commands/sessions.command.js';
import { reconcileWebhooks } from './commands/webhooks.command.js';
import type { Output } from './output.js';

const USAGE = `Usage: shopwright <command> <module>[#export] [options]

<module> is a file that exports the app: what platformApp() returned, or the class of a Nest module. It must not start a server.

shopwright migrate-tokens <module>
  Replaces the stored offline tokens of an app that never expire by ones that do. Without --apply it only lists what it would do.

  --apply               does it: there is no way back
  --after <id>          goes on behind the session of this id, where an earlier run was broken off
  --concurrency <n>     how many shops at once (default 4)

shopwright webhooks plan <module>
shopwright webhooks apply <module>
  Shows what is to be created, updated and deleted so that shops have the webhook subscriptions the app declares, or does it. The module has to declare every handler of the app.

  --shop <domain>       this shop; may be repeated
  --all                 every shop that has installed the app
  --prune               also deletes subscriptions of the app that it does not declare
  --concurrency <n>     how many shops at once (default 4)
  --after <id>          goes on behind the session of this id, where an earlier run was broken off
  --resume <file>       notes in this file how far the run has come, and goes on from there the next time
  --config <file>       also shows the subscriptions of this configuration file of the app, and which are delivered twice (needs the package smol-toml)
  --json                writes a line of JSON for each shop, and one for all of them
  --prefix <path>       the global prefix of a Nest app, as its server sets it; / for none (a Nest module needs this option)

${SESSIONS_USAGE}
For every command:
  --app <name>          the app of this name, when the Nest module has several
  --help                shows this text
`;

const OPTIONS = {
  apply: { type: 'boolean' },
  shop: { type: 'string', multiple: true },
  all: { type: 'boolean' },
  prune: { type: 'boolean' },
  after: { type: 'string' },
  resume: { type: 'string' },
  config: { type: 'string' },
  concurrency: { type: 'string' },
  json: { type: 'boolean' },
  prefix: { type: 'string' },
  app: { type: 'string' },
  help: { type: 'boolean' },
} as const;

type Option = keyof typeof OPTIONS;
type Values = ReturnType<typeof parsed>['values'];

/** What a command does with the app, once its arguments are found to be valid. */
type Work = (api: PlatformApi, output: Output, signal: AbortSignal | undefined) => Promise<number>;

interface Command {
  readonly options: readonly Option[];
  /** @throws {UsageError} when an option is invalid or missing */
  prepare(values: Values): Work;
}

const COMMANDS: Readonly<Record<string, Command>> = {
  'migrate-tokens': {
    options: ['apply', 'after', 'concurrency'],
    prepare({ apply = false, after, concurrency }) {
      const options = { apply, after, concurrency: countIn(concurrency) };
      return (api, { stdout }, signal) =>
        migrateTokens(api, { ...options, signal }, (line) => stdout.write(`${line}\n`));
    },
  },
  'webhooks plan': webhooksCommand('plan'),
  'webhooks apply': webhooksCommand('apply'),
};

function webhooksCommand(mode: 'plan' | 'apply'): Command {
  return {
    options: ['shop', 'all', 'prune', 'after', 'resume', 'config', 'concurrency', 'json', 'prefix'],
    prepare({ shop, all = false, prune = false, after, concurrency, json = false, ...files }) {
      if (all === (shop !== undefined))
        throw new UsageError('Say which shops: either --all, or --shop <domain> for each of them.');
      const { resume, config } = files;
      if (after !== undefined && resume !== undefined)
        throw new UsageError(
          '--after and --resume both say where to go on: leave one of them out.',
        );
      const shops = shop?.map((domain) => sanitizeShop(domain) ?? notAShop(domain));
      const count = countIn(concurrency);
      const options = { mode, shops, prune, after, resume, config, concurrency: count, json };
      return (api, output, signal) => reconcileWebhooks(api, { ...options, signal }, output);
    },
  };
}

/**
 * Runs the command line. Resolves with its exit code: 0 on success, 1 when something failed, 2 for
 * invalid arguments.
 * @param signal ends the run after the work in progress
 */
export async function run(
  args: readonly string[],
  output: SessionsProcess,
  signal?: AbortSignal,
): Promise<number> {
  try {
    if (args[0] === 'sessions') return await runSessionsCommand(args.slice(1), output, signal);
    const { values, positionals } = parsed(args);
    if (values.help) {
      output.stdout.write(USAGE);
      return 0;
    }
    const { command, name, target } = commandIn(positionals);
    for (const option of Object.keys(values) as Option[])
      if (option !== 'app' && !command.options.includes(option))
        throw new UsageError(`${name} takes no --${option}.`);
    const work = command.prepare(values);
    const { app: appName, prefix } = values;
    const needsPaths = command.options.includes('prefix');
    markCommand();
    const app = await loadApp(target, { app: appName, prefix: prefixIn(prefix), needsPaths });
    try {
      return await work(app.api, output, signal);
    } finally {
      await app.close();
    }
  } catch (error) {
    output.stderr.write(`${redactedText(inWords(error))}\n`);
    if (error instanceof UsageError) output.stderr.write(`\n${USAGE}`);
    return error instanceof UsageError ? 2 : 1;
  }
}

/** The command that is named by the first words, one or two, and the module behind it. */
function commandIn(positionals: readonly string[]): {
  command: Command;
  name: string;
  target: string;
} {
  if (positionals.length === 0) throw new UsageError('A command is missing.');
  const [first = ''] = positionals;
  const words = Object.keys(COMMANDS).some((known) => known.startsWith(`${first} `)) ? 2 : 1;
  const name = positionals.slice(0, words).join(' ');
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) throw new UsageError(`There is no command "${name}".`);
  const [target, ...rest] = positionals.slice(words);
  if (target === undefined) throw new UsageError('The module that exports the app is missing.');
  if (rest.length > 0) throw new UsageError(`What is "${rest.join(' ')}"?`);
  return { command, name, target };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options: OPTIONS });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

function notAShop(domain: string): never {
  throw new UsageError(`--shop takes the domain of a shop, not "${domain}".`);
}

function prefixIn(text: string | undefined): string | undefined {
  if (text === undefined || /^[\w.~/-]*$/.test(text)) return text;
  throw new UsageError(`--prefix takes a path such as /api, or / for none, not "${text}".`);
}

function countIn(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^[1-9]\d{0,2}$/.test(text)) return Number(text);
  throw new UsageError(`--concurrency must be a whole number from 1 to 999, not "${text}".`);
}

function inWords(error: unknown): string {
  if (error instanceof PlatformError) return `${error.code}: ${error.message}`;
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
