import { SessionStorageError } from '../../sessions.errors.js';

/**
 * The table of the sessions cannot be read; `cause` holds the client's error. Mostly its migration
 * has not been run.
 */
export class MissingSessionTableError extends SessionStorageError {
  override readonly code = 'ERR_SESSION_TABLE_MISSING';
}

/**
 * The storage was found not to be ready by {@link PrismaSessionStorage.isReady}, and has not become
 * so since.
 */
export class MissingSessionStorageError extends SessionStorageError {
  override readonly code = 'ERR_SESSION_STORAGE_NOT_READY';
}

/** The client's code for an error, such as `P2002`. */
export function codeOf(error: unknown): string | undefined {
  // By shape: every generated client has classes of its own.
  return typeof error === 'object' &&
    error !== null &&
    'code' in error &&
    typeof error.code === 'string'
    ? error.code
    : undefined;
}

/** True when a row of the same id is there already. */
export function isDuplicate(error: unknown): boolean {
  return codeOf(error) === 'P2002';
}

/**
 * True when the call does not fit the schema. The client's message then shows all it was given,
 * tokens included.
 */
export function isMisfit(error: unknown): error is Error {
  return error instanceof Error && error.name === 'PrismaClientValidationError';
}

/**
 * Does `work`. @throws {SessionStorageError} that says what could not be done, without what was
 * stored
 */
export async function explained<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof SessionStorageError) throw error;
    // The last line names the argument that does not fit.
    if (isMisfit(error))
      throw new SessionStorageError(
        `Prisma could not ${what}: ${error.message.trim().split('\n').at(-1)}`,
      );
    throw new SessionStorageError(
      `Prisma could not ${what} (${codeOf(error) ?? (error as Error).name}).`,
      { cause: error },
    );
  }
}
