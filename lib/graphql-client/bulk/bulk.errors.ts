import { ApiError } from '../../core/http/http.errors.js';
import type { ApiErrorOptions } from '../../core/http/http.errors.js';
import type { BulkOperation } from './bulk-operation.js';

/**
 * A bulk operation ended without a complete result: it failed, was cancelled or has expired.
 * @remedy Look at `bulkOperation.errorCode`; start it again unless it was cancelled.
 * `partialDataUrl` has what was found until then.
 */
export class BulkOperationError extends ApiError {
  readonly code = 'ERR_BULK_OPERATION';

  /** Its last state. Its addresses can be read, but are hidden when the error is printed. */
  readonly bulkOperation: BulkOperation;

  constructor(message: string, bulkOperation: BulkOperation, options: ApiErrorOptions = {}) {
    super(message, options);
    this.bulkOperation = withHiddenAddresses(bulkOperation);
  }

  /**
   * The address of the partial result of a failed operation, or `undefined`. It needs no token, so
   * treat it as a secret.
   */
  get partialDataUrl(): string | undefined {
    return this.bulkOperation.partialDataUrl ?? undefined;
  }
}

/**
 * A file of a bulk operation could not be fetched, sent or read.
 * @remedy Run it again, or `admin.bulk.resume` a result: it is kept for seven days.
 */
export class BulkTransferError extends ApiError {
  readonly code = 'ERR_BULK_TRANSFER';
  /** The line that could not be read, counted from 1. */
  declare readonly line?: number;

  constructor(
    message: string,
    { line, ...options }: ApiErrorOptions & { readonly line?: number | undefined } = {},
  ) {
    super(message, options);
    if (line !== undefined) this.line = line;
  }
}

/** An address grants access to its file, so it must not be logged with the error. */
function withHiddenAddresses(operation: BulkOperation): BulkOperation {
  return Object.defineProperties(
    { ...operation },
    { url: { enumerable: false }, partialDataUrl: { enumerable: false } },
  );
}
