import type { GraphQLResolveInfo } from 'graphql';
import { globalId, idOf } from '../../base/vendor.js';
import { typedId } from '../../graphql/graphql.errors.js';
import { connection, type ConnectionArgs } from '../../graphql/graphql.connection.js';
import type { CheckedDocument, GraphqlEngine } from '../../graphql/graphql-engine.js';
import type { GraphqlContext, Resolution } from '../../graphql/graphql-execution.js';
import { search } from '../../graphql/graphql-search.js';
import {
  dateField,
  numberField,
  optionField,
  type SearchFields,
} from '../../graphql/search-fields.js';
import {
  isRunning,
  OPERATION_STATUSES,
  type BulkOperation,
} from '../../state/bulk/bulk-operation.js';
import {
  LARGEST_UPLOAD,
  UPLOAD_PATH,
  type StagedUploadInput,
} from '../../state/bulk/staged-uploads.js';
import type { ApiCall } from '../admin-api/admin-api-access.js';
import { bulkMutationProblem, runBulkMutation, variablesOf } from './bulk-mutation.js';
import { bulkQueryProblems, runBulkQuery } from './bulk-query.js';
import { bulkOperationView, type BulkShop } from './bulk-view.js';

/** Versions from this one on run five operations of a type at once; those before it, one. */
const MANY_AT_ONCE_SINCE = '2026-01';

interface UserError {
  field: string[] | null;
  message: string;
  code?: string | null;
}

interface OperationsArgs extends ConnectionArgs {
  query?: string | null;
  sortKey?: 'CREATED_AT' | 'COMPLETED_AT' | null;
}

/**
 * The resolvers of bulk operations and staged uploads for one caller. @param resolution returns
 * what documents that run in bulk are executed on
 */
export function bulkRoot(
  shop: BulkShop,
  { token, version }: ApiCall,
  engine: GraphqlEngine,
  resolution: () => Resolution,
): Record<string, unknown> {
  const { apiKey } = token;
  const view = (operation: BulkOperation): object => bulkOperationView(shop, operation);
  const found = (id: string): BulkOperation | undefined =>
    shop.bulk.find(apiKey, idOf('BulkOperation', id) ?? NaN);
  const refused = (...userErrors: UserError[]): object => ({ bulkOperation: null, userErrors });
  const started = (operation: BulkOperation): object => ({
    bulkOperation: view(operation),
    userErrors: [],
  });

  /** A valid document, or what is wrong with it. */
  const checkedText = async (text: string): Promise<CheckedDocument | string> => {
    const checked = await engine.check(version, text);
    if (!('errors' in checked)) return checked;
    return checked.errors.map(({ message }) => message).join('; ');
  };

  /** Why no further operation of a type may start. */
  const busy = (type: BulkOperation['type']): UserError | undefined => {
    const running = shop.bulk
      .of(apiKey)
      .filter((operation) => operation.type === type && isRunning(operation));
    const [first] = running;
    if (!first) return undefined;
    if (version >= MANY_AT_ONCE_SINCE) {
      const message = 'Bulk operations limit reached. Please try again later.';
      return running.length >= 5 ? { field: null, message, code: 'LIMIT_REACHED' } : undefined;
    }
    const message = `A bulk ${type.toLowerCase()} operation for this app and shop is already in progress: ${globalId('BulkOperation', first.id)}.`;
    return { field: null, message, code: 'OPERATION_IN_PROGRESS' };
  };

  return {
    bulkOperation: ({ id }: { id: string }) => {
      const operation = shop.bulk.find(apiKey, typedId('BulkOperation', id));
      return operation ? view(operation) : null;
    },
    bulkOperations: (args: OperationsArgs, context: GraphqlContext, info: GraphQLResolveInfo) => {
      const all = shop.bulk.of(apiKey);
      const fitting = search(all, args.query, OPERATION_FIELDS, { context, info });
      // The newest is first, unless the list is reversed.
      return connection(fitting.sort(ORDER[args.sortKey ?? 'CREATED_AT']), args, context, view);
    },
    currentBulkOperation: ({ type }: { type: BulkOperation['type'] }) => {
      const latest = shop.bulk.of(apiKey).findLast((operation) => operation.type === type);
      return latest ? view(latest) : null;
    },

    bulkOperationRunQuery: async ({
      query,
      groupObjects,
    }: {
      query: string;
      groupObjects: boolean;
    }) => {
      const checked = await checkedText(query);
      const problems =
        typeof checked === 'string'
          ? [`Invalid bulk query: ${checked}`]
          : bulkQueryProblems(checked);
      if (typeof checked === 'string' || problems.length > 0)
        return refused(
          ...problems.map((message) => ({ field: ['query'], message, code: 'INVALID' })),
        );
      const reason = busy('QUERY');
      if (reason) return refused(reason);
      return started(
        shop.bulk.start({ apiKey, type: 'QUERY', query }, () =>
          runBulkQuery(checked, resolution(), groupObjects),
        ),
      );
    },
    bulkOperationRunMutation: async ({
      mutation,
      stagedUploadPath,
    }: {
      mutation: string;
      stagedUploadPath: string;
    }) => {
      const checked = await checkedText(mutation);
      if (typeof checked === 'string')
        return refused({
          field: null,
          message: `Failed to parse the mutation - ${checked}`,
          code: 'INVALID_MUTATION',
        });
      const problem = bulkMutationProblem(checked);
      if (problem) return refused(problem);
      const file = shop.uploads.find(apiKey, stagedUploadPath);
      if (!file)
        return refused({
          field: null,
          message:
            "The JSONL file could not be found. Try uploading the file again, and check that you've entered the URL correctly for the stagedUploadPath mutation argument.",
          code: 'NO_SUCH_FILE',
        });
      const rows = variablesOf(file);
      if (!rows)
        return refused({
          field: null,
          message: 'The JSONL file is invalid or empty.',
          code: 'INVALID_STAGED_UPLOAD_FILE',
        });
      const reason = busy('MUTATION');
      if (reason) return refused(reason);
      return started(
        shop.bulk.start({ apiKey, type: 'MUTATION', query: mutation }, () =>
          runBulkMutation(checked, resolution(), rows),
        ),
      );
    },
    bulkOperationCancel: ({ id }: { id: string }) => {
      const operation = found(id);
      if (!operation) return refused({ field: ['id'], message: 'Bulk operation does not exist' });
      if (shop.bulk.cancel(operation)) return started(operation);
      const message = `A bulk operation cannot be canceled when it is ${operation.status.toLowerCase()}`;
      return { bulkOperation: view(operation), userErrors: [{ field: null, message }] };
    },
    stagedUploadsCreate: ({ input }: { input: StagedUploadInput[] }) => {
      const problems = input.map(uploadProblems);
      const targets = input.map((file, index) => {
        if (problems[index]?.length) return { url: null, resourceUrl: null, parameters: [] };
        const { path, key, parameters } = shop.uploads.prepare(apiKey, file);
        const url = shop.origin + path;
        return { url, resourceUrl: `${shop.origin}${UPLOAD_PATH}/${key}`, parameters };
      });
      return { stagedTargets: targets, userErrors: problems.flat() };
    },
  };
}

const ORDER = {
  CREATED_AT: (a: BulkOperation, b: BulkOperation) => b.id - a.id,
  COMPLETED_AT: (a: BulkOperation, b: BulkOperation) =>
    (b.completedAt?.getTime() ?? 0) - (a.completedAt?.getTime() ?? 0) || b.id - a.id,
};

/**
 * The fields that bulk operations are searched by.
 * @see https://shopify.dev/docs/api/admin-graphql/latest/queries/bulkOperations#arguments-query
 */
const OPERATION_FIELDS: SearchFields<BulkOperation> = {
  default: [],
  named: new Map([
    ['created_at', dateField(({ createdAt }) => createdAt, true)],
    ['id', numberField(({ id }) => id)],
    ['operation_type', optionField(['mutation', 'query'], ({ type }) => type)],
    ['status', optionField(OPERATION_STATUSES, ({ status }) => status)],
  ]),
};

/** The files whose size is needed before they are uploaded, as the platform calls them. */
const SIZED: Readonly<Record<string, string>> = { VIDEO: 'video', MODEL_3D: '3D model' };

function uploadProblems(
  { filename, fileSize, mimeType, resource }: StagedUploadInput,
  index: number,
): UserError[] {
  const field = (name: string): string[] => ['input', String(index), name];
  const problems: UserError[] = [];
  if (!filename.trim())
    problems.push({ field: field('filename'), message: "Filename can't be blank" });
  if (fileSize == null && SIZED[resource])
    problems.push({
      field: field('fileSize'),
      message: `file size is required for ${SIZED[resource]} resources`,
    });
  if (resource === 'IMAGE' && !mimeType.startsWith('image/'))
    problems.push({
      field: field('mimeType'),
      message: `${filename}: (${mimeType}) is not a recognized format`,
    });
  if (Number(fileSize ?? 0) > LARGEST_UPLOAD)
    problems.push({
      field: field('fileSize'),
      message: `File size must be at most ${LARGEST_UPLOAD} bytes`,
    });
  return problems;
}
