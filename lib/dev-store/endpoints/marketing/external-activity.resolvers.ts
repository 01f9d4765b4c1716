import type { NodeFields, StoredNode } from '../../state/nodes/node-store.js';
import { isOwn, ownership } from '../nodes/app-ownership.js';
import { startedJob } from '../nodes/job.resolvers.js';
import type { NodeError } from '../nodes/mutation-shape.js';
import type { NodeWriter } from '../nodes/node-writer.js';
import { InputError } from '../nodes/refusals.js';
import { inputError } from '../nodes/user-errors.js';
import { changeError, creationError, currencies } from './external-activity-checks.js';

type Input = Readonly<NodeFields>;

/** An activity by its id, or by the one that its app has for it. */
interface ActivityNames {
  readonly marketingActivityId?: string | null;
  readonly remoteId?: string | null;
}

interface UpdateArgs extends ActivityNames {
  readonly input: Input;
}

interface EngagementArgs extends ActivityNames {
  readonly channelHandle?: string | null;
  readonly marketingEngagement: Input;
}

interface DeleteArgs {
  readonly channelHandle?: string | null;
  readonly deleteEngagementsForAllChannels?: boolean | null;
}

const TYPE = 'MarketingActivity';

/**
 * The resolvers of marketing activities outside the shop, and of what came of them. Each app has
 * its own.
 * @see https://shopify.dev/docs/api/admin-graphql/latest/mutations/marketingActivityUpsertExternal
 */
export function externalActivityRoot(writer: NodeWriter): Record<string, unknown> {
  const { reader, view } = writer;
  const { nodes, defaults } = reader.store;
  const own = (): StoredNode[] => nodes.all([TYPE]).filter(({ fields }) => isOwn(writer, fields));
  const found = ({ marketingActivityId, remoteId }: ActivityNames): StoredNode | undefined =>
    own().find(({ id, fields }) =>
      marketingActivityId == null
        ? remoteId != null && fields['remoteId'] === remoteId
        : id === marketingActivityId,
    );
  const refused = (result: string, error: NodeError): object => ({
    [result]: null,
    userErrors: [error],
  });
  const created = (input: Input): object => {
    demandUrls(input);
    const error = creationError(input, own());
    if (error) return refused('marketingActivity', error);
    const event = nodes.create('MarketingEvent', {
      startedAt: defaults.now().toISOString(),
      ...eventFields(input),
      ...ownership(writer),
    });
    const { id } = nodes.create(TYPE, {
      ...{ status: 'UNDEFINED', isExternal: true, inMainWorkflowVersion: false },
      ...activityFields(input),
      ...ownership(writer),
      marketingEvent: event.id,
    });
    return { marketingActivity: view(id), userErrors: [] };
  };
  const updated = (known: StoredNode, input: Input): object => {
    demandUrls(input);
    const { id, fields } = known;
    const error = changeError(known, input, own());
    if (error) return refused('marketingActivity', error);
    nodes.update(id, activityFields(input));
    const ended = input['status'] === 'INACTIVE' ? { endedAt: defaults.now().toISOString() } : {};
    nodes.update(String(fields['marketingEvent']), { ...ended, ...eventFields(input) });
    return { marketingActivity: view(id), userErrors: [] };
  };
  const removed = ({ id, fields }: StoredNode): void => {
    nodes.delete(String(fields['marketingEvent']));
    nodes.delete(id);
  };
  return {
    marketingActivityCreateExternal: ({ input }: UpdateArgs) => created(input),
    marketingActivityUpsertExternal: ({ input }: UpdateArgs) => {
      const known = found({ remoteId: String(input['remoteId']) });
      return known ? updated(known, input) : created(input);
    },
    marketingActivityUpdateExternal: (args: UpdateArgs) => {
      const known = found(args);
      return known ? updated(known, args.input) : refused('marketingActivity', MISSING);
    },
    marketingActivityDeleteExternal: (args: ActivityNames) => {
      const known = found(args);
      if (!known) return refused('deletedMarketingActivityId', MISSING);
      removed(known);
      return { deletedMarketingActivityId: known.id, userErrors: [] };
    },
    marketingActivitiesDeleteAllExternal: () => {
      for (const one of own()) if (one.fields['isExternal']) removed(one);
      return { job: startedJob(nodes), userErrors: [] };
    },
    marketingEngagementCreate: (args: EngagementArgs) => {
      const { channelHandle, marketingActivityId, remoteId, marketingEngagement } = args;
      const count = [channelHandle, marketingActivityId, remoteId].filter((one) => one != null);
      if (count.length !== 1)
        return refused('marketingEngagement', count.length === 0 ? NO_NAME : MANY_NAMES);
      if (channelHandle != null) return refused('marketingEngagement', NO_CHANNEL);
      const used = currencies(marketingEngagement);
      if (used.size > 1) return refused('marketingEngagement', MIXED);
      const known = found(args);
      if (!known) return refused('marketingEngagement', MISSING);
      const { total } = Object(known.fields['budget'] ?? {}) as NodeFields;
      if (new Set([...currencies({ total }), ...used]).size > 1)
        return refused('marketingEngagement', OTHER_CURRENCY);
      const engagement = { ...marketingEngagement, marketingActivity: known.id };
      return { marketingEngagement: reader.objectOf(engagement), userErrors: [] };
    },
    marketingEngagementsDelete: (args: DeleteArgs) => {
      if (args.channelHandle != null) return refused('result', NO_CHANNEL);
      return args.deleteEngagementsForAllChannels
        ? { result: 'Engagement data marked for deletion for 0 channel(s)', userErrors: [] }
        : refused('result', NO_CHANNELS);
    },
  };
}

const MISSING = inputError(
  null,
  'Marketing activity does not exist.',
  'MARKETING_ACTIVITY_DOES_NOT_EXIST',
);
const NO_CHANNEL = inputError(
  'channelHandle',
  'The channel handle is not recognized. Please contact your partner manager for more information.',
  'INVALID_CHANNEL_HANDLE',
);
const LEVELS =
  'For activity level engagement, either the marketing activity ID or remote ID must be provided. For channel level engagement, the channel handle must be provided.';
const NO_NAME = inputError(
  null,
  `No identifier found. ${LEVELS}`,
  'INVALID_MARKETING_ENGAGEMENT_ARGUMENT_MISSING',
);
const MANY_NAMES = inputError(null, LEVELS, 'INVALID_MARKETING_ENGAGEMENT_ARGUMENTS');
const MIXED = inputError(
  'marketingEngagement',
  'Currency codes in the marketing engagement input do not match.',
  'CURRENCY_CODE_MISMATCH_INPUT',
);
const OTHER_CURRENCY = inputError(
  'marketingEngagement',
  'Marketing activity currency code does not match the currency code in the marketing engagement input.',
  'MARKETING_ACTIVITY_CURRENCY_CODE_MISMATCH',
);
const NO_CHANNELS = inputError(
  null,
  'Either the channel_handle or delete_engagements_for_all_channels must be provided when deleting a marketing engagement.',
  'INVALID_DELETE_ENGAGEMENTS_ARGUMENTS',
);

function demandUrls(input: Input): void {
  for (const name of ['remoteUrl', 'remotePreviewImageUrl'])
    if (input[name] != null && !/^https?:/i.test(String(input[name])))
      throw new InputError(
        'The URL scheme must be one of the following: https,http',
        'INVALID_FIELD_ARGUMENTS',
      );
}

/** What an input sets of an activity. */
function activityFields({ utm, channel, ...input }: Input): NodeFields {
  const marketingChannelType = input['marketingChannelType'] ?? channel;
  return {
    ...input,
    ...(marketingChannelType == null ? {} : { marketingChannelType }),
    ...(utm == null ? {} : { utmParameters: utm }),
  };
}

/** The fields of events that inputs call otherwise. */
const EVENT_FIELDS: Readonly<Record<string, string>> = {
  channelHandle: 'channelHandle',
  end: 'endedAt',
  marketingChannelType: 'marketingChannelType',
  remoteId: 'remoteId',
  remotePreviewImageUrl: 'previewUrl',
  remoteUrl: 'manageUrl',
  scheduledEnd: 'scheduledToEndAt',
  start: 'startedAt',
  tactic: 'type',
  title: 'description',
};

/** What an input sets of the event of an activity. */
function eventFields(input: Input): NodeFields {
  const { source, medium, campaign } = Object(input['utm'] ?? {}) as NodeFields;
  return {
    ...Object.fromEntries(
      Object.entries(EVENT_FIELDS).flatMap(([from, to]) =>
        input[from] == null ? [] : [[to, input[from]]],
      ),
    ),
    ...(input['utm'] == null
      ? {}
      : { utmSource: source, utmMedium: medium, utmCampaign: campaign }),
  };
}
