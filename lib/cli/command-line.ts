import { parseArgs } from 'node:util';

import { PlatformError } from '../core/core.errors.js';
import { redactedText } from '../core/redaction.js';
import { loadApp } from './app-loader.js';
import { UsageError } from './cli.errors.js';
import { migrateTokens } from './commands/migrate-tokens.command.js';

const USAGE = `Usage: shopwright migrate-tokens <module>[#export] [options]

Replaces the stored offline tokens of an app that never expire by ones that do. Without --apply it only lists what it would do.
<module> is a file that exports the app: what platformApp() returned, or the class of a Nest module. It must not start a server.

  --apply               does it: there is no way back
  --after <id>          goes on behind the session of this id, where an earlier run was broken off
  --concurrency <n>     how many shops at once (default 4)
  --app <name>          the app of this name, when the Nest module has several
  --help                shows this text
`;

/** Where a command writes. */
export interface Output {
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
}

/**
 * Runs the command line. Resolves with its exit code: 0 on success, 1 when something failed, 2 for
 * invalid arguments.
 * @param signal ends the run after the work in progress
 */
export async function run(
  args: readonly string[],
  output: Output,
  signal?: AbortSignal,
): Promise<number> {
  try {
    const { values, positionals } = parsed(args);
    if (values.help) {
      output.stdout.write(USAGE);
      return 0;
    }
    const [command, target, ...rest] = positionals;
    if (command !== 'migrate-tokens')
      throw new UsageError(command ? `There is no command "${command}".` : 'A command is missing.');
    if (target === undefined) throw new UsageError('The module that exports the app is missing.');
    if (rest.length > 0) throw new UsageError(`What is "${rest.join(' ')}"?`);
    const options = {
      apply: values.apply,
      after: values.after,
      concurrency: countIn(values.concurrency),
      signal,
    };
    const app = await loadApp(target, values.app);
    try {
      return await migrateTokens(app.api, options, (line) => output.stdout.write(`${line}\n`));
    } finally {
      await app.close();
    }
  } catch (error) {
    output.stderr.write(`${redactedText(inWords(error))}\n`);
    if (error instanceof UsageError) output.stderr.write(`\n${USAGE}`);
    return error instanceof UsageError ? 2 : 1;
  }
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        apply: { type: 'boolean', default: false },
        after: { type: 'string' },
        concurrency: { type: 'string' },
        app: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
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
