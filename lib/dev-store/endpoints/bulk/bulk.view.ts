import type { BulkOperation } from '../../state/bulk/bulk.operations.js';
import type { DevShop } from '../../dev-shop.js';
import { isoTime } from '../../base/iso-time.js';
import { RESULT_LIFETIME } from '../../state/bulk/storage.signer.js';
import { RESULT_PATH } from './storage.simulator.js';
import { globalId } from '../../base/vendor.js';

/** A bulk operation as the schema describes it. The address of its result is signed anew each time it is asked for. */
export function bulkOperationView(shop: DevShop, operation: BulkOperation): object {
  const { id, status, file, completedAt } = operation;
  const address = (): string => shop.origin + shop.storage.signedPath('GET', `${RESULT_PATH}${id}.jsonl`, RESULT_LIFETIME);
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

/** What the webhook `bulk_operations/finish` carries: words in lower case, and no address. */
export function bulkOperationPayload({ id, status, type, errorCode, createdAt, completedAt }: BulkOperation): Record<string, unknown> {
  return {
    admin_graphql_api_id: globalId('BulkOperation', id),
    completed_at: completedAt && isoTime(completedAt),
    created_at: isoTime(createdAt),
    error_code: errorCode?.toLowerCase() ?? null,
    status: status.toLowerCase(),
    type: type.toLowerCase(),
  };
}
