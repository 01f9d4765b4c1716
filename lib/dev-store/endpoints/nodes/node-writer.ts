import type { NodeFields } from '../../state/nodes/node-store.js';
import type { ProductCatalog } from '../../state/products/product-catalog.js';
import type { NodeReader } from './node-reader.js';

/** What happened to a node. */
export type NodeChange = 'create' | 'update' | 'delete';

/** Notifies the apps of what has happened to nodes. */
export interface OnNodeChange {
  /** A node was changed. @param fields those that it has, or had */
  (change: NodeChange, id: string, fields: Readonly<NodeFields>): void;
  /** Something of a topic of its own happened to a node, e.g. `orders/paid`. */
  topic(topic: string, id: string): void;
}

/** What resolvers with rules of their own change nodes with. */
export interface NodeWriter {
  readonly reader: NodeReader;
  readonly catalog: ProductCatalog;
  readonly changed: OnNodeChange;
  /** Sends an event to the subscriptions of a topic, without waiting for them. */
  readonly notify: (topic: string, payload: object) => void;
  /** The version that is called, e.g. `2026-07`. */
  readonly version: string;
  /** The view of a node that is there. */
  readonly view: (id: string) => object | null;
}
