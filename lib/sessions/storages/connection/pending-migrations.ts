/** Where it is noted which migrations were applied, for all tables of sessions in a database. */
export const MIGRATIONS_TABLE = 'shopwright_migrations';

/** Applied once per table, in order. A released migration is never changed: add another. */
export type Migration<Run> = readonly [name: string, run: Run];

/** What an applied migration is noted as. */
export function migrationId(table: string, [name]: Migration<unknown>): string {
  return `${table}/${name}`;
}

/** The migrations that are still to be applied. @param applied ids, of whatever tables */
export function pendingMigrations<Run>(
  migrations: readonly Migration<Run>[],
  table: string,
  applied: Iterable<unknown>,
): readonly Migration<Run>[] {
  const ids = new Set(applied);
  return migrations.filter((migration) => !ids.has(migrationId(table, migration)));
}
