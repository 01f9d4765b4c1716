import type { ApiSession } from '../../core/api-session.js';
import { onlyValue } from '../../core/json.js';
import { UserErrorsError } from '../graphql-client.errors.js';
import type { GraphqlCallOptions, OwnPolicy } from '../graphql.options.js';
import { hasEnded } from './bulk-operation.js';
import type { BulkOperation } from './bulk-operation.js';
import { CANCEL, READ, RUN_MUTATION, RUN_QUERY, STAGE_UPLOAD } from './bulk.queries.js';

/** A user error of the platform about an argument. */
interface BulkUserError {
  readonly field: readonly string[] | null;
  readonly message: string;
  readonly code?: string | null;
}

/** The id of the started operation, or the user errors. */
export interface StartOutcome {
  readonly id: string | undefined;
  readonly userErrors: readonly BulkUserError[];
}

/** Where a file can be uploaded, and the form fields to send with it. */
export interface StagedTarget {
  readonly url: string;
  readonly parameters: readonly { readonly name: string; readonly value: string }[];
}

/** The target of an upload, or the user errors. */
interface StageOutcome {
  readonly target: StagedTarget | undefined;
  readonly userErrors: readonly BulkUserError[];
}

/** The response to a mutation, under its name. */
type Outcome<T> = Readonly<
  Record<string, (T & { readonly userErrors: readonly BulkUserError[] }) | null>
>;
type Started = Outcome<{ readonly bulkOperation: { readonly id: string } | null }>;
type Cancelled = Outcome<{ readonly bulkOperation: Pick<BulkOperation, 'id' | 'status'> | null }>;
type Staged = Outcome<{ readonly stagedTargets: readonly StagedTarget[] | null }>;

/** The part of a `GraphqlClient` that bulk operations use. */
export interface BulkCaller {
  readonly session: ApiSession;
  readonly apiVersion: string;
  request(document: string, options: OwnPolicy<'throw'>): Promise<{ readonly data: unknown }>;
}

/**
 * The API calls of bulk operations, made with the client of one session as background calls, so
 * that other calls go first.
 */
export class BulkApi {
  constructor(private readonly client: BulkCaller) {}

  get shop(): string {
    return this.client.session.shop;
  }

  get apiVersion(): string {
    return this.client.apiVersion;
  }

  /**
   * Starts an export. The signal aborts it only before it is sent: an operation cannot be cancelled
   * without its id.
   */
  async runQuery(query: string, groupObjects: boolean, signal: AbortSignal): Promise<StartOutcome> {
    return startOf(
      await this.#send<Started>(
        RUN_QUERY,
        { query, groupObjects },
        { signal, finishOnceSent: true },
      ),
    );
  }

  /** Starts an import. The signal aborts it only before it is sent. */
  async runMutation(
    mutation: string,
    stagedUploadPath: string,
    signal: AbortSignal,
  ): Promise<StartOutcome> {
    return startOf(
      await this.#send<Started>(
        RUN_MUTATION,
        { mutation, stagedUploadPath },
        { signal, finishOnceSent: true },
      ),
    );
  }

  /** Requests a target for the upload of a file of variables with that many bytes. */
  async stage(size: number, signal: AbortSignal): Promise<StageOutcome> {
    const file = {
      resource: 'BULK_MUTATION_VARIABLES',
      filename: 'variables.jsonl',
      mimeType: 'text/jsonl',
      httpMethod: 'POST',
      fileSize: String(size),
    };
    const outcome = onlyValue(
      await this.#send<Staged>(STAGE_UPLOAD, { input: [file] }, { signal }),
    );
    return { target: outcome?.stagedTargets?.[0], userErrors: outcome?.userErrors ?? [] };
  }

  /** The current state of the operation; `undefined` when the shop has none with that id. */
  async read(id: string, signal?: AbortSignal): Promise<BulkOperation | undefined> {
    const { node } = await this.#send<{ readonly node: BulkOperation | null }>(
      READ,
      { id },
      { signal },
    );
    return node?.status === undefined ? undefined : node;
  }

  /**
   * Cancels an operation. An operation that has ended meanwhile is left as it is.
   * @throws {UserErrorsError} when the platform refuses although the operation continues
   */
  async cancel(id: string): Promise<void> {
    const outcome = onlyValue(await this.#send<Cancelled>(CANCEL, { id }, { idempotent: true }));
    if (!outcome || outcome.userErrors.length === 0) return;
    const operation = outcome.bulkOperation ?? (await this.read(id));
    if (operation && (operation.status === 'CANCELING' || hasEnded(operation))) return;
    throw new UserErrorsError(outcome.userErrors, undefined, {
      shop: this.shop,
      operation: 'bulkOperationCancel',
    });
  }

  async #send<TData>(
    document: string,
    variables: Readonly<Record<string, unknown>>,
    options: Pick<GraphqlCallOptions, 'signal' | 'finishOnceSent' | 'idempotent'> = {},
  ): Promise<TData> {
    const { data } = await this.client.request(document, {
      ...options,
      variables,
      priority: 'background',
      userErrors: 'return',
    });
    return data as TData;
  }
}

function startOf(started: Started): StartOutcome {
  const outcome = onlyValue(started);
  return { id: outcome?.bulkOperation?.id, userErrors: outcome?.userErrors ?? [] };
}
