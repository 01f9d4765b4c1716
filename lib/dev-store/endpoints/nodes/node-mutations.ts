import type { GraphQLNamedType } from 'graphql';
import type { GraphqlContext } from '../../graphql/graphql-execution.js';
import {
  fieldsOf,
  isComposite,
  isList,
  namedType,
  possibleTypes,
} from '../../graphql/schema-types.js';
import type { NodeFields, NodeStore } from '../../state/nodes/node-store.js';
import { codedErrors, mutationShape, notFound, payload, STATES } from './mutation-shape.js';
import { addsToOwner, isAbout, targetOf, type MutationRun } from './mutation-target.js';
import { NodeInputs } from './node-inputs.js';
import { addNode } from './new-node.js';
import type { NodeReader } from './node-reader.js';
import { nodeProblems, preparedFields } from './node-rules.js';
import { nodeValue } from './node-search.js';
import type { OnNodeChange } from './node-writer.js';
import { unknownOwner } from './unknown-targets.js';

/** The types of what other parts of the shop keep, which no convention may write beside them. */
const KEPT_ELSEWHERE: ReadonlySet<string> = new Set([
  'AppPurchaseOneTime',
  'AppSubscription',
  'AppUsageRecord',
  'Metafield',
  'MetafieldDefinition',
  'Metaobject',
  'MetaobjectDefinition',
  'Product',
  'ProductOption',
  'ProductVariant',
  'WebhookSubscription',
]);

/** Runs the mutations that have no rules of their own as their names and types say. */
export class NodeMutations {
  constructor(
    readonly reader: NodeReader,
    readonly changed: OnNodeChange,
    /** The app that calls; undefined in the Storefront API. */
    readonly apiKey: string | undefined,
  ) {}

  /** The payload of a mutation; undefined when the conventions do not say what it does. */
  run(...[, args, , info]: Parameters<GraphqlContext['missing']>): object | undefined {
    const { schema, parentType, fieldName } = info;
    const field = parentType.getFields()[fieldName];
    const shape = field && mutationShape(schema, field);
    if (!field || !shape || KEPT_ELSEWHERE.has(shape.type.name)) return undefined;
    const run: MutationRun = {
      shape,
      args: args as MutationRun['args'],
      known: field.args,
      schema,
    };
    switch (shape.action) {
      case 'Create':
        return addsToOwner(run)
          ? undefined
          : (unknownOwner(this.reader, field, run.args) ?? this.written(run, true));
      case 'Set':
      case 'Upsert':
        return this.written(run, !isAsked(run));
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
  private written(run: MutationRun, isNew: boolean): object | undefined {
    const { shape } = run;
    const target = targetOf(run);
    const ids: string[] = [];
    for (const { [target?.name ?? 'id']: named, ...input } of objectsIn(run)) {
      const own = named ?? input['id'];
      if (!isNew && !target && own === undefined && !takesIdentifier(run)) return undefined;
      const id = shape.action === 'Create' ? undefined : this.target(run, own);
      if (id === undefined && !isNew)
        return payload(shape, { userErrors: [notFound(shape, target ? [target.name] : null)] });
      const { type, fields: given } = this.fieldsFor(run, input, id);
      const place = { reader: this.reader, id };
      const fields = preparedFields(type, given, place);
      if (id !== undefined && !setsAny(fields, run.schema.getType(type))) return undefined;
      const userErrors = nodeProblems(type, fields, place);
      if (userErrors.length > 0)
        return payload(shape, { userErrors: codedErrors(shape, userErrors) });
      const known = fieldsOf(run.schema.getType(type) ?? shape.type);
      if (id === undefined) ids.push(this.created(type, fields, known));
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
    { shape, schema }: MutationRun,
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

  private created(type: string, given: NodeFields, known: object): string {
    return addNode(this, [type, given], 'handle' in known);
  }

  /** The id of the node that an input is about; undefined when there is none. */
  private target(run: MutationRun, id: unknown): string | undefined {
    if (typeof id === 'string') return isAbout(run, id) && this.reader.view(id) ? id : undefined;
    const identifier = run.args['identifier'];
    if (typeof identifier !== 'object' || identifier === null) return undefined;
    return this.nodes
      .all(possibleTypes(run.schema, run.shape.type))
      .find((node) =>
        Object.entries(identifier).every(
          ([name, value]) => (name === 'id' ? node.id : nodeValue(node, name)) === value,
        ),
      )?.id;
  }

  private deleted(run: MutationRun): object | undefined {
    const { shape } = run;
    const target = targetOf(run);
    if (!target && !takesIdentifier(run)) return undefined;
    const found = target?.isGiven ? target.ids : [this.target(run, undefined)];
    const known = found.filter((id) => id !== undefined && this.nodes.find(id)) as string[];
    if (known.length === 0)
      return payload(shape, { userErrors: [notFound(shape, target ? [target.name] : null)] });
    for (const id of known) {
      const { fields } = this.nodes.find(id) ?? { fields: {} };
      this.nodes.delete(id);
      this.changed('delete', id, fields);
    }
    return payload(shape, { deletedIds: known });
  }

  /** Changes the state of a node. */
  private moved(run: MutationRun): object | undefined {
    const { shape } = run;
    const target = targetOf(run);
    if (!target) return undefined;
    const id = this.target(run, target.ids[0]);
    if (id === undefined) return payload(shape, { userErrors: [notFound(shape, [target.name])] });
    const known = fieldsOf(shape.type);
    const states: NodeFields = STATES[shape.action as keyof typeof STATES];
    const fields = Object.fromEntries(Object.entries(states).filter(([name]) => name in known));
    this.nodes.update(id, fields);
    this.changed('update', id, this.nodes.fieldsOf(id));
    return payload(shape, { nodes: [this.reader.view(id)] });
  }
}

/** Whether a mutation may name its node by an argument `identifier`. */
function takesIdentifier({ known }: MutationRun): boolean {
  return known.some(({ name }) => name === 'identifier');
}

/** Whether a mutation that creates or updates has been told which node to update. */
function isAsked(run: MutationRun): boolean {
  return targetOf(run)?.isGiven === true;
}

/** Whether values that are set mean something to a type; no values do. */
function setsAny(fields: Readonly<NodeFields>, type: GraphQLNamedType | undefined): boolean {
  const known = type ? fieldsOf(type) : {};
  const names = Object.keys(fields);
  return names.length === 0 || names.some((name) => name in known);
}

/** The objects that a mutation writes: its input with its other arguments, or each of a list. */
function objectsIn({ args, known, shape }: MutationRun): ReadonlyArray<Readonly<NodeFields>> {
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
