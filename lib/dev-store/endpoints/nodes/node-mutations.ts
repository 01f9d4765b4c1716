import type { GraphQLArgument, GraphQLSchema } from 'graphql';
import type { GraphqlContext } from '../../graphql/graphql-execution.js';
import { fieldsOf, isComposite, isList, namedType } from '../../graphql/schema-types.js';
import type { NodeFields, NodeStore } from '../../state/nodes/node-store.js';
import { mutationShape, notFound, payload, STATES, type MutationShape } from './mutation-shape.js';
import { NodeInputs } from './node-inputs.js';
import type { NodeReader } from './node-reader.js';
import { completeNode, nodeProblems, preparedFields } from './node-rules.js';
import { nodeValue } from './node-search.js';
import type { OnNodeChange } from './node-writer.js';

type Args = Readonly<Record<string, unknown>>;

/** The types of what other parts of the shop keep, which no convention may write beside them. */
const KEPT_ELSEWHERE: ReadonlySet<string> = new Set([
  'AppPurchaseOneTime',
  'AppSubscription',
  'AppUsageRecord',
  'Metafield',
  'Metaobject',
  'MetaobjectDefinition',
  'Product',
  'ProductOption',
  'ProductVariant',
  'WebhookSubscription',
]);

/** One run of a mutation by convention. */
interface Run {
  readonly shape: MutationShape;
  readonly args: Args;
  readonly known: readonly GraphQLArgument[];
  readonly schema: GraphQLSchema;
}

/** Runs the mutations that have no rules of their own as their names and types say. */
export class NodeMutations {
  constructor(
    private readonly reader: NodeReader,
    private readonly changed: OnNodeChange,
  ) {}

  /** The payload of a mutation; undefined when the conventions do not say what it does. */
  run(...[, args, , info]: Parameters<GraphqlContext['missing']>): object | undefined {
    const { schema, parentType, fieldName } = info;
    const field = parentType.getFields()[fieldName];
    const shape = field && mutationShape(schema, field);
    if (!field || !shape || KEPT_ELSEWHERE.has(shape.type.name)) return undefined;
    const run: Run = { shape, args: args as Args, known: field.args, schema };
    switch (shape.action) {
      case 'Create':
        return this.written(run, true);
      case 'Set':
      case 'Upsert':
        return this.written(run, idsIn(run).length === 0);
      case 'Delete':
        return this.deleted(run);
      case 'Update':
        return this.written(run, false);
      default:
        return this.moved(run);
    }
  }

  private get nodes(): NodeStore {
    return this.reader.store.nodes;
  }

  /** Creates or updates: each object of a list when the payload has a list of nodes. */
  private written(run: Run, isNew: boolean): object {
    const { shape } = run;
    const ids: string[] = [];
    for (const input of objectsIn(run)) {
      const id = this.target(run, input);
      if (id === undefined && !isNew && shape.action === 'Update')
        return payload(shape, { userErrors: [notFound(shape, fieldOfId(run))] });
      const { type, fields: given } = this.fieldsFor(run, input, id);
      const place = { reader: this.reader, id };
      const fields = preparedFields(type, given, place);
      const userErrors = nodeProblems(type, fields, place);
      if (userErrors.length > 0) return payload(shape, { userErrors });
      if (id === undefined) ids.push(this.created(type, fields));
      else {
        this.nodes.update(id, fields);
        this.changed('update', id, this.nodes.fieldsOf(id));
        ids.push(id);
      }
    }
    return payload(shape, { nodes: ids.map((id) => this.reader.view(id)) });
  }

  /** What an input sets, and the type of the node. */
  private fieldsFor(
    { shape, schema }: Run,
    input: Readonly<NodeFields>,
    id: string | undefined,
  ): { type: string; fields: NodeFields } {
    const inputs = new NodeInputs(this.nodes, schema);
    const { part } = shape;
    if (part) {
      const before = id === undefined ? undefined : this.nodes.fieldsOf(id)[part.field];
      const values = { ...Object(before), ...inputs.fields(input, part.type) };
      const fields = { [part.field]: { ...values, __typename: part.type.name } };
      return { type: shape.type.name, fields };
    }
    const type = inputs.concrete(input, shape.type);
    return { type: type.name, fields: inputs.fields(input, type) };
  }

  private created(type: string, fields: NodeFields): string {
    const { id } = this.nodes.create(type, fields);
    completeNode(type, id, { reader: this.reader, id });
    this.changed('create', id, fields);
    return id;
  }

  /** The id of the node that an input is about; undefined when there is none. */
  private target(run: Run, input: Readonly<NodeFields>): string | undefined {
    if (run.shape.action === 'Create') return undefined;
    const id = typeof input['id'] === 'string' ? input['id'] : idsIn(run)[0];
    if (id !== undefined) return this.reader.view(id) ? id : undefined;
    const identifier = run.args['identifier'];
    if (typeof identifier !== 'object' || identifier === null) return undefined;
    return this.nodes
      .all([run.shape.type.name])
      .find((node) =>
        Object.entries(identifier).every(([name, value]) => nodeValue(node, name) === value),
      )?.id;
  }

  private deleted(run: Run): object {
    const { shape } = run;
    const ids = idsIn(run);
    const known = ids.filter((id) => this.nodes.find(id));
    if (known.length === 0)
      return payload(shape, { userErrors: [notFound(shape, fieldOfId(run))] });
    for (const id of known) {
      const { fields } = this.nodes.find(id) ?? { fields: {} };
      this.nodes.delete(id);
      this.changed('delete', id, fields);
    }
    return payload(shape, { deletedIds: known });
  }

  /** Changes the state of a node. */
  private moved(run: Run): object {
    const { shape } = run;
    const [id] = idsIn(run);
    if (id === undefined || !this.reader.view(id))
      return payload(shape, { userErrors: [notFound(shape, fieldOfId(run))] });
    const known = fieldsOf(shape.type);
    const states: NodeFields = STATES[shape.action as keyof typeof STATES];
    const fields = Object.fromEntries(Object.entries(states).filter(([name]) => name in known));
    this.nodes.update(id, fields);
    this.changed('update', id, this.nodes.fieldsOf(id));
    return payload(shape, { nodes: [this.reader.view(id)] });
  }
}

/** The objects that a mutation writes: its input with its other arguments, or each of a list. */
function objectsIn({ args, known, shape }: Run): ReadonlyArray<Readonly<NodeFields>> {
  const isMany = shape.result && isList(shape.result.type);
  const rest: NodeFields = {};
  let own: ReadonlyArray<Readonly<NodeFields>> | undefined;
  for (const { name, type } of known) {
    const value = args[name];
    const isInput = 'getFields' in namedType(type) && !isComposite(namedType(type));
    if (value == null || name === 'identifier') continue;
    if (isInput && isList(type) && isMany) own = value as ReadonlyArray<NodeFields>;
    else if (isInput && !isList(type)) Object.assign(rest, value);
    else rest[name] = value;
  }
  return own?.map((one) => ({ ...rest, ...one })) ?? [rest];
}

/** The ids of the nodes that a mutation is about. */
function idsIn({ args, known, shape }: Run): string[] {
  const place = placeOfId(args, known, shape);
  if (!place) return [];
  const value = place.reduce<unknown>((at, key) => Object(at)[key], args);
  return [value].flat().filter((one): one is string => typeof one === 'string');
}

function fieldOfId({ args, known, shape }: Run): string[] | null {
  const last = placeOfId(args, known, shape)?.at(-1);
  return last === undefined ? null : [last];
}

/** Where the id stands: `id`, `customerId`, `input.id`, `ids`. */
function placeOfId(
  args: Args,
  known: readonly GraphQLArgument[],
  { noun }: MutationShape,
): string[] | undefined {
  const names = ['id', `${noun}Id`, 'ids', `${noun}Ids`];
  const own = names.find((name) => args[name] != null);
  if (own) return [own];
  for (const { name } of known) {
    const inner = names.find((id) => Object(args[name])[id] != null);
    if (inner) return [name, inner];
  }
  const last = known.find(({ name }) => /Ids?$/.test(name) && args[name] != null);
  return last && [last.name];
}
