import { globalId } from '../../base/vendor.js';
import type { ShopContext } from '../shop/shop.context.js';
import {
  BulkFailure,
  isOver,
  isRunning,
  type BulkDuration,
  type BulkErrorCode,
  type BulkFile,
  type BulkOperation,
  type BulkRows,
} from './bulk-operation.js';
import { bulkOperationPayload } from './bulk-payload.js';

/** The bulk operations of one shop, from start to result. */
export class BulkOperations {
  /** The result of every query, in place of the real one. */
  served: (BulkFile & { readonly objectCount?: number | undefined }) | undefined;
  private readonly operations = new Map<number, BulkOperation>();
  private readonly work = new Map<BulkOperation, () => Promise<BulkRows | BulkFailure>>();
  private readonly timers = new Set<NodeJS.Timeout>();

  /**
   * @param shop its apps are notified of the end of each operation
   * @param duration of operations that start from now on
   * @param lastId the id before the first one issued
   */
  constructor(
    private readonly shop: Pick<ShopContext, 'now' | 'log' | 'dispatcher'>,
    public duration: BulkDuration,
    private lastId: number,
  ) {}

  all(): BulkOperation[] {
    return [...this.operations.values()];
  }

  /** An app's operations, the latest last. */
  of(apiKey: string): BulkOperation[] {
    return this.all().filter((operation) => operation.apiKey === apiKey);
  }

  find(apiKey: string, id: number): BulkOperation | undefined {
    const found = this.operations.get(id);
    return found?.apiKey === apiKey ? found : undefined;
  }

  /** Starts an operation. @param run does the work when the operation's duration is over */
  start(
    description: Pick<BulkOperation, 'apiKey' | 'type' | 'query'>,
    run: () => Promise<BulkRows>,
  ): BulkOperation {
    const operation: BulkOperation = {
      ...description,
      id: ++this.lastId,
      createdAt: this.shop.now(),
      status: 'CREATED',
      errorCode: null,
      completedAt: null,
      objectCount: 0,
      rootObjectCount: 0,
      file: null,
    };
    this.operations.set(operation.id, operation);
    let result: Promise<BulkRows | BulkFailure> | undefined;
    // Runs once, for the first caller that needs the result.
    this.work.set(operation, () => (result ??= this.attempt(operation, run)));
    this.note(operation, 'created');
    const { duration } = this;
    this.after(0, () => {
      if (operation.status === 'CREATED') operation.status = 'RUNNING';
      if (duration !== 'manual') this.after(duration, () => void this.finish(operation));
    });
    return operation;
  }

  /** Cancels a running operation, with a short delay. Returns whether it was running. */
  cancel(operation: BulkOperation): boolean {
    if (!isRunning(operation)) return false;
    operation.status = 'CANCELING';
    this.after(0, () => void this.end(operation, { status: 'CANCELED' }));
    return true;
  }

  /** Completes every operation that is in progress and notifies the apps. */
  async complete(): Promise<void> {
    await Promise.all(this.all().map((operation) => this.finish(operation)));
  }

  /**
   * Fails every operation that is in progress, with the first lines of its result as partial data.
   */
  async fail(code: BulkErrorCode, lines: number): Promise<void> {
    const running = this.all().filter(isRunning);
    await Promise.all(
      running.map(async (operation) => {
        const rows = await this.work.get(operation)?.();
        const partial = !rows || rows instanceof BulkFailure ? [] : rows.lines.slice(0, lines);
        await this.end(operation, {
          status: 'FAILED',
          errorCode: code,
          objectCount: partial.length,
          file: fileOf(partial),
        });
      }),
    );
  }

  /** Stops every operation. */
  close(): void {
    for (const timer of this.timers) clearTimeout(timer);
    this.timers.clear();
  }

  private async finish(operation: BulkOperation): Promise<void> {
    if (!isRunning(operation)) return;
    if (operation.type === 'QUERY' && this.served) {
      const { objectCount = 0, ...file } = this.served;
      return this.end(operation, {
        status: 'COMPLETED',
        objectCount,
        rootObjectCount: objectCount,
        file,
      });
    }
    const rows = await this.work.get(operation)?.();
    if (!rows) return;
    if (rows instanceof BulkFailure)
      return this.end(operation, { status: 'FAILED', errorCode: rows.code });
    const { lines, rootObjectCount } = rows;
    return this.end(operation, {
      status: 'COMPLETED',
      objectCount: lines.length,
      rootObjectCount,
      file: fileOf(lines),
    });
  }

  private async attempt(
    operation: BulkOperation,
    run: () => Promise<BulkRows>,
  ): Promise<BulkRows | BulkFailure> {
    try {
      return await run();
    } catch (error) {
      if (error instanceof BulkFailure) return error;
      this.note(operation, `broke: ${error instanceof Error ? error.message : String(error)}`);
      return new BulkFailure('INTERNAL_SERVER_ERROR');
    }
  }

  private async end(
    operation: BulkOperation,
    outcome: Partial<BulkOperation> & Pick<BulkOperation, 'status'>,
  ): Promise<void> {
    if (isOver(operation) || (operation.status === 'CANCELING' && outcome.status !== 'CANCELED'))
      return;
    this.work.delete(operation);
    Object.assign(operation, outcome, { completedAt: this.shop.now() });
    this.note(operation, `${operation.status.toLowerCase()}, ${operation.objectCount} objects`);
    await this.shop.dispatcher.deliver('bulk_operations/finish', bulkOperationPayload(operation), {
      apiKey: operation.apiKey,
    });
  }

  private note({ id, type }: BulkOperation, text: string): void {
    this.shop.log.add({
      kind: 'bulk',
      summary: `${type.toLowerCase()} ${globalId('BulkOperation', id)} ${text}`,
    });
  }

  private after(milliseconds: number, work: () => void): void {
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      work();
    }, milliseconds);
    this.timers.add(timer);
  }
}

/** A file of the lines; null when there are none. */
function fileOf(lines: readonly string[]): BulkFile | null {
  if (lines.length === 0) return null;
  const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
  return { open: () => [bytes], size: bytes.length };
}
