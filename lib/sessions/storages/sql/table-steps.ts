import type { OfficialRecord } from './official-tables.js';

/** Where it is noted which steps were taken, for all tables of sessions in a database. */
export const STEPS_TABLE = 'shopwright_migrations';

/** Brings a table of sessions, and those beside it, closer to the current shape. */
export type Step<Run> = readonly [name: string, run: Run];

/** What is migrated, on a server that official storages have used as well. */
export interface MigrationOptions {
  readonly table: string;
  readonly official: OfficialRecord;
}

/** What a step that was taken is noted as. */
export function recordOf(table: string, [name]: Step<unknown>): string {
  return `${table}/${name}`;
}

/**
 * The steps that are still to be taken for a table. @param taken what is noted, of whatever tables
 */
export function pendingSteps<Run>(
  steps: readonly Step<Run>[],
  table: string,
  taken: Iterable<unknown>,
): readonly Step<Run>[] {
  const records = new Set(taken);
  return steps.filter((step) => !records.has(recordOf(table, step)));
}

/** A table and what its columns are called. */
export interface TableShape {
  readonly name: string;
  readonly columns: readonly string[];
}

/**
 * @param companions the columns of the tables beside the table of sessions, by what the names of
 * these end with
 */
export function shapesOf(
  table: string,
  columns: object,
  companions: Readonly<Record<string, object>>,
): readonly TableShape[] {
  const beside = Object.entries(companions).map(([suffix, columns]) => ({
    name: `${table}_${suffix}`,
    columns: Object.keys(columns),
  }));
  return [{ name: table, columns: Object.keys(columns) }, ...beside];
}

/** Names the columns that a table lacks. */
export function missingColumns(
  { name, columns }: TableShape,
  existing: { has(column: string): boolean },
): string[] {
  return columns
    .filter((column) => !existing.has(column))
    .map((column) => `column ${name}.${column}`);
}
