import type { MigratedShop, TokenMigrationOptions } from '../../auth/tokens/token-migration.js';
import { redactedText } from '../../core/redaction.js';
import type { PlatformApi } from '../../platform/api/platform.api.js';
import { reasonLine } from '../printable.js';

/**
 * Replaces the tokens of an app that never expire, and reports the outcome for each shop.
 * @returns the exit code: 1 when a shop failed, or `options.signal` ended the run before the last
 * shop
 */
export async function migrateTokens(
  { auth, config }: PlatformApi,
  options: Omit<TokenMigrationOptions, 'onShop'>,
  print: (line: string) => unknown,
): Promise<number> {
  print(`Tokens of the app with the client id ${config.apiKey}:`);
  const summary = await auth.migrateTokens({
    ...options,
    onShop: (result) => print(lineOf(result)),
  });
  const { eligible, migrated, skipped, failed, lastId, isComplete } = summary;
  if (options.apply)
    print(`${migrated} migrated, ${skipped} had nothing to migrate, ${failed} failed.`);
  else
    print(
      `${eligible} can be migrated, ${skipped} have nothing to migrate. Nothing was changed: repeat with --apply to do it.`,
    );
  if (failed > 0) print('Repeat the command for those that failed: whoever is done is skipped.');
  if (isComplete) return failed > 0 ? 1 : 0;
  print(
    lastId === undefined
      ? 'Broken off before the first.'
      : `Broken off. Go on with --after ${lastId}`,
  );
  return 1;
}

function lineOf({ id, outcome, error }: MigratedShop): string {
  return error === undefined
    ? `${id} ${outcome}`
    : `${id} ${outcome}: ${redactedText(reasonLine(error))}`;
}
