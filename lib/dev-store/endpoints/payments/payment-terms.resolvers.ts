import { isoTime } from '../../base/iso-time.js';
import { ForeignIdError } from '../../graphql/graphql.errors.js';
import type { NodeFields } from '../../state/nodes/node-store.js';
import type { NodeError } from '../nodes/mutation-shape.js';
import { numberOf, typeOfId } from '../nodes/node-reader.js';
import type { NodeWriter } from '../nodes/node-writer.js';
import { userError } from '../nodes/user-errors.js';

interface Terms {
  readonly paymentTermsTemplateId?: string | null;
  readonly paymentSchedules?: ReadonlyArray<{
    readonly issuedAt?: Date | string | null;
    readonly dueAt?: Date | string | null;
  }> | null;
}

interface CreateArgs {
  readonly referenceId: string;
  readonly paymentTermsAttributes: Terms;
}

interface UpdateArgs {
  readonly input: { readonly paymentTermsId: string; readonly paymentTermsAttributes: Terms };
}

interface DeleteArgs {
  readonly input: { readonly paymentTermsId: string };
}

/** The templates of every shop: number, type, name, description and days, in their order. */
const TEMPLATES = [
  [1, 'RECEIPT', 'Due on receipt', 'Due on receipt'],
  [9, 'FULFILLMENT', 'Due on fulfillment', 'Due on fulfillment'],
  ...[
    [2, 7],
    [3, 15],
    [4, 30],
    [8, 45],
    [5, 60],
    [6, 90],
  ].map(([id, days]) => [id, 'NET', `Net ${days}`, `Within ${days} days`, days] as const),
  [7, 'FIXED', 'Fixed', 'Fixed date'],
] as const;

const OWNERS: Readonly<Record<string, readonly [field: string, label: string]>> = {
  Order: ['order', 'Order'],
  DraftOrder: ['draftOrder', 'Draft order'],
};

const DAY = 86_400_000;

/**
 * The resolvers of when orders and drafts have to be paid, and of reminders.
 * @see https://shopify.dev/docs/api/admin-graphql/latest/mutations/paymentTermsCreate
 */
export function paymentTermsRoot({ reader, view }: NodeWriter): Record<string, unknown> {
  const { nodes, defaults } = reader.store;
  const templates = TEMPLATES.map(([id, type, name, description, dueInDays = null]) => ({
    id: `gid://shopify/PaymentTermsTemplate/${id}`,
    name,
    description,
    dueInDays,
    paymentTermsType: type,
    translatedName: name,
  }));
  const refused = (verb: string, message: string): object => {
    const code = `PAYMENT_TERMS_${verb}_UNSUCCESSFUL`;
    return { userErrors: [userError(null, message, code)] };
  };
  const isTerms = (id: string): boolean => nodes.find(id)?.type === 'PaymentTerms';
  const deleteSchedules = (id: string): void => {
    for (const schedule of nodes.naming(id, ['PaymentSchedule'])) nodes.delete(schedule.id);
  };
  /** Sets the terms of an order; returns their payload. */
  const set = (verb: string, owner: string, given: Terms, known?: string): object => {
    const { paymentSchedules, paymentTermsTemplateId } = given;
    if ((paymentSchedules ?? []).length > 1)
      return refused(verb, 'Cannot create payment terms with multiple payment schedules.');
    const before = known === undefined ? undefined : nodes.fieldsOf(known)['template'];
    const wanted = paymentTermsTemplateId ?? before;
    const template = templates.find(({ id }) => id === wanted);
    if (!template) return refused(verb, 'Could not find payment terms template.');
    const { paymentTermsType: type, dueInDays, name } = template;
    const [{ issuedAt = null, dueAt = null } = {}] = paymentSchedules ?? [];
    const isEvent = type === 'RECEIPT' || type === 'FULFILLMENT';
    if (isEvent && dueAt !== null)
      return refused(verb, 'A due date cannot be set with event payment terms.');
    const due =
      dueAt ?? (issuedAt && dueInDays && new Date(Date.parse(String(issuedAt)) + dueInDays * DAY));
    if (!isEvent && !due)
      return refused(verb, 'A due date is required with fixed or net payment terms.');
    const { totalOutstandingSet, totalPriceSet } = nodes.fieldsOf(owner);
    const amount = Object(totalOutstandingSet ?? totalPriceSet).shopMoney;
    const isDue = Boolean(due) && new Date(due as string) <= defaults.now();
    const [ownField = 'order'] = OWNERS[typeOfId(owner)] ?? [];
    const fields: NodeFields = {
      [ownField]: owner,
      template: template.id,
      paymentTermsName: name,
      paymentTermsType: type,
      translatedName: name,
      dueInDays,
      due: isDue,
      overdue: isDue,
    };
    const id = known ?? nodes.create('PaymentTerms', fields).id;
    nodes.update(id, fields);
    deleteSchedules(id);
    if (!isEvent)
      nodes.create('PaymentSchedule', {
        paymentTerms: id,
        issuedAt,
        dueAt: isoTime(new Date(due as string)),
        completedAt: null,
        due: isDue,
        ...{ amount, balanceDue: amount, totalBalance: amount },
      });
    nodes.update(owner, { paymentTerms: id });
    return { paymentTerms: view(id), userErrors: [] };
  };
  const ownerOf = (id: string): string =>
    String(nodes.fieldsOf(id)['order'] ?? nodes.fieldsOf(id)['draftOrder']);
  const NONE = 'Could not find payment terms.';
  return {
    paymentTermsTemplates: ({ paymentTermsType }: { readonly paymentTermsType?: string | null }) =>
      templates.filter((one) => !paymentTermsType || one.paymentTermsType === paymentTermsType),
    paymentTermsCreate: ({ referenceId: id, paymentTermsAttributes }: CreateArgs) => {
      const known = nodes.fieldsOf(id)['paymentTerms'];
      const before = isTerms(String(known)) ? String(known) : undefined;
      if (OWNERS[typeOfId(id)] && nodes.find(id))
        return set('CREATION', id, paymentTermsAttributes, before);
      const label = OWNERS[typeOfId(id)]?.[1] ?? typeOfId(id);
      const message = `Cannot find the specific ${label} with id ${numberOf(id)}.`;
      return refused('CREATION', message);
    },
    paymentTermsUpdate: ({ input: { paymentTermsId: id, paymentTermsAttributes } }: UpdateArgs) =>
      isTerms(id)
        ? set('UPDATE', ownerOf(id), paymentTermsAttributes, id)
        : refused('UPDATE', NONE),
    paymentTermsDelete: ({ input: { paymentTermsId: id } }: DeleteArgs) => {
      if (!isTerms(id)) return refused('DELETE', NONE);
      nodes.update(ownerOf(id), { paymentTerms: null });
      deleteSchedules(id);
      nodes.delete(id);
      return { deletedId: id, userErrors: [] };
    },
    paymentReminderSend: ({ paymentScheduleId: id }: { readonly paymentScheduleId: string }) => {
      if (typeOfId(id) !== 'PaymentSchedule') throw new ForeignIdError(id);
      const { dueAt, completedAt } = nodes.fieldsOf(id);
      const isOpen = completedAt == null && dueAt && new Date(String(dueAt)) < defaults.now();
      const message = nodes.find(id)
        ? 'Payment reminder could not be sent'
        : 'Payment schedule does not exist';
      const error: NodeError = userError(null, message, 'PAYMENT_REMINDER_SEND_UNSUCCESSFUL');
      return isOpen ? { success: true, userErrors: [] } : { success: null, userErrors: [error] };
    },
  };
}
