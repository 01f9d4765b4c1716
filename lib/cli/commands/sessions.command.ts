import { tokenLock } from '../../auth/installations/installation-records.js';
import { fromEnvironment } from '../../core/config/config.options.js';
import type { Environment } from '../../core/config/config.options.js';
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
import { userOf } from '../../sessions/session-properties.js';
import type { SessionStorage } from '../../sessions/session.storage.js';
import { UsageError } from '../cli.errors.js';
import type { CommandProcess } from '../output.js';
import { loadStorage, withKeys } from '../storage-loader.js';
import { SessionsReport } from './sessions-report.js';
import type { SessionsRunOptions } from './sessions-report.js';

/** What `sessions copy` is asked for. */
interface SessionsCopyOptions extends SessionsRunOptions {
  readonly from: string | undefined;
  readonly to: string | undefined;
  /** Names of environment variables with keys. */
  readonly fromKeys: string | undefined;
  readonly toKeys: string | undefined;
  readonly overwrite: boolean | undefined;
}

/** What `sessions reencrypt` is asked for. */
interface SessionsReencryptionOptions extends SessionsRunOptions {
  readonly target: string;
  /** Name of an environment variable with keys. */
  readonly keys: string | undefined;
}

/**
 * Runs `sessions copy`: results on stdout, the progress on stderr.
 * @returns the exit code: 1 when a session failed or is missing in the end, or the signal ended the
 * run
 * @throws {UsageError} when a storage is missing or is none
 */
export async function copyStoredSessions(
  options: SessionsCopyOptions,
  given: CommandProcess,
): Promise<number> {
  const { env = {} } = given;
  const { fromKeys, toKeys, overwrite, dryRun, signal } = options;
  const source = options.from ?? missing('--from');
  const target = options.to ?? missing('--to');
  if (source === target) throw new UsageError('--from and --to are the same storage.');
  const bare = await loadStorage(source, env);
  const bareTarget = await loadStorage(target, env);
  try {
    const from = fromKeys === undefined ? bare : withKeys(bare, fromKeys, env);
    const to = toKeys === undefined ? bareTarget : withKeys(bareTarget, toKeys, env);
    const report = new SessionsReport(given, options, [
      `sessions copy from ${source} to ${target}`,
      ...(fromKeys === undefined ? [] : [`opened with ${fromKeys}`]),
      ...(toKeys === undefined ? [] : [`encrypted with ${toKeys}`]),
      ...(overwrite ? ['overwrite'] : []),
    ]);
    const summary = await copySessions({
      ...report.work,
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
    const { hasFailed } = report;
    if (!report.isComplete(summary)) return 1;
    if (!(await installations(from, to, { dryRun, signal }, report))) return 1;
    return (await compared(from, to, report, dryRun)) && !hasFailed ? 0 : 1;
  } finally {
    await bare.close?.();
    await bareTarget.close?.();
  }
}

/**
 * Copies the records of installations where both engines keep them.
 * @returns false when the signal ended that
 */
async function installations(
  from: SessionStorage,
  to: SessionStorage,
  options: { readonly dryRun?: boolean | undefined; readonly signal: AbortSignal | undefined },
  report: SessionsReport,
): Promise<boolean> {
  const [source, target] = [from.companions?.records, to.companions?.records];
  if (!source || !target) {
    report.tell('What is known of installations is not copied: one of the storages keeps none.');
    return true;
  }
  const { copied, kept, isComplete } = await copyInstallations(source, target, options);
  report.print(`Installations: ${copied} ${options.dryRun ? 'to be ' : ''}copied, ${kept} there.`);
  if (!isComplete)
    report.tell(
      'Broken off before the last installation. Repeat the command: what is copied is left alone.',
    );
  return isComplete;
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

/**
 * Runs `sessions reencrypt`, in the same way.
 * @throws {UsageError} when the storage is none, or has no keys
 */
export async function reencryptStoredSessions(
  options: SessionsReencryptionOptions,
  given: CommandProcess,
): Promise<number> {
  const { env = {} } = given;
  const { target, keys, dryRun } = options;
  const bare = await loadStorage(target, env);
  try {
    const storage = keys === undefined ? bare : withKeys(bare, keys, env);
    if (!(storage instanceof EncryptedSessionStorage))
      throw new UsageError(
        `${target} is no EncryptedSessionStorage: say with --keys which environment variable has the keys.`,
      );
    const report = new SessionsReport(given, options, [
      `sessions reencrypt ${target}`,
      ...(keys === undefined ? [] : [`with ${keys}`]),
    ]);
    const summary = await reencryptSessions(storage, report.work);
    const { reencrypted, due, unchanged, failed } = summary;
    report.print(
      dryRun
        ? `${due} to be encrypted with the first key, ${unchanged} are, ${failed} failed. Nothing was changed.`
        : `${reencrypted} encrypted with the first key, ${unchanged} were already, ${failed} failed.`,
    );
    const { hasFailed } = report;
    if (!report.isComplete(summary)) return 1;
    const left = dryRun ? 0 : await countDue(storage);
    if (left > 0) report.print(`${left} are still encrypted otherwise: keep the other keys.`);
    return hasFailed || left > 0 ? 1 : 0;
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
  return (session: Session, work) => {
    const name = tokenLock(apiKey, session.shop);
    const user = userOf(session)?.id;
    return withLock(
      { lock, clock: systemClock },
      user === undefined ? name : `${name}:${user}`,
      work,
    );
  };
}

function missing(option: string): never {
  throw new UsageError(`${option} <storage> is missing.`);
}
