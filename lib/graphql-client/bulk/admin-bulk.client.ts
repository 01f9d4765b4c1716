import type { PlatformConfig } from '../../core/config/platform-config.js';
import type { HttpTransport } from '../../core/http/http-transport.js';
import type { PlatformLogger } from '../../core/logger.js';
import { BulkApi } from './bulk.api.js';
import type { BulkCaller } from './bulk.api.js';
import { BulkTransferError } from './bulk.errors.js';
import type { BulkFinished } from './bulk-finished.js';
import { BulkOperations } from './bulk-operations.js';
import { BulkQueue } from './bulk.queue.js';

/** Bulk operations of an app, in one queue for all of its sessions. */
export class AdminBulkClient {
  readonly #queue = new BulkQueue();

  constructor(
    private readonly config: PlatformConfig,
    private readonly transport: HttpTransport,
    private readonly logger: PlatformLogger,
    private readonly finished: BulkFinished,
  ) {}

  /** Bulk operations through the client of one session. */
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
   * Files lie with the platform's storage, at addresses it names; in a simulated store with the
   * store itself.
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
