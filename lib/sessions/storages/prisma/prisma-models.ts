import { createHash } from 'node:crypto';

type Values = Readonly<Record<string, unknown>>;

/** The part of a model's delegate that we use, of whatever version of Prisma. */
export interface PrismaModel {
  create(args: { data: Values }): Promise<unknown>;
  upsert(args: { where: Values; create: Values; update: Values }): Promise<unknown>;
  findUnique(args: { where: Values }): Promise<Values | null>;
  findFirst(args: { select: Values }): Promise<unknown>;
  findMany(args: { where: Values; orderBy?: Values; take?: number }): Promise<Values[]>;
  updateMany(args: { where: Values; data: Values }): Promise<{ count: number }>;
  deleteMany(args: { where: Values }): Promise<{ count: number }>;
}

/** Names of the client's properties, which are those of the models in lower camel case. */
export interface PrismaCompanionModels {
  /** @default 'appLock' */
  readonly lock?: string | undefined;
  /** @default 'appInstallation' */
  readonly installation?: string | undefined;
  /** @default 'webhookDelivery' */
  readonly delivery?: string | undefined;
}

/** Undefined when the client's schema has no such model. */
export function modelOf(client: object, name: string): PrismaModel | undefined {
  const model = (client as Readonly<Record<string, PrismaModel | undefined>>)[name];
  return typeof model?.findMany === 'function' ? model : undefined;
}

/**
 * 43 characters that stand for the names: they fit a column of any database, and none of them takes
 * two for the same.
 */
export function keyOf(...names: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(names)).digest('base64url');
}
