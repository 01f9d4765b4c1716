import type { GraphQLResolveInfo } from 'graphql';
import { isoTime } from '../../base/iso-time.js';
import { connection, type ConnectionArgs } from '../../graphql/graphql.connection.js';
import type { GraphqlContext } from '../../graphql/graphql-execution.js';
import { search } from '../../graphql/graphql-search.js';
import { countView } from '../../graphql/graphql.views.js';
import { dateField, numberField, type SearchFields } from '../../graphql/search-fields.js';
import {
  QUANTITY_NAMES,
  quantityOf,
  type InventoryLevel,
  type QuantityName,
} from '../../state/inventory/inventory-level.js';
import type { ProductVariant } from '../../state/products/product.js';
import { demandAccess } from '../nodes/node-access.js';
import { levelId, locationNumber } from './level-ids.js';

interface LevelsArgs extends ConnectionArgs {
  query?: string | null;
  includeInactive?: boolean | null;
}

/** What all that a level says takes. */
const LEVELS = ['InventoryLevel', 'read'] as const;

interface ListedLevel {
  /** The number in its global id. */
  readonly id: number;
  readonly itemId: number;
  readonly level: InventoryLevel;
}

/**
 * The fields that levels are searched by.
 * @see https://shopify.dev/docs/api/admin-graphql/latest/objects/InventoryItem
 */
const LEVEL_FIELDS: SearchFields<ListedLevel> = {
  default: [],
  named: new Map([
    ['created_at', dateField(({ level }) => level.createdAt)],
    ['id', numberField(({ id }) => id)],
    ['inventory_item_id', numberField(({ itemId }) => itemId)],
    ['updated_at', dateField(({ level }) => level.updatedAt)],
  ]),
};

interface LevelArgs {
  locationId: string;
  includeInactive?: boolean | null;
}

/** The fields of an inventory item that say what there is of it. @param item its view */
export function inventoryLevelFields(variant: ProductVariant, item: () => object): object {
  const levels = (all?: boolean | null): InventoryLevel[] =>
    variant.levels.filter(({ isActive }) => isActive || all === true);
  return {
    inventoryLevels: (args: LevelsArgs, context: GraphqlContext, info: GraphQLResolveInfo) => {
      demandAccess('inventoryLevels', LEVELS, context.mayUse);
      const all = levels(args.includeInactive).map((level) => ({
        id: locationNumber(level),
        itemId: variant.id,
        level,
      }));
      const found = search(all, args.query, LEVEL_FIELDS, { context, info });
      return connection(found, args, context, ({ level }) => levelView(variant, level, item));
    },
    inventoryLevel: ({ locationId, includeInactive }: LevelArgs, context: GraphqlContext) => {
      demandAccess('inventoryLevel', LEVELS, context.mayUse);
      const level = levels(includeInactive).find((one) => one.locationId === locationId);
      return level ? levelView(variant, level, item) : null;
    },
    locationsCount: () => countView(levels().length),
  };
}

/** A level as the schema describes it. @param item the view of its inventory item */
export function levelView(
  variant: ProductVariant,
  level: InventoryLevel,
  item: () => object,
): object {
  const id = levelId(variant, level);
  return {
    __typename: 'InventoryLevel',
    id,
    isActive: level.isActive,
    canDeactivate: () => !hasUnsettled(level),
    deactivationAlert: null,
    createdAt: isoTime(level.createdAt),
    updatedAt: isoTime(level.updatedAt),
    location: () => ({ __typename: 'Location', id: level.locationId }),
    item,
    quantities: ({ names }: { names: readonly string[] }, context: GraphqlContext) => {
      demandAccess('quantities', LEVELS, context.mayUse);
      return names
        .filter((name): name is QuantityName => QUANTITY_NAMES.includes(name as QuantityName))
        .map((name) => ({
          __typename: 'InventoryQuantity',
          id: `${id.replace('/InventoryLevel/', '/InventoryQuantity/')}&name=${name}`,
          name,
          quantity: quantityOf(level, name),
          updatedAt: timeOf(level, name),
        }));
    },
  };
}

/** Whether a level has quantities that others wait for, with which it cannot be deactivated. */
export function hasUnsettled(level: InventoryLevel): boolean {
  const names = ['committed', 'incoming', 'reserved'] as const;
  return names.some((name) => quantityOf(level, name) !== 0);
}

function timeOf({ changedAt }: InventoryLevel, name: QuantityName): string | null {
  const at = name === 'on_hand' ? undefined : changedAt[name];
  return at ? isoTime(at) : null;
}
