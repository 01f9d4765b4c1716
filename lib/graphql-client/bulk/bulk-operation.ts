export type BulkOperationType = 'QUERY' | 'MUTATION';

export type BulkOperationStatus =
  'CREATED' | 'RUNNING' | 'COMPLETED' | 'CANCELING' | 'CANCELED' | 'FAILED' | 'EXPIRED';

/**
 * A bulk operation as the platform tells of it.
 * @see https://shopify.dev/docs/api/admin-graphql/latest/objects/BulkOperation
 */
export interface BulkOperation {
  /** Global id; whoever has it can resume the operation. */
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
  /** What a failed operation got done. */
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

/** True when nothing about the operation will change any more. */
export function hasEnded({ status }: Pick<BulkOperation, 'status'>): boolean {
  return ENDED.has(status);
}

/** Milliseconds between two looks at an operation: doubles from the first to the longest. */
const FIRST_PAUSE = 1000;
const LONGEST_PAUSE = 30_000;

/** The pauses of a wait without an end, in milliseconds. */
export function* pauses(): Generator<number, never> {
  for (let pause = FIRST_PAUSE; ; pause = Math.min(pause * 2, LONGEST_PAUSE)) yield pause;
}
