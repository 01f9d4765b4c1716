import type { Clock } from '../../../core/time/clock.js';
import { SessionStorageError } from '../../sessions.errors.js';
import { EngineConnection } from '../connection/engine.connection.js';
import type { Reached } from '../connection/engine.connection.js';
import type { SessionTable } from '../table/table-session.storage.js';
import { errorFor } from './prisma.driver.js';
import type { PrismaModel } from './prisma.driver.js';
import { MissingSessionTableError } from './prisma.errors.js';
import { checkColumns } from './session-columns.js';

/** The model of the sessions, as `tableName` names it, in a client. */
export interface PrismaSessions {
  readonly model: PrismaModel;
  readonly name: string;
  /** The database behind the client, as Prisma names it. */
  readonly database: string;
}

/** How often the table is looked for, and how many milliseconds lie between two looks. */
export interface PrismaPatience {
  readonly attempts: number;
  readonly intervalMs: number;
}

/** The way to the app's tables: open when that of the sessions can be read. */
export class PrismaConnection extends EngineConnection<SessionTable> {
  constructor(
    private readonly sessions: PrismaSessions,
    private readonly patience: PrismaPatience,
    clock: Clock,
  ) {
    super(clock, { what: 'be prepared', run: async (tables) => tables });
  }

  /** @throws {MissingSessionTableError} when the table, or a column, cannot be read now */
  async look(): Promise<void> {
    const { model, name, database } = this.sessions;
    try {
      await model.findFirst({ select: { id: true } });
    } catch (cause) {
      throw new MissingSessionTableError(
        `The table of the Prisma model "${name}" could not be read. Has its migration been run, and is the database there?`,
        { cause },
      );
    }
    await checkColumns(model, database).catch((cause: unknown) => {
      throw this.errorFor('read the columns of the sessions', cause);
    });
  }

  /** Without effect on the client, which is the app's. */
  protected async reach(): Promise<Reached<SessionTable>> {
    const { attempts, intervalMs } = this.patience;
    for (let attempt = 1; ; attempt++) {
      try {
        await this.look();
        return { server: { sessions: this.sessions.model }, close: async () => {} };
      } catch (error) {
        if (attempt >= attempts) throw error;
      }
      await this.clock.sleep(intervalMs);
    }
  }

  protected errorFor(what: string, cause: unknown): SessionStorageError {
    return cause instanceof SessionStorageError ? cause : errorFor(what, cause);
  }
}
