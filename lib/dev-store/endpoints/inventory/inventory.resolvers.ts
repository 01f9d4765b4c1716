import type { GraphQLResolveInfo } from 'graphql';
import { capital } from '../../base/text-values.js';
import type { GraphqlContext } from '../../graphql/graphql-execution.js';
import { ForeignIdError } from '../../graphql/graphql.errors.js';
import {
  QUANTITY_NAMES,
  isOnHand,
  quantityOf,
  type KeptQuantity,
} from '../../state/inventory/inventory-level.js';
import type { NodeWriter } from '../nodes/node-writer.js';
import { typeOfId } from '../nodes/node-reader.js';
import { stockRoot } from './stock.resolvers.js';
import { runOnce } from './idempotent.js';
import { applyChanges, itemById, type QuantityChange } from './inventory-changes.js';
import {
  boundErrors,
  demandCompared,
  documentErrors,
  nameErrors,
  placeErrors,
  reasonErrors,
  type QuantityError,
  type QuantityFields,
} from './quantity-input.js';

interface GroupInput {
  readonly reason: string;
  readonly referenceDocumentUri?: string | null;
}

interface AdjustInput extends GroupInput {
  readonly name: string;
  readonly changes: ReadonlyArray<
    QuantityFields & { readonly delta: number; readonly ledgerDocumentUri?: string | null }
  >;
}

type SetQuantity = QuantityFields & { readonly quantity: number };

interface SetInput extends GroupInput {
  readonly name: string;
  readonly ignoreCompareQuantity?: boolean | null;
  readonly quantities: readonly SetQuantity[];
}

interface Terminal {
  readonly locationId: string;
  readonly name: string;
  readonly changeFromQuantity?: number | null;
  readonly ledgerDocumentUri?: string | null;
}

interface MoveInput extends GroupInput {
  readonly changes: ReadonlyArray<{
    readonly inventoryItemId: string;
    readonly quantity: number;
    readonly from: Terminal;
    readonly to: Terminal;
  }>;
}

interface GroupArgs {
  readonly inventoryItemIds?: readonly string[] | null;
  readonly locationIds?: readonly string[] | null;
  readonly quantityNames?: readonly string[] | null;
}

/**
 * The resolvers of inventory: what is where, and the mutations that change it.
 * @see https://shopify.dev/docs/apps/build/orders-fulfillment/inventory-management-apps
 */
export function inventoryRoot(writer: NodeWriter): Record<string, unknown> {
  const { reader, catalog, notify, version, view } = writer;
  const { nodes, defaults } = reader.store;
  const places = { catalog, nodes };

  /** A mutation of quantities, which runs once for each key. */
  const grouped =
    <Input extends GroupInput>(plan: (input: Input) => QuantityChange[] | QuantityError[]) =>
    (args: { input: Input }, _context: GraphqlContext, info: GraphQLResolveInfo): object =>
      runOnce(writer, args, info, () => {
        const { input } = args;
        const planned = plan(input);
        const userErrors = [...reasonErrors(input.reason), ...planned.filter(isError)];
        if (userErrors.length > 0) return { inventoryAdjustmentGroup: null, userErrors };
        const changes = applyChanges(
          catalog,
          planned.filter((one): one is QuantityChange => !isError(one)),
          defaults.now(),
          notify,
        );
        if (changes.length === 0) return { inventoryAdjustmentGroup: null, userErrors: [] };
        const { id } = nodes.create('InventoryAdjustmentGroup', {
          reason: input.reason,
          referenceDocumentUri: input.referenceDocumentUri,
          changes: (wanted: GroupArgs) => changes.filter((one) => isWanted(one, wanted)),
        });
        return { inventoryAdjustmentGroup: view(id), userErrors: [] };
      });

  const setTo = (
    name: string,
    list: string,
    quantities: readonly SetQuantity[],
  ): QuantityChange[] | QuantityError[] => {
    const errors = quantities.flatMap((one, index) => {
      const path = ['input', list, String(index)];
      const isTwice = quantities
        .slice(0, index)
        .some((other) => PAIR.every((key) => other[key] === one[key]));
      return [
        ...boundErrors(one.quantity, [...path, 'quantity'], name === 'available'),
        ...(isTwice ? [{ ...DUPLICATE, field: [...path, 'locationId'] }] : []),
        ...placeErrors(places, one, name, path),
      ];
    });
    if (errors.length > 0) return errors;
    return quantities.flatMap(({ inventoryItemId: itemId, locationId, quantity }) => {
      const levels = itemById(catalog, itemId)?.variant.levels ?? [];
      const level = levels.find((one) => one.locationId === locationId);
      const before = level ? quantityOf(level, name === 'on_hand' ? 'on_hand' : 'available') : 0;
      return { itemId, locationId, name: 'available' as const, delta: quantity - before };
    });
  };

  return {
    ...stockRoot(writer),
    inventoryLevel: ({ id }: { id: string }) => {
      if (typeOfId(id) !== 'InventoryLevel') throw new ForeignIdError(id);
      return view(id);
    },
    inventoryProperties: () => ({ quantityNames: QUANTITY_NAMES.map(quantityName) }),

    inventoryAdjustQuantities: grouped(({ name, changes }: AdjustInput) => {
      demandCompared(version, 'InventoryChangeInput', changes);
      const errors = [
        ...nameErrors(name, ['input', 'name']),
        ...changes.flatMap((change, index) => {
          const path = ['input', 'changes', String(index)];
          return [
            ...boundErrors(change.delta, [...path, 'delta'], true),
            ...documentErrors(name, change.ledgerDocumentUri, [...path, 'ledgerDocumentUri']),
            ...placeErrors(places, change, name, path),
          ];
        }),
      ];
      if (errors.length > 0) return firstKind(errors);
      return changes.map(({ inventoryItemId: itemId, locationId, delta, ledgerDocumentUri }) => ({
        itemId,
        locationId,
        name: name as KeptQuantity,
        delta,
        ledgerDocumentUri,
      }));
    }),

    inventorySetQuantities: grouped((input: SetInput) => {
      const { name, quantities, ignoreCompareQuantity } = input;
      demandCompared(version, 'InventoryQuantityInput', quantities);
      if (name !== 'available' && name !== 'on_hand')
        return [
          {
            field: ['input', 'name'],
            message: "The quantity name must be either 'available' or 'on_hand'.",
            code: 'INVALID_NAME',
          },
        ];
      const isCompared = quantities.every(
        (one) => one.compareQuantity != null || 'changeFromQuantity' in one,
      );
      if (!isCompared && !ignoreCompareQuantity)
        return [
          {
            field: ['input', 'ignoreCompareQuantity'],
            message:
              'The compareQuantity argument must be given to each quantity or ignored using ignoreCompareQuantity.',
            code: 'COMPARE_QUANTITY_REQUIRED',
          },
        ];
      const compared = ignoreCompareQuantity
        ? quantities.map((one) => ({ ...one, compareQuantity: null }))
        : quantities;
      return setTo(name, 'quantities', compared);
    }),

    inventorySetOnHandQuantities: grouped(
      ({ setQuantities }: GroupInput & { readonly setQuantities: readonly SetQuantity[] }) => {
        demandCompared(version, 'InventorySetQuantityInput', setQuantities);
        return setTo('on_hand', 'setQuantities', setQuantities);
      },
    ),

    inventoryMoveQuantities: grouped(({ changes }: MoveInput) => {
      const ends = changes.flatMap(({ from, to }) => [from, to]);
      demandCompared(version, 'InventoryMoveQuantityTerminalInput', ends);
      const errors = changes.flatMap(({ inventoryItemId, quantity, from, to }, index) => {
        const path = ['input', 'changes', String(index)];
        const atEnd = (end: Terminal, side: string): QuantityError[] => [
          ...nameErrors(end.name, [...path, side, 'name']),
          ...documentErrors(end.name, end.ledgerDocumentUri, [...path, side, 'ledgerDocumentUri']),
          ...placeErrors(places, { inventoryItemId, ...end }, end.name, [...path, side]),
        ];
        if (from.locationId !== to.locationId) return [{ ...DIFFERENT_LOCATIONS, field: path }];
        if (from.name === to.name) return [{ ...SAME_NAME, field: path }];
        return [
          ...boundErrors(quantity, [...path, 'quantity'], false),
          ...atEnd(from, 'from'),
          ...atEnd(to, 'to'),
        ];
      });
      if (errors.length > 0) return firstKind(errors);
      return changes.flatMap(({ inventoryItemId: itemId, quantity, from, to }) =>
        [from, to].map(({ locationId, name, ledgerDocumentUri }, side) => ({
          itemId,
          locationId,
          name: name as KeptQuantity,
          delta: side === 0 ? -quantity : quantity,
          ledgerDocumentUri,
        })),
      );
    }),
  };
}

const PAIR = ['inventoryItemId', 'locationId'] as const;
const DUPLICATE = {
  message: 'The combination of inventoryItemId and locationId must be unique.',
  code: 'NO_DUPLICATE_INVENTORY_ITEM_ID_GROUP_ID_PAIR',
};
const DIFFERENT_LOCATIONS = {
  message: "The quantities can't be moved between different locations.",
  code: 'DIFFERENT_LOCATIONS',
};
const SAME_NAME = {
  message: "The quantity names for each change can't be the same.",
  code: 'SAME_QUANTITY_NAME',
};

/** Wrong names are told alone: what else is wrong depends on them. */
function firstKind(errors: QuantityError[]): QuantityError[] {
  const names = errors.filter(({ code }) => code === 'INVALID_QUANTITY_NAME');
  return names.length > 0 ? names : errors;
}

function isError(one: QuantityChange | QuantityError): one is QuantityError {
  return 'message' in one;
}

function isWanted(
  change: object,
  { inventoryItemIds, locationIds, quantityNames }: GroupArgs,
): boolean {
  const { item, location, name } = change as Record<string, string>;
  const fits = (wanted: readonly string[] | null | undefined, value = ''): boolean =>
    !wanted || wanted.includes(value);
  return fits(inventoryItemIds, item) && fits(locationIds, location) && fits(quantityNames, name);
}

/** The quantities that every shop uses; the others are of those with movements of stock. */
const IN_USE: readonly string[] = ['available', 'committed', 'on_hand', 'reserved'];

function quantityName(name: (typeof QUANTITY_NAMES)[number]): object {
  const isSum = name === 'on_hand';
  return {
    name,
    displayName: capital(name.replace('_', ' ')),
    isInUse: IN_USE.includes(name),
    belongsTo: !isSum && isOnHand(name) ? ['on_hand'] : [],
    comprises: isSum ? QUANTITY_NAMES.filter((one) => one !== 'on_hand' && isOnHand(one)) : [],
  };
}
