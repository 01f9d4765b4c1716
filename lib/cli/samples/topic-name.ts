/** Of topics of more than two words: what stands before the slash, and behind it. */
const SPLITS = [
  /^(APP)_(SCOPES_UPDATE|UNINSTALLED)$/,
  /^(CUSTOMERS)_(DATA_REQUEST|PURCHASING_SUMMARY)$/,
  /^(APP_SUBSCRIPTIONS|AUDIT_EVENTS|DISCOUNTS|FULFILLMENT_ORDERS|INVENTORY_SHIPMENTS|INVENTORY_TRANSFERS|ORDERS|PRODUCT_FEEDS|REVERSE_DELIVERIES|VARIANTS)_(.+)$/,
  /^(.+)_([^_]+)$/,
];
/** These have a dot instead. */
const DOTTED = /^(CUSTOMER)_(JOINED_SEGMENT|LEFT_SEGMENT|TAGS_ADDED|TAGS_REMOVED)$/;

/**
 * A topic as the header of a delivery spells it, such as `products/create`.
 * @param topic in that spelling, or as a constant
 */
export function topicName(topic: string): string {
  const name = topic.toLowerCase();
  if (/[/.]/.test(topic)) return name;
  const constant = topic.toUpperCase();
  const dotted = DOTTED.exec(constant);
  if (dotted) return `${dotted[1]}.${dotted[2]}`.toLowerCase();
  for (const split of SPLITS) {
    const [, resource, action] = split.exec(constant) ?? [];
    if (resource !== undefined) return `${resource}/${action}`.toLowerCase();
  }
  return name;
}
