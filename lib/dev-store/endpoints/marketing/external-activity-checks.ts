import { isDeepStrictEqual } from 'node:util';
import type { NodeFields, StoredNode } from '../../state/nodes/node-store.js';
import type { NodeError } from '../nodes/mutation-shape.js';
import { inputError } from '../nodes/user-errors.js';

type Input = Readonly<NodeFields>;

/** The field of an activity for what an input calls otherwise. */
const KEPT_AS: Readonly<Record<string, string>> = { utm: 'utmParameters' };

/** What an activity keeps from its creation on, with what its change is refused with. */
const IMMUTABLE = [
  ['channelHandle', 'Channel handle', 'IMMUTABLE_CHANNEL_HANDLE'],
  ['urlParameterValue', 'URL parameter value', 'IMMUTABLE_URL_PARAMETER'],
  ['utm', 'UTM parameters', 'IMMUTABLE_UTM_PARAMETERS'],
] as const;

/** What no two activities of an app have the same of. */
const UNIQUE: ReadonlyArray<readonly [label: string, valueOf: (fields: Input) => unknown]> = [
  ['Remote ID', (fields) => fields['remoteId']],
  ['Utm campaign', (fields) => campaignOf(fields['utm'] ?? fields['utmParameters'])],
  ['Url parameter value', (fields) => fields['urlParameterValue']],
];

/** Why an activity is not created; undefined when it may be. @param others those of the app */
export function creationError(input: Input, others: readonly StoredNode[]): NodeError | undefined {
  const { channelHandle, budget, adSpend, ...rest } = input;
  if (channelHandle != null)
    return refused(
      'The channel handle is not recognized. Please contact your partner manager for more information.',
      'INVALID_CHANNEL_HANDLE',
    );
  if (['utm', 'urlParameterValue', 'hierarchyLevel'].every((name) => rest[name] == null))
    return refused(
      'Non-hierarchical marketing activities must have UTM parameters or a URL parameter value.',
      'NON_HIERARCHIAL_REQUIRES_UTM_URL_PARAMETER',
    );
  const { total } = Object(budget ?? {}) as NodeFields;
  if (currencies({ total, adSpend }).size > 1)
    return refused('Currency code is not matching between budget and ad spend');
  const taken = UNIQUE.filter(([, valueOf]) => {
    const value = valueOf(input);
    return value != null && others.some(({ fields }) => valueOf(fields) === value);
  });
  const messages = taken.map(([label]) => `${label} has already been taken`);
  return taken.length > 0 ? refused(`Validation failed: ${messages.join(', ')}`) : undefined;
}

/** Why an activity is not changed; undefined when it may be. @param others those of the app */
export function changeError(
  { fields }: StoredNode,
  input: Input,
  others: readonly StoredNode[],
): NodeError | undefined {
  const isChanged = (name: string): boolean =>
    input[name] != null &&
    !isDeepStrictEqual(plain(input[name]), plain(fields[KEPT_AS[name] ?? name]));
  const fixed = IMMUTABLE.find(([name]) => isChanged(name));
  if (fixed) return refused(`${fixed[1]} cannot be modified.`, fixed[2]);
  const parent = input['parentRemoteId'];
  if (parent != null && !others.some((one) => one.fields['remoteId'] === parent))
    return refused('Remote ID does not correspond to an activity.', 'INVALID_REMOTE_ID');
  return input['hierarchyLevel'] != null && input['hierarchyLevel'] !== fields['hierarchyLevel']
    ? refused('Hierarchy level cannot be modified.', 'IMMUTABLE_HIERARCHY_LEVEL')
    : undefined;
}

/** The currencies of the amounts in an input. */
export function currencies(input: Input): ReadonlySet<unknown> {
  const codes = Object.values(input).map(
    (one) => (Object(one ?? {}) as NodeFields)['currencyCode'],
  );
  return new Set(codes.filter((code) => code !== undefined));
}

function campaignOf(utm: unknown): unknown {
  return (Object(utm ?? {}) as NodeFields)['campaign'];
}

function refused(message: string, code?: string): NodeError {
  return inputError('input', message, code);
}

/** A value without the prototype of its objects: those of arguments have none. */
function plain(value: unknown): unknown {
  return value !== null && typeof value === 'object' ? { ...value } : value;
}
