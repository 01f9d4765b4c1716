import { search } from '../../graphql/graphql-search.js';
import { keywordField, numberField, type SearchFields } from '../../graphql/search-fields.js';
import type { NodeStore, StoredNode } from '../../state/nodes/node-store.js';
import { startedJob } from '../nodes/job.resolvers.js';
import type { NodeWriter } from '../nodes/node-writer.js';
import { inputError } from '../nodes/user-errors.js';
import { selectorProblem, unknownFields, type Selector } from './bulk-discount.resolvers.js';
import {
  discountIn,
  discountWithCode,
  METHODS,
  redeemCodesOf,
  type RedeemCode,
} from './discount-kinds.js';
import { codeProblem } from './discount-terms.js';
import { noDiscount } from './discount-lookups.js';

interface AddArgs {
  readonly discountId: string;
  readonly codes: readonly RedeemCode[];
}

/**
 * The resolvers of the mutations that add codes to a discount and take them off. Codes are added
 * after the call, as the platform does.
 * @see https://shopify.dev/docs/api/admin-graphql/latest/mutations/discountRedeemCodeBulkAdd
 */
export function redeemCodeRoot({ reader, view }: NodeWriter): Record<string, unknown> {
  const { nodes } = reader.store;
  const find = (id: string): StoredNode | undefined => {
    const node = nodes.find(id);
    return node?.type === METHODS.Code.type ? node : undefined;
  };
  const codesOf = (node: StoredNode): readonly RedeemCode[] => redeemCodesOf(discountIn(node));
  const keep = (node: StoredNode, codes: readonly RedeemCode[]): void =>
    nodes.update(node.id, { codeDiscount: { ...discountIn(node), code: codes[0]?.code, codes } });
  const unknown = noDiscount('Code', 'discountId');

  const imported = (node: StoredNode, given: readonly RedeemCode[]): object[] => {
    const seen = new Set<string>();
    return given.map(({ code }) => {
      const isSeen = seen.has(code.toLowerCase());
      const problem =
        codeProblem(code) ??
        (isSeen
          ? 'Codes must be unique within BulkDiscountCodeCreation'
          : discountWithCode(nodes, code) && 'must be unique. Please try a different code.');
      if (problem) return { code, errors: [inputError('code', problem)], discountRedeemCode: null };
      seen.add(code.toLowerCase());
      const added: RedeemCode = { code };
      keep(node, [...codesOf(node), added]);
      return { code, errors: [], discountRedeemCode: added };
    });
  };

  const queryOf = ({ search: query, savedSearchId }: Selector): string =>
    String((savedSearchId == null ? query : nodes.fieldsOf(savedSearchId)['query']) ?? '');

  return {
    discountRedeemCodeBulkAdd: ({ discountId, codes }: AddArgs) => {
      const node = find(discountId);
      const problem = !node
        ? unknown
        : codes.length === 0
          ? inputError('codes', "Codes can't be blank", 'BLANK')
          : undefined;
      if (!node || problem) return { bulkCreation: null, userErrors: [problem] };
      const creation = nodes.create('DiscountRedeemCodeBulkCreation', {
        ...{ done: false, codesCount: codes.length, importedCount: 0, failedCount: 0 },
        discountCode: discountId,
        codes: codes.map(({ code }) => ({ code, errors: [], discountRedeemCode: null })),
      });
      nodes.afterCall(() => {
        const results = imported(node, codes);
        const importedCount = results.filter(
          (one) => 'errors' in one && (one.errors as unknown[]).length === 0,
        ).length;
        nodes.update(creation.id, {
          ...{ done: true, codes: results, importedCount },
          failedCount: codes.length - importedCount,
        });
      });
      return { bulkCreation: view(creation.id), userErrors: [] };
    },
    discountCodeRedeemCodeBulkDelete: ({ discountId, ...args }: Selector & AddArgs) => {
      const knows = (id: string): boolean => nodes.find(id)?.type === 'SavedSearch';
      const node = find(discountId);
      const problem =
        selectorProblem(args, knows) ??
        (node ? undefined : unknown) ??
        (args.ids?.length === 0
          ? inputError(null, 'Something went wrong, please try again.')
          : undefined) ??
        unknownFields(queryOf(args), SEARCHED);
      if (!node || problem) return { job: null, userErrors: [problem] };
      const codes = codesOf(node);
      const removed = args.ids
        ? codes.filter((one) => args.ids?.includes(nodes.idOf('DiscountRedeemCode', one)))
        : search(codes, queryOf(args), searchFields(nodes));
      keep(
        node,
        codes.filter((one) => !removed.includes(one)),
      );
      return { job: { ...startedJob(nodes), done: true }, userErrors: [] };
    },
  };
}

/** What the codes of a discount are searched by. */
const SEARCHED = 'code id times_used';

function searchFields(nodes: NodeStore): SearchFields<RedeemCode> {
  const code = keywordField<RedeemCode>((one) => one.code);
  const id = numberField<RedeemCode>((one) => {
    const gid = nodes.idOf('DiscountRedeemCode', one);
    return Number(gid.slice(gid.lastIndexOf('/') + 1));
  });
  const times = numberField<RedeemCode>(({ asyncUsageCount }) => asyncUsageCount ?? 0);
  return { named: new Map(Object.entries({ code, id, times_used: times })), default: [code] };
}
