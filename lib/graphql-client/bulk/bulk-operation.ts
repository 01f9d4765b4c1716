/** What an operation does. */
export type BulkOperationType = 'QUERY' | 'MUTATION';

/** How far an operation is, in the platform's words. */
export type BulkOperationStatus =
  'CREATED' | 'RUNNING' | 'COMPLETED' | 'CANCELING' | 'CANCELED' | 'FAILED' | 'EXPIRED';

/**
 * A bulk operation as the platform reports it.
 * @see https://shopify.dev/docs/api/admin-graphql/latest/objects/BulkOperation
 */
export interface BulkOperation {
  /** Global id; any process can resume the operation by it. */
  readonly id: string;
  readonly type: BulkOperationType;
  readonly status: BulkOperationStatus;
  /** Why it failed: `ACCESS_DENIED`, `INTERNAL_SERVER_ERROR`, `TIMEOUT`. */
  readonly errorCode: string | null;
  /** Objects processed so far, as a decimal. */
  readonly objectCount: string;
  /** The same, counting only objects without a parent. */
  readonly rootObjectCount: string;
  /** Bytes of the file at `url`, as a decimal. */
  readonly fileSize: string | null;
  /** Where the result can be fetched for seven days; `null` when it is empty. */
  readonly url: string | null;
  /** Where the partial result of a failed operation can be fetched. */
  readonly partialDataUrl: string | null;
  /** ISO 8601. */
  readonly createdAt: string;
  /** ISO 8601. */
  readonly completedAt: string | null;
}

const ENDED: ReadonlySet<BulkOperationStatus> = new Set<BulkOperationStatus>([
  'COMPLETED',
  'CANCELED',
  'FAILED',
  'EXPIRED',
]);

/** True when the operation does not change any more. */
export function hasEnded({ status }: Pick<BulkOperation, 'status'>): boolean {
  return ENDED.has(status);
}

/** Milliseconds between two polls of an operation: doubles from the first to the longest. */
const FIRST_PAUSE = 1000;
const LONGEST_PAUSE = 30_000;

/** The pauses between polls, in milliseconds, without an end. */
export function* pauses(): Generator<number, never> {
  for (let pause = FIRST_PAUSE; ; pause = Math.min(pause * 2, LONGEST_PAUSE)) yield pause;
}
