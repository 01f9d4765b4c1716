import type { Clock } from '../../../core/time/clock.js';

/** Options of {@link MongoDBSessionStorage}. */
export interface MongoDBSessionStorageOptions {
  /** @default the name the official storage uses, whose data is read as it is */
  readonly sessionCollectionName?: string | undefined;
  /**
   * Options of the driver's `MongoClient`, such as `tlsCAFile`. They come before what the URL says.
   * Without effect beside a client.
   */
  readonly clientOptions?: Readonly<Record<string, unknown>> | undefined;
  /** @default the system's clock */
  readonly clock?: Clock | undefined;
}
