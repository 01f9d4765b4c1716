import type { GraphQLCompositeType, SelectionSetNode } from 'graphql';
import type { ApiBucket } from '../base/api-limits.js';
import { WIRE } from '../base/vendor.js';
import { SelectionReader, type GraphqlOperation, type SelectedField } from './graphql-selection.js';

/** The most a single query may cost, regardless of the bucket. */
export const MAX_COST = 1000;

const MUTATION_COST = 10;
const CONNECTION_COST = 2;
const OBJECT_COST = 1;
/** What a count of a whole list costs, such as `productsCount`. */
const COUNT_COST = 10;

/**
 * Types whose objects cost nothing where a field returns one: the platform regards them as values.
 * No rule of the schema tells them from others.
 */
const VALUES = new Set([
  'CollectionRule',
  'CollectionRuleSet',
  'CurrencyFormats',
  'InventoryItemMeasurement',
  'MailingAddress',
  'MoneyBag',
  'MoneyV2',
  'PageInfo',
  'WebhookSubscriptionEndpoint',
]);

/**
 * What an operation costs, for any schema: 10 for a mutation field, whose payload and the objects
 * directly in it are free, 1 for an object, and for a connection 2 plus the cost of an item,
 * multiplied by twice the natural logarithm of the page size. The platform publishes no formula;
 * this one gives the recorded cost of nine out of ten queries exactly.
 * @see https://shopify.dev/docs/api/usage/limits#cost-calculation
 */
export class QueryCost {
  private readonly selections: SelectionReader;
  private readonly known = new Map<string, number>();
  private readonly numbers = new Map<SelectionSetNode, number>();

  constructor(private readonly operation: GraphqlOperation) {
    this.selections = new SelectionReader(operation);
  }

  /** The cost that is charged before the execution: the most that the response may cost. */
  requested(): number {
    return this.total(undefined);
  }

  /**
   * The cost of a result, never above the requested one. @param data the `data` of the response;
   * null when an error left nothing of it
   */
  actual(data: unknown): number {
    return Math.min(this.requested(), this.total(data ?? null));
  }

  private total(data: unknown): number {
    const { schema, operation } = this.operation;
    const root = schema.getRootType(operation.operation);
    // An operation of which nothing is left to execute is charged one point.
    return root ? Math.max(1, this.costOf([operation.selectionSet], root, data, 'field')) : 0;
  }

  /**
   * The cost of the fields of an object.
   * @param value the object; undefined before the execution
   * @param place `payload` for the object that a mutation returns
   */
  private costOf(
    sets: readonly SelectionSetNode[],
    type: GraphQLCompositeType,
    value: unknown,
    place: 'field' | 'payload',
  ): number {
    // Fragments may repeat each other exponentially often: each is counted once for its type.
    const name =
      value === undefined ? `${place} ${type.name} ${sets.map((set) => this.numberOf(set))}` : '';
    const known = this.known.get(name);
    if (known !== undefined) return known;
    const costs = this.selections.casesOf(sets, type).map((one) =>
      this.selections
        .fieldsOf(sets, one)
        .map((field) => this.costOfField(field, one, valueOf(field, value), place))
        .reduce((sum, cost) => sum + cost, 0),
    );
    const cost = Math.max(0, ...costs);
    if (value === undefined) this.known.set(name, cost);
    return cost;
  }

  private costOfField(
    field: SelectedField,
    parent: GraphQLCompositeType,
    value: unknown,
    place: 'field' | 'payload',
  ): number {
    const { graphql, schema } = this.operation;
    const type = graphql.getNamedType(field.definition.type);
    // A field that the object of another type does not have was not executed.
    if (!graphql.isCompositeType(type) || value === ABSENT) return 0;
    if (isConnection(type)) return this.costOfConnection(field, type, value);
    if (parent === schema.getMutationType())
      return MUTATION_COST + this.costOfItems(field, type, value, 'payload');
    const nested = this.costOfItems(field, type, value, 'field');
    const isValue = VALUES.has(type.name) && !parent.name.endsWith('Edge');
    if (place === 'payload' || isValue) return nested;
    const isCount = type.name === 'Count' && parent === schema.getQueryType();
    return nested + (isCount ? COUNT_COST : OBJECT_COST);
  }

  private costOfConnection(
    field: SelectedField,
    type: GraphQLCompositeType,
    value: unknown,
  ): number {
    const { graphql } = this.operation;
    if (value === null) return CONNECTION_COST;
    const parts = this.selections.fieldsOf(setsOf(field), type);
    const lists = parts
      .filter(({ definition }) => ITEM_FIELDS.has(definition.name))
      .map((part) => ({ part, items: valueOf(part, value) }));
    const length = Math.max(0, ...lists.map(({ items }) => (items as unknown[])?.length ?? 0));
    const size = value === undefined || length === 0 ? this.pageSizeOf(field) : length;
    let item = 0;
    for (const { part, items } of lists) {
      const itemType = graphql.getNamedType(part.definition.type) as GraphQLCompositeType;
      // The objects of `edges` are free, the node in each is not.
      item += this.costOfItems(part, itemType, items, 'field');
      if (part.definition.name === 'nodes') item += OBJECT_COST;
    }
    const others = parts
      .filter(({ definition }) => !ITEM_FIELDS.has(definition.name))
      .map((part) => this.costOfField(part, type, valueOf(part, value), 'field'));
    return others.reduce((sum, cost) => sum + cost, CONNECTION_COST + multiplierOf(size) * item);
  }

  /** The cost of what an object, or the dearest of several, contains. */
  private costOfItems(
    field: SelectedField,
    type: GraphQLCompositeType,
    value: unknown,
    place: 'field' | 'payload',
  ): number {
    if (value === null) return 0;
    const objects = Array.isArray(value) ? value.flat(Infinity) : [value];
    const costs = objects.map((one) =>
      one === null ? 0 : this.costOf(setsOf(field), type, one, place),
    );
    return Math.max(0, ...costs);
  }

  private pageSizeOf(field: SelectedField): number {
    const sizes = ['first', 'last'].map((name) => Number(this.selections.argumentOf(field, name)));
    return Math.max(0, ...sizes.filter((size) => size > 0));
  }

  private numberOf(set: SelectionSetNode): number {
    const number = this.numbers.get(set) ?? this.numbers.size;
    this.numbers.set(set, number);
    return number;
  }
}

/** The `extensions` of a response. @param actual null when nothing was executed */
export function costExtension(requested: number, actual: number | null, bucket: ApiBucket): object {
  const { capacity: maximumAvailable, available: currentlyAvailable, restoreRate } = bucket;
  const throttleStatus = { maximumAvailable, currentlyAvailable, restoreRate };
  return { cost: { requestedQueryCost: requested, actualQueryCost: actual, throttleStatus } };
}

/** What the platform says of a query that costs more than any may. */
export function maxCostMessage(cost: number): string {
  return `Query cost is ${cost}, which exceeds the single query max cost limit (${MAX_COST}).

See ${WIRE.costDocumentation} for more information on how the
cost of a query is calculated.

To query larger amounts of data with fewer limits, bulk operations should be used instead.
See ${WIRE.bulkDocumentation} for usage details.
`;
}

/** The fields of a connection that hold its items. */
const ITEM_FIELDS: ReadonlySet<string> = new Set(['edges', 'nodes']);

/** The result does not have this field. */
const ABSENT = Symbol('absent');

function isConnection(type: GraphQLCompositeType): boolean {
  return type.name.endsWith('Connection') && 'getFields' in type && 'pageInfo' in type.getFields();
}

function multiplierOf(size: number): number {
  return size > 0 ? Math.max(1, Math.floor(2 * Math.log(size))) : 0;
}

function setsOf({ nodes }: SelectedField): SelectionSetNode[] {
  return nodes.flatMap(({ selectionSet }) => (selectionSet ? [selectionSet] : []));
}

/** The result of a field: undefined before the execution, null when an error left no result. */
function valueOf({ key }: SelectedField, parent: unknown): unknown {
  if (parent === undefined || parent === null) return parent;
  return key in Object(parent) ? (parent as Record<string, unknown>)[key] : ABSENT;
}
