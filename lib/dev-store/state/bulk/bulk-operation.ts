import type { ByteStream } from '../../http/store-request.js';

/**
 * A bulk operation of one app in one shop. The object is live: it changes while the operation runs.
 */
export interface BulkOperation {
  readonly id: number;
  readonly apiKey: string;
  readonly type: 'QUERY' | 'MUTATION';
  /** The document that runs in bulk. */
  readonly query: string;
  readonly createdAt: Date;
  status: (typeof OPERATION_STATUSES)[number];
  errorCode: BulkErrorCode | null;
  completedAt: Date | null;
  objectCount: number;
  rootObjectCount: number;
  /** The result; partial when the operation failed, null when there is none. */
  file: BulkFile | null;
}

export const OPERATION_STATUSES = [
  'CREATED',
  'RUNNING',
  'COMPLETED',
  'FAILED',
  'CANCELING',
  'CANCELED',
] as const;

export type BulkErrorCode = 'ACCESS_DENIED' | 'INTERNAL_SERVER_ERROR' | 'TIMEOUT';

/** A file of JSON lines. */
export interface BulkFile {
  /** Opens its contents, for each download. */
  readonly open: () => ByteStream;
  /** In bytes, if known. A file of unknown size cannot be downloaded in parts. */
  readonly size?: number | undefined;
}

/** The result of an operation: each object as a line of JSON. */
export interface BulkRows {
  readonly lines: readonly string[];
  readonly rootObjectCount: number;
}

/** An operation failed; any other error is an internal error of the store. */
export class BulkFailure extends Error {
  constructor(readonly code: BulkErrorCode) {
    super(`The bulk operation failed: ${code}`);
  }
}

/** How long an operation runs: milliseconds, or until `completeBulkOperations()`. */
export type BulkDuration = number | 'manual';

/**
 * True when an operation counts towards the app's limit: it has neither ended nor been canceled.
 */
export function isRunning({ status }: BulkOperation): boolean {
  return status === 'CREATED' || status === 'RUNNING';
}

/** True when an operation has ended. */
export function isOver({ status }: BulkOperation): boolean {
  return status === 'COMPLETED' || status === 'FAILED' || status === 'CANCELED';
}
