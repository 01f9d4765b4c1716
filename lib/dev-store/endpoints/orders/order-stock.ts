import type { InventoryLevel } from '../../state/inventory/inventory-level.js';
import type { NodeStore } from '../../state/nodes/node-store.js';
import type { ProductCatalog } from '../../state/products/product-catalog.js';
import { applyChanges, itemById, type QuantityChange } from '../inventory/inventory-changes.js';
import { idsOf } from './fulfillment-orders.js';

/** What orders do to the inventory of what is ordered: only of variants that are tracked. */
export class OrderStock {
  constructor(
    private readonly nodes: NodeStore,
    private readonly catalog: ProductCatalog,
    private readonly now: () => Date,
    private readonly notify: (topic: string, payload: object) => void,
  ) {}

  /** Commits what an order needs: it can no longer be sold to others. */
  commit(orderId: string): void {
    this.nodes.partOf(orderId, 'committed')['isCommitted'] = true;
    for (const line of idsOf(this.nodes.fieldsOf(orderId)['lineItems']))
      this.commitMore(orderId, line, Number(this.nodes.fieldsOf(line)['quantity'] ?? 0));
  }

  /** Commits more of a line, if what its order needs is committed at all. */
  commitMore(orderId: string, line: string, quantity: number): void {
    if (!this.nodes.partOf(orderId, 'committed')['isCommitted']) return;
    const kept = this.keptFor(line);
    const level = this.levelOf(line, kept.locationId);
    if (!level) return;
    kept.locationId = level.locationId;
    kept.quantity += quantity;
    this.change(line, level.locationId, { available: -quantity, committed: quantity });
  }

  /** What has been committed for a line leaves the shop. Negative quantities come back. */
  ship(line: string, quantity: number): void {
    const kept = this.keptFor(line);
    const taken = quantity < 0 ? quantity : Math.min(quantity, kept.quantity);
    if (kept.locationId === undefined) return;
    kept.quantity -= taken;
    this.change(line, kept.locationId, { committed: -taken });
  }

  /** What has been committed for a line can be sold again. */
  release(line: string, quantity: number): void {
    const kept = this.keptFor(line);
    const taken = Math.min(quantity, kept.quantity);
    if (kept.locationId === undefined) return;
    kept.quantity -= taken;
    this.change(line, kept.locationId, { available: taken, committed: -taken });
  }

  /** What was shipped for a line is at a location again. Returns the location that stocks it. */
  restock(line: string, quantity: number, at: string | null | undefined): string | undefined {
    const level = this.levelOf(line, at ?? undefined);
    if (level) this.change(line, level.locationId, { available: quantity });
    return level?.locationId;
  }

  /** What is committed for a line, and where. */
  private keptFor(line: string): { locationId?: string; quantity: number } {
    const kept = this.nodes.partOf(line, 'committed') as { locationId?: string; quantity?: number };
    kept.quantity ??= 0;
    return kept as { quantity: number };
  }

  private levelOf(line: string, locationId?: string): InventoryLevel | undefined {
    const found = itemById(this.catalog, this.itemOf(line));
    if (!found?.variant.tracked) return undefined;
    return found.variant.levels.find(
      (level) => level.isActive && (!locationId || level.locationId === locationId),
    );
  }

  private itemOf(line: string): string {
    const { variant } = this.nodes.fieldsOf(line);
    return String(variant).replace('/ProductVariant/', '/InventoryItem/');
  }

  private change(
    line: string,
    locationId: string,
    deltas: Partial<Record<QuantityChange['name'], number>>,
  ): void {
    const changes = Object.entries(deltas).map(([name, delta]) => ({
      itemId: this.itemOf(line),
      locationId,
      name: name as QuantityChange['name'],
      delta,
    }));
    applyChanges(this.catalog, changes, this.now(), this.notify);
  }
}
