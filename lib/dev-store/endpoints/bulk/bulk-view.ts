import { isoTime } from '../../base/iso-time.js';
import { globalId } from '../../base/vendor.js';
import type { BulkOperation } from '../../state/bulk/bulk-operation.js';
import type { BulkOperations } from '../../state/bulk/bulk-operations.js';
import type { StagedUploads } from '../../state/bulk/staged-uploads.js';
import {
  RESULT_LIFETIME,
  RESULT_PATH,
  type StorageSigner,
} from '../../state/bulk/storage-signer.js';

/** The part of a shop that bulk operations use. */
export interface BulkShop {
  /** The origin of the shop. */
  readonly origin: string;
  readonly bulk: BulkOperations;
  readonly uploads: StagedUploads;
  readonly storage: StorageSigner;
}

/**
 * A bulk operation as the schema describes it. The URL of its result is signed each time it is
 * requested.
 */
export function bulkOperationView(
  shop: Pick<BulkShop, 'origin' | 'storage'>,
  operation: BulkOperation,
): object {
  const { id, status, file, completedAt } = operation;
  const address = (): string =>
    shop.origin + shop.storage.signedPath('GET', `${RESULT_PATH}${id}.jsonl`, RESULT_LIFETIME);
  return {
    __typename: 'BulkOperation',
    id: globalId('BulkOperation', id),
    type: operation.type,
    query: operation.query,
    status,
    errorCode: operation.errorCode,
    createdAt: isoTime(operation.createdAt),
    completedAt: completedAt && isoTime(completedAt),
    objectCount: String(operation.objectCount),
    rootObjectCount: String(operation.rootObjectCount),
    fileSize: file?.size === undefined ? null : String(file.size),
    url: () => (file && status === 'COMPLETED' ? address() : null),
    partialDataUrl: () => (file && status === 'FAILED' ? address() : null),
  };
}
