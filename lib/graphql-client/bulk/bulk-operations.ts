import { LazyPromise } from '../../core/concurrency/lazy-promise.js';
import type { GraphqlError } from '../graphql-client.errors.js';
import type { StagedTarget } from './bulk.api.js';
import { refused } from './bulk-launch.js';
import type { NestedRow } from './bulk-nesting.js';
import { BulkRun } from './bulk-run.js';
import type { BulkDependencies, BulkRunOptions } from './bulk-run.js';
import { upload, writeJsonl } from './bulk-upload.js';
import type { BulkVariables } from './bulk-upload.js';

/** A row of an export: an object of the query, with the id of its parent. */
export type BulkRow = Readonly<Record<string, unknown>> & {
  readonly __parentId?: string | undefined;
};

/** The response of one run of a mutation. */
export interface BulkMutationRow<TData = Readonly<Record<string, unknown>>> {
  readonly data?: TData | null | undefined;
  readonly errors?: readonly GraphqlError[] | undefined;
  /** The index of its row among those that were sent, counted from 0. */
  readonly __lineNumber: number;
}

/** Options that request nested rows. */
export interface NestedBulkRunOptions extends BulkRunOptions {
  readonly nested: true;
}

/** Options of an import. Its rows are never nested. */
type BulkMutationOptions = Omit<BulkRunOptions, 'nested'>;

/**
 * Bulk operations on behalf of one session: `for await (const row of admin.bulk.query(document))`.
 */
export class BulkOperations {
  /** @internal Made by `AdminBulkClient.for()`. */
  constructor(private readonly dependencies: BulkDependencies) {}

  /**
   * Exports everything a query finds. The query has at least one connection and no variables; its
   * connections need no `first`. Rows are yielded one by one while the file is downloaded, in the
   * order of the file.
   * @see https://shopify.dev/docs/api/usage/bulk-operations/queries
   */
  query<Row = BulkRow>(document: string, options: NestedBulkRunOptions): BulkRun<NestedRow<Row>>;
  query<Row = BulkRow>(document: string, options?: BulkRunOptions): BulkRun<Row>;
  query(document: string, options: BulkRunOptions = {}): BulkRun<unknown> {
    const { api } = this.dependencies;
    return new BulkRun(
      this.dependencies,
      { type: 'QUERY', start: (signal) => api.runQuery(document, options.nested === true, signal) },
      options,
    );
  }

  /**
   * Runs a mutation once for each row of variables, and yields the response of each run. The
   * `userErrors` of a run are data.
   * @param rows up to 100 MB as JSON; an iterable is read once, when the operation starts
   * @see https://shopify.dev/docs/api/usage/bulk-operations/imports
   */
  mutate<TData = Readonly<Record<string, unknown>>>(
    document: string,
    rows: Iterable<BulkVariables> | AsyncIterable<BulkVariables>,
    options: BulkMutationOptions = {},
  ): BulkRun<BulkMutationRow<TData>> {
    let file: Blob | undefined;
    const uploaded = new LazyPromise(async (signal: AbortSignal) => {
      // Kept until it is uploaded: not every iterable can be read twice.
      file ??= await writeJsonl(rows, signal);
      const path = await this.#upload(file, signal);
      file = undefined;
      return path;
    });
    const start = async (signal: AbortSignal) => {
      const path = await uploaded.get(signal);
      return this.dependencies.api.runMutation(document, path, signal);
    };
    return new BulkRun(this.dependencies, { type: 'MUTATION', start }, options);
  }

  /**
   * Resumes an operation by its id, after a restart or in another process.
   * @param options `nested` must be as it was when the operation was started
   */
  resume<Row = BulkRow>(id: string, options: NestedBulkRunOptions): BulkRun<NestedRow<Row>>;
  resume<Row = BulkRow>(id: string, options?: BulkRunOptions): BulkRun<Row>;
  resume(id: string, options: BulkRunOptions = {}): BulkRun<unknown> {
    return new BulkRun(this.dependencies, id, options);
  }

  async #upload(file: Blob, signal: AbortSignal): Promise<string> {
    const target = await this.#stage(file.size, signal);
    this.dependencies.checkAddress(target.url);
    return upload(this.dependencies.transport, target, file, signal);
  }

  async #stage(size: number, signal: AbortSignal): Promise<StagedTarget> {
    const { api } = this.dependencies;
    const { target, userErrors } = await api.stage(size, signal);
    if (!target) throw refused(userErrors, api.shop, 'MUTATION');
    return target;
  }
}
