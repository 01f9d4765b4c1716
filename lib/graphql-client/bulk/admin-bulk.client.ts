import type { PlatformConfig } from '../../core/config/platform-config.js';
import type { HttpTransport } from '../../core/http/http-transport.js';
import type { PlatformLogger } from '../../core/logger.js';
import { BulkApi } from './bulk.api.js';
import type { BulkCaller } from './bulk.api.js';
import { BulkTransferError } from './bulk.errors.js';
import type { BulkFinished } from './bulk-finished.js';
import { BulkOperations } from './bulk-operations.js';
import { BulkQueue } from './bulk.queue.js';

/** Bulk operations of an app. All of its sessions share one queue. */
export class AdminBulkClient {
  readonly #queue = new BulkQueue();

  constructor(
    private readonly config: PlatformConfig,
    private readonly transport: HttpTransport,
    private readonly logger: PlatformLogger,
    private readonly finished: BulkFinished,
  ) {}

  /** Bulk operations with the client of one session. */
  for(client: BulkCaller): BulkOperations {
    const { transport, logger, finished } = this;
    return new BulkOperations({
      api: new BulkApi(client),
      transport,
      clock: transport.clock,
      logger,
      finished,
      queue: this.#queue,
      checkAddress: (url) => this.#checkAddress(url, client.session.shop),
    });
  }

  /**
   * Allows any https address, as the platform's storage has, and the origin of a simulated store.
   */
  #checkAddress(url: string, shop: string): void {
    const { protocol, origin, host } = URL.canParse(url)
      ? new URL(url)
      : { protocol: '', origin: '', host: '' };
    if (protocol === 'https:' || origin === new URL(this.config.shopOrigin(shop)).origin) return;
    throw new BulkTransferError(
      `Files are exchanged over https alone, and the platform named ${host || 'no usable address'}.`,
    );
  }
}
