import { isoTime } from '../../base/iso-time.js';
import { globalId } from '../../base/vendor.js';
import type { BulkOperation } from './bulk-operation.js';

/** The payload of the webhook `bulk_operations/finish`: enums in lower case, and no URL. */
export function bulkOperationPayload({
  id,
  status,
  type,
  errorCode,
  createdAt,
  completedAt,
}: BulkOperation): Record<string, unknown> {
  return {
    admin_graphql_api_id: globalId('BulkOperation', id),
    completed_at: completedAt && isoTime(completedAt),
    created_at: isoTime(createdAt),
    error_code: errorCode?.toLowerCase() ?? null,
    status: status.toLowerCase(),
    type: type.toLowerCase(),
  };
}
