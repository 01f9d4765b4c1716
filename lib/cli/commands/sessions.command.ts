import { parseArgs } from 'node:util';

import { tokenLock } from '../../auth/installations/installation-records.js';
import { fromEnvironment } from '../../core/config/config.options.js';
import { ENVIRONMENT } from '../../core/vendor.js';
import { systemClock } from '../../core/time/clock.js';
import { withLock } from '../../sessions/coordination/with-lock.js';
import { EncryptedSessionStorage } from '../../sessions/encryption/encrypted-session.storage.js';
import { copyInstallations } from '../../sessions/maintenance/installation-copy.js';
import {
  compareSessions,
  copySessions,
  isEncrypting,
} from '../../sessions/maintenance/session-copy.js';
import type { SessionCopyOptions } from '../../sessions/maintenance/session-copy.js';
import { countDue, reencryptSessions } from '../../sessions/maintenance/session-reencryption.js';
import type { Session } from '../../sessions/session.js';
import type { SessionStorage } from '../../sessions/session.storage.js';
import { UsageError } from '../cli.errors.js';
import type { CommandProcess, Environment } from '../output.js';
import { loadStorage, withKeys } from '../storage-loader.js';
import { SESSIONS_USAGE } from './sessions-usage.js';
import { SessionsReport } from './sessions-report.js';

const OPTIONS = {
  from: { type: 'string' },
  to: { type: 'string' },
  'from-keys': { type: 'string' },
  'to-keys': { type: 'string' },
  keys: { type: 'string' },
  overwrite: { type: 'boolean' },
  'dry-run': { type: 'boolean' },
  concurrency: { type: 'string' },
  resume: { type: 'string' },
  help: { type: 'boolean' },
} as const;

type Values = ReturnType<typeof parsed>['values'];

const COMMON: readonly (keyof Values)[] = ['dry-run', 'concurrency', 'resume'];

/**
 * Runs `sessions copy` and `sessions reencrypt`: results on stdout, the progress on stderr.
 * @param args behind the word `sessions`
 * @returns the exit code: 1 when a session failed or is missing in the end, or the signal ended the
 * run
 * @throws {UsageError} when the arguments are invalid
 */
export async function runSessionsCommand(
  args: readonly string[],
  given: CommandProcess,
  signal?: AbortSignal,
): Promise<number> {
  const { values, positionals } = parsed(args);
  const [command, ...operands] = positionals;
  if (values.help) {
    given.stdout.write(SESSIONS_USAGE);
    return 0;
  }
  if (command === 'copy') {
    allow(command, values, ['from', 'to', 'from-keys', 'to-keys', 'overwrite']);
    if (operands.length > 0) throw new UsageError(`What is "${operands.join(' ')}"?`);
    return copy(values, given, signal);
  }
  if (command === 'reencrypt') {
    allow(command, values, ['keys']);
    const [target, ...rest] = operands;
    if (target === undefined) throw new UsageError('The storage is missing.');
    if (rest.length > 0) throw new UsageError(`What is "${rest.join(' ')}"?`);
    return reencrypt(target, values, given, signal);
  }
  throw new UsageError(`There is no command "sessions ${command ?? ''}".`);
}

async function copy(
  values: Values,
  given: CommandProcess,
  signal: AbortSignal | undefined,
): Promise<number> {
  const { env = {} } = given;
  const { 'from-keys': fromKeys, 'to-keys': toKeys, overwrite, 'dry-run': dryRun } = values;
  const source = values.from ?? missing('--from');
  const target = values.to ?? missing('--to');
  if (source === target) throw new UsageError('--from and --to are the same storage.');
  const bare = await loadStorage(source, env);
  const bareTarget = await loadStorage(target, env);
  try {
    const from = fromKeys === undefined ? bare : withKeys(bare, fromKeys, env);
    const to = toKeys === undefined ? bareTarget : withKeys(bareTarget, toKeys, env);
    const report = new SessionsReport(given, values, `sessions copy from ${source} to ${target}`);
    const summary = await copySessions({
      ...report.options(values, signal),
      ...{ from, to, overwrite },
      opens: fromKeys !== undefined || isEncrypting(to),
      guard: guardOf(to, env, report),
    });
    const { copied, replaced, missing: absent, outdated, unchanged, kept, gone, failed } = summary;
    report.print(
      dryRun
        ? `${absent} to be copied, ${outdated} to be replaced, ${unchanged} there already, ${kept} kept, ${failed} failed. Nothing was changed.`
        : `${copied} copied, ${replaced} replaced, ${unchanged} there already, ${kept} kept, ${gone} deleted meanwhile, ${failed} failed.`,
    );
    if (kept > 0)
      report.print(
        'Those kept differ in the target and are not known to be older: --overwrite replaces them, as long as the app does not use the target.',
      );
    if (!report.isComplete(summary)) return 1;
    await installations(from, to, { dryRun, signal }, report);
    return (await compared(from, to, report, dryRun)) && failed === 0 ? 0 : 1;
  } finally {
    await bare.close?.();
    await bareTarget.close?.();
  }
}

/** Copies the records of installations where both engines keep them. */
async function installations(
  from: SessionStorage,
  to: SessionStorage,
  options: { readonly dryRun?: boolean | undefined; readonly signal: AbortSignal | undefined },
  report: SessionsReport,
): Promise<void> {
  const [source, target] = [from.companions?.records, to.companions?.records];
  if (!source || !target) {
    report.tell('What is known of installations is not copied: one of the storages keeps none.');
    return;
  }
  const { copied, kept } = await copyInstallations(source, target, options);
  report.print(`Installations: ${copied} ${options.dryRun ? 'to be ' : ''}copied, ${kept} there.`);
}

/** @returns whether the target has every session of the source, where it was to get them */
async function compared(
  from: SessionStorage,
  to: SessionStorage,
  report: SessionsReport,
  dryRun = false,
): Promise<boolean> {
  const { source, target, missing: ids, missingCount } = await compareSessions(from, to);
  const inTarget = target === undefined ? 'an unknown number' : String(target);
  report.print(
    `${source} sessions in the source, ${inTarget} in the target, ${missingCount} missing there.`,
  );
  if (dryRun) return true;
  for (const id of ids) report.tell(`missing: ${id}`);
  return missingCount === 0;
}

async function reencrypt(
  target: string,
  values: Values,
  given: CommandProcess,
  signal: AbortSignal | undefined,
): Promise<number> {
  const { env = {} } = given;
  const { keys, 'dry-run': dryRun } = values;
  const bare = await loadStorage(target, env);
  try {
    const storage = keys === undefined ? bare : withKeys(bare, keys, env);
    if (!(storage instanceof EncryptedSessionStorage))
      throw new UsageError(
        `${target} is no EncryptedSessionStorage: say with --keys which environment variable has the keys.`,
      );
    const report = new SessionsReport(given, values, `sessions reencrypt ${target}`);
    const summary = await reencryptSessions(storage, report.options(values, signal));
    const { reencrypted, due, unchanged, failed } = summary;
    report.print(
      dryRun
        ? `${due} to be encrypted with the first key, ${unchanged} are, ${failed} failed. Nothing was changed.`
        : `${reencrypted} encrypted with the first key, ${unchanged} were already, ${failed} failed.`,
    );
    if (!report.isComplete(summary)) return 1;
    const left = dryRun ? 0 : await countDue(storage);
    if (left > 0) report.print(`${left} are still encrypted otherwise: keep the other keys.`);
    return failed > 0 || left > 0 ? 1 : 0;
  } finally {
    await bare.close?.();
  }
}

/**
 * Holds the lock under which the app stores a session in the target: of those that are not there
 * yet, the older one could replace the newer otherwise.
 */
function guardOf(
  { companions }: SessionStorage,
  env: Environment,
  report: SessionsReport,
): SessionCopyOptions['guard'] {
  const apiKey = fromEnvironment(env, 'apiKey');
  if (!companions || apiKey === undefined) {
    report.tell(
      `Without the lock of the app, a session that it stores in the target at this moment could be replaced: set ${ENVIRONMENT.apiKey.join(' or ')} to its client id, or copy again in the end.`,
    );
    return undefined;
  }
  const { lock } = companions;
  return ({ shop, onlineAccessInfo }: Session, work) => {
    const name = tokenLock(apiKey, shop);
    const user = onlineAccessInfo?.associated_user.id;
    return withLock(
      { lock, clock: systemClock },
      user === undefined ? name : `${name}:${user}`,
      work,
    );
  };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options: OPTIONS });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

function allow(command: string, values: Values, options: readonly (keyof Values)[]): void {
  for (const option of Object.keys(values) as (keyof Values)[])
    if (!options.includes(option) && !COMMON.includes(option))
      throw new UsageError(`sessions ${command} takes no --${option}.`);
}

function missing(option: string): never {
  throw new UsageError(`${option} <storage> is missing.`);
}
