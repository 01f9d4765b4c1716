import type { RecordStore } from '../../coordination/record.store.js';
import type { SessionStorage } from '../../session.storage.js';
import { MissingSessionStorageError } from '../../sessions.errors.js';
import { EngineSessionStorage } from '../connection/engine-session.storage.js';
import type { EngineTables } from '../connection/engine-session.storage.js';
import { prismaEngine } from './prisma-engine.js';
import type { PrismaSessionStorageOptions } from './prisma-engine.js';

export type { PrismaSessionStorageOptions };

/** A session storage that can be asked whether its table is there. */
export interface PrismaSessionStorageInterface extends SessionStorage {
  isReady(): Promise<boolean>;
}

/**
 * Keeps sessions behind a Prisma client of the app's own, of version 6 or 7, which is never closed
 * here. Its schema needs the official model `Session`, with `refreshToken String?` and
 * `refreshTokenExpires DateTime?`; tables are made by the app's own migrations. Without its table
 * every method throws {@link MissingSessionTableError}.
 *
 * With the model `AppRecord` of `docs/sessions.md` as well, locks, installations and webhook
 * deliveries are kept for all processes that share the database, whose clocks have to agree within
 * a second or two.
 * @example new PrismaSessionStorage(new PrismaClient({ adapter }))
 */
export class PrismaSessionStorage<Client extends object = object>
  extends EngineSessionStorage<RecordStore | undefined>
  implements PrismaSessionStorageInterface
{
  #isUnready = false;

  /** @throws {MissingRequiredArgument} when it is no client, or has no such model */
  constructor(client: Client, options: PrismaSessionStorageOptions = {}) {
    const engine = prismaEngine(client, options);
    super(engine, engine.recordCalls);
  }

  /**
   * Looks again whether the table can be read. While it cannot, the methods throw
   * {@link MissingSessionStorageError} at once.
   */
  async isReady(): Promise<boolean> {
    // What was found before is forgotten; nobody waits for that.
    void this.close();
    this.#isUnready = false;
    try {
      await this.ready;
    } catch {
      this.#isUnready = true;
    }
    return !this.#isUnready;
  }

  protected override async run<T>(
    what: string,
    work: (tables: EngineTables) => Promise<T>,
  ): Promise<T> {
    if (!this.#isUnready) return super.run(what, work);
    throw new MissingSessionStorageError(
      'The session storage is not ready: its table could not be read.',
    );
  }
}
