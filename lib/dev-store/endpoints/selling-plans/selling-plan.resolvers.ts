import { capital } from '../../base/text-values.js';
import type { NodeFields } from '../../state/nodes/node-store.js';
import type { NodeError } from '../nodes/mutation-shape.js';
import type { NodeWriter } from '../nodes/node-writer.js';
import { isBlank, itemErrors, userError } from '../nodes/user-errors.js';

type Plan = NodeFields & { readonly id?: string | null };

interface GroupInput extends NodeFields {
  readonly name?: string | null;
  readonly sellingPlansToCreate?: readonly Plan[] | null;
  readonly sellingPlansToUpdate?: readonly Plan[] | null;
  readonly sellingPlansToDelete?: readonly string[] | null;
}

interface WriteArgs {
  readonly id: string;
  readonly input: GroupInput;
  readonly resources?: {
    readonly productIds?: readonly string[] | null;
    readonly productVariantIds?: readonly string[] | null;
  } | null;
}

interface MemberArgs {
  readonly id: string;
  readonly productIds?: readonly string[];
  readonly productVariantIds?: readonly string[];
  readonly sellingPlanGroupIds?: readonly string[];
}

type List = 'products' | 'productVariants';

/** How many plans a group may have. */
const MOST = 31;
const NO_GROUP = userError(['id'], 'Selling plan group does not exist.', 'GROUP_DOES_NOT_EXIST');
const NO_PLAN = ['Selling plan does not exist.', 'PLAN_DOES_NOT_EXIST'] as const;
const NO_PLAN_ID = [
  'Selling plan ID must be specified to update.',
  'PLAN_ID_MUST_BE_SPECIFIED_TO_UPDATE',
] as const;
const POLICIES = ['billingPolicy', 'deliveryPolicy'] as const;

/** What the two lists of a group are called elsewhere. */
const LISTS = {
  products: { ids: 'productIds', one: 'product', label: 'Product' },
  productVariants: { ids: 'productVariantIds', one: 'productVariant', label: 'Product variant' },
} as const;

/**
 * The resolvers of groups of selling plans, and of what they apply to.
 * @see https://shopify.dev/docs/api/admin-graphql/latest/mutations/sellingPlanGroupCreate
 */
export function sellingPlanRoot({ reader, changed, view }: NodeWriter): Record<string, unknown> {
  const { nodes } = reader.store;
  const isGroup = (id: string): boolean => nodes.find(id)?.type === 'SellingPlanGroup';
  const listOf = (id: string, list: string): string[] =>
    (nodes.fieldsOf(id)[list] ?? []) as string[];
  const planErrors = (plans: readonly Plan[]): NodeError[] =>
    itemErrors(plans, ['input', 'sellingPlansToCreate'], (plan, path) =>
      POLICIES.filter((name) => !policy(plan[name], '')).map((name) => {
        const kind = name === 'billingPolicy' ? 'billing' : 'delivery';
        const message = `Selling plans to create ${kind} policy must be present.`;
        const code = `SELLING_PLAN_${kind.toUpperCase()}_POLICY_MISSING`;
        return userError([...path, name], message, code);
      }),
    );
  /** Why plans cannot be changed or deleted: they are not those of the group. */
  const foreignErrors = (input: GroupInput, own: readonly string[]): NodeError[] => {
    const gone = input.sellingPlansToDelete ?? [];
    const left = own.filter((one) => !gone.includes(one));
    const updated = ['input', 'sellingPlansToUpdate'];
    return [
      ...itemErrors(gone, ['input', 'sellingPlansToDelete'], (plan, path) =>
        own.includes(plan) ? [] : [userError(path, ...NO_PLAN)],
      ),
      ...itemErrors(input.sellingPlansToUpdate ?? [], updated, ({ id }, path) => {
        if (id == null) return [userError([...path, 'id'], ...NO_PLAN_ID)];
        return left.includes(id) ? [] : [userError([...path, 'id'], ...NO_PLAN)];
      }),
    ];
  };
  const problems = (input: GroupInput, id?: string): NodeError[] => {
    const plans = input.sellingPlansToCreate ?? [];
    const isNew = id === undefined;
    if (isBlank(input.name) && (isNew || 'name' in input))
      return [userError(['input', 'name'], "Name can't be blank", 'BLANK')];
    const bound = (message: string, code: string): NodeError[] => [
      userError(['input'], message, `SELLING_PLAN_COUNT_${code}`),
    ];
    if (isNew && plans.length === 0)
      return bound('Selling plan groups must have at least 1 selling plan.', 'LOWER_BOUND');
    const own = isNew ? [] : listOf(id, 'sellingPlans');
    if (own.length + plans.length > MOST)
      return bound(
        `Selling plan groups can't have more than ${MOST} selling plans.`,
        'UPPER_BOUND',
      );
    return [...planErrors(plans), ...foreignErrors(input, own)];
  };
  /** Writes the plans of an input, and what is said of them. */
  const plansOf = (input: GroupInput, before: readonly string[]): NodeFields => {
    const gone = input.sellingPlansToDelete ?? [];
    for (const id of gone) nodes.delete(id);
    for (const plan of input.sellingPlansToUpdate ?? [])
      nodes.update(String(plan.id), planFields(plan, nodes.fieldsOf(String(plan.id))));
    const made = (input.sellingPlansToCreate ?? []).map(
      (plan) => nodes.create('SellingPlan', { pricingPolicies: [], ...planFields(plan, {}) }).id,
    );
    const sellingPlans = [...before.filter((id) => !gone.includes(id)), ...made];
    const policies = sellingPlans.flatMap(
      (id) => (nodes.fieldsOf(id)['pricingPolicies'] ?? []) as NodeFields[],
    );
    const off = policies.map((one) => Object(one['adjustmentValue']).percentage as unknown);
    const [percent] = off.filter((one) => one !== undefined);
    const word = sellingPlans.length === 1 ? 'frequency' : 'frequencies';
    const discount = percent === undefined ? '' : `, ${String(percent)}% discount`;
    return { sellingPlans, summary: `${sellingPlans.length} delivery ${word}${discount}` };
  };
  const groupFields = (input: GroupInput): NodeFields => {
    const { sellingPlansToCreate: _, sellingPlansToUpdate: __, ...rest } = input;
    const { sellingPlansToDelete: ___, ...fields } = rest;
    return fields;
  };
  const saved = (id: string, fields: NodeFields): void => {
    nodes.update(id, fields);
    changed('update', id, nodes.fieldsOf(id));
  };
  const missing = (list: List, ids: readonly string[], field: string): NodeError[] => {
    const { label } = LISTS[list];
    const code = `${label.toUpperCase().replace(' ', '_')}_DOES_NOT_EXIST`;
    return ids.every((id) => view(id))
      ? []
      : [userError([field], `${label} does not exist.`, code)];
  };
  /** Adds members to a group, or takes them out. */
  const moved =
    (list: List, isOn: boolean) =>
    (args: MemberArgs): object => {
      const { id } = args;
      const { ids: name } = LISTS[list];
      const ids = args[name] ?? [];
      const userErrors = isGroup(id) ? (isOn ? missing(list, ids, name) : []) : [NO_GROUP];
      if (userErrors.length > 0) return { userErrors };
      const before = listOf(id, list);
      const rest = before.filter((one) => !ids.includes(one));
      saved(id, { [list]: isOn ? [...rest, ...ids] : rest });
      const gone = ids.filter((one) => before.includes(one));
      const removed = list === 'products' ? 'removedProductIds' : 'removedProductVariantIds';
      return { ...(isOn ? { sellingPlanGroup: view(id) } : { [removed]: gone }), userErrors };
    };
  /** Adds a product or a variant to groups, or takes it out. */
  const joined =
    (list: List, isOn: boolean) =>
    ({ id, sellingPlanGroupIds: groups = [] }: MemberArgs): object => {
      const unknown = missing(list, [id], 'id');
      const userErrors =
        unknown.length > 0 || groups.every(isGroup)
          ? unknown
          : [{ ...NO_GROUP, field: ['sellingPlanGroupIds'] }];
      if (userErrors.length > 0) return { userErrors };
      for (const group of groups) {
        const rest = listOf(group, list).filter((one) => one !== id);
        saved(group, { [list]: isOn ? [...rest, id] : rest });
      }
      return { [LISTS[list].one]: view(id), userErrors };
    };
  return {
    sellingPlanGroupCreate: ({ input, resources }: Omit<WriteArgs, 'id'>) => {
      const userErrors = problems(input);
      if (userErrors.length > 0) return { userErrors };
      const { id } = nodes.create('SellingPlanGroup', {
        ...groupFields(input),
        merchantCode: input['merchantCode'] ?? input.name,
        products: resources?.productIds ?? [],
        productVariants: resources?.productVariantIds ?? [],
        ...plansOf(input, []),
      });
      changed('create', id, nodes.fieldsOf(id));
      return { sellingPlanGroup: view(id), userErrors };
    },
    sellingPlanGroupUpdate: ({ id, input }: WriteArgs) => {
      const userErrors = isGroup(id) ? problems(input, id) : [NO_GROUP];
      if (userErrors.length > 0) return { userErrors };
      saved(id, { ...groupFields(input), ...plansOf(input, listOf(id, 'sellingPlans')) });
      const deletedSellingPlanIds = [...new Set(input.sellingPlansToDelete)];
      return { sellingPlanGroup: view(id), deletedSellingPlanIds, userErrors };
    },
    sellingPlanGroupDelete: ({ id }: { readonly id: string }) => {
      if (!isGroup(id)) return { userErrors: [NO_GROUP] };
      for (const plan of listOf(id, 'sellingPlans')) nodes.delete(plan);
      nodes.delete(id);
      changed('delete', id, {});
      return { deletedSellingPlanGroupId: id, userErrors: [] };
    },
    sellingPlanGroupAddProducts: moved('products', true),
    sellingPlanGroupRemoveProducts: moved('products', false),
    sellingPlanGroupAddProductVariants: moved('productVariants', true),
    sellingPlanGroupRemoveProductVariants: moved('productVariants', false),
    productJoinSellingPlanGroups: joined('products', true),
    productLeaveSellingPlanGroups: joined('products', false),
    productVariantJoinSellingPlanGroups: joined('productVariants', true),
    productVariantLeaveSellingPlanGroups: joined('productVariants', false),
  };
}

/** The policy that an input with one field for each kind stands for. */
function policy(input: unknown, name: string): NodeFields | undefined {
  const [kind, value] = Object.entries(Object(input) as NodeFields).find(([, one]) => one) ?? [];
  if (kind === undefined) return undefined;
  const { adjustmentValue, ...fields } = value as NodeFields;
  const type = `SellingPlan${capital(kind)}${name}`;
  const start = name === 'DeliveryPolicy' && {
    intent: 'FULFILLMENT_BEGIN',
    preAnchorBehavior: 'ASAP',
  };
  const { percentage, fixedValue } = Object(adjustmentValue) as NodeFields;
  const amount =
    percentage === undefined
      ? { __typename: 'MoneyV2', amount: fixedValue }
      : { __typename: 'SellingPlanPricingPolicyPercentageValue', percentage };
  const adjusted = adjustmentValue ? { adjustmentValue: amount } : {};
  return { __typename: type, anchors: [], ...start, ...fields, ...adjusted };
}

/** The fields of a plan from its input; its metafields wait for the first read of them. */
function planFields({ id: _, ...plan }: Plan, before: Readonly<NodeFields>): NodeFields {
  const { billingPolicy, deliveryPolicy, pricingPolicies, metafields, ...fields } = plan;
  const billing = policy(billingPolicy, 'BillingPolicy');
  const delivery = policy(deliveryPolicy, 'DeliveryPolicy');
  const waiting = [before['metafields'], metafields].flatMap((one) => one ?? []);
  return {
    ...fields,
    ...(billing ? { billingPolicy: billing } : {}),
    ...(delivery ? { deliveryPolicy: delivery } : {}),
    ...(pricingPolicies
      ? {
          pricingPolicies: (pricingPolicies as unknown[]).flatMap(
            (one) => policy(one, 'PricingPolicy') ?? [],
          ),
        }
      : {}),
    ...(waiting.length > 0 ? { metafields: waiting } : {}),
  };
}
