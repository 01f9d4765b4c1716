/** Where it is noted which migrations were applied, for all tables of sessions in a database. */
export const MIGRATIONS_TABLE = 'shopwright_migrations';

/**
 * Applied once, in order, and noted by its id, which begins with the table's name where several
 * share the notes. A released migration is never changed: add another.
 */
type Migration = readonly [id: string, run: () => Promise<unknown>];

/** Where it is noted which migrations were applied. */
export interface MigrationNotes {
  read(): Promise<Iterable<unknown>>;
  add(id: string): Promise<unknown>;
}

/** Migrations in their order, and the notes on which of them were applied. */
export type NotedMigrations = readonly [notes: MigrationNotes, migrations: readonly Migration[]];

/** The migrations that are still to be applied. */
export async function pendingIn(
  ...[notes, migrations]: NotedMigrations
): Promise<readonly Migration[]> {
  const applied = new Set(await notes.read());
  return migrations.filter(([id]) => !applied.has(id));
}

/** Applies what is pending. */
export async function applyPending(...[notes, migrations]: NotedMigrations): Promise<void> {
  for (const [id, run] of await pendingIn(notes, migrations)) {
    await run();
    await notes.add(id);
  }
}
