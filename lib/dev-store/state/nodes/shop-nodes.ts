/**
 * The values of a node by the names of its fields in the schema: texts, numbers, lists and objects
 * as in JSON. Other nodes are named by their global ids, connections are lists of these.
 */
export type NodeFields = Record<string, unknown>;

/** An object with an identity that the store keeps without rules of its own, such as a customer. */
export interface StoredNode {
  /** Its global id, e.g. `gid://shopify/Customer/1000000007`. */
  readonly id: string;
  /** The number in its id. */
  readonly number: number;
  /** Which one of its type it is in the order of creation, from 1; never given twice. */
  readonly ordinal: number;
  /** The name of its type in the Admin schema. */
  readonly type: string;
  readonly createdAt: Date;
  updatedAt: Date;
  readonly fields: NodeFields;
}

/** What a test does with the objects that the store keeps without rules of their own. */
export interface ShopNodes {
  /** Every node, or those of some types. */
  all(types?: readonly string[]): StoredNode[];
  /** The oldest node of a type; undefined when there is none. */
  first(type: string): StoredNode | undefined;
  /** The node with a global id; undefined when there is none. */
  find(id: string): StoredNode | undefined;
  /** Adds a node, without notifying the apps. @param type e.g. `Customer` */
  create(type: string, fields?: Readonly<NodeFields>): StoredNode;
  /**
   * Sets fields of a node, without notifying the apps. A product or another object that the store
   * keeps elsewhere gets them in addition to its own.
   */
  update(id: string, fields: Readonly<NodeFields>): void;
  /**
   * Removes a node, and the fulfillment orders of an order, without notifying the apps. Returns
   * whether there was one.
   */
  delete(id: string): boolean;
}
