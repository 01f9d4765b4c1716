/** A row, or its part that a call gives or matches. */
export type Row = Readonly<Record<string, unknown>>;

/**
 * A table of an engine that is not asked in SQL, asked as Prisma asks for the rows of a model:
 * `where` may have `gt`, `lt`, `in` and their like, and `OR`; null matches what is not set.
 */
export interface RowTable {
  /** @throws the engine's error when the key is taken */
  create(args: { data: Row }): Promise<unknown>;
  /** Creates the row, or replaces the one of the same key. */
  upsert(args: { where: Row; create: Row; update: Row }): Promise<unknown>;
  findUnique(args: { where: Row }): Promise<Row | null>;
  findMany(args: { where: Row; orderBy?: Row; take?: number }): Promise<Row[]>;
  updateMany(args: { where: Row; data: Row }): Promise<{ count: number }>;
  deleteMany(args: { where: Row }): Promise<{ count: number }>;
}
