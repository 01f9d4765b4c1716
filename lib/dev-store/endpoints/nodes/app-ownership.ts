import type { NodeFields } from '../../state/nodes/node-store.js';
import type { NodeWriter } from './node-writer.js';

/**
 * Whether something belongs to the app that calls, by its field `appKey`. What has none, such as
 * what a test has added to the shop, belongs to all apps.
 */
export function isOwn({ apiKey }: NodeWriter, { appKey }: Readonly<NodeFields>): boolean {
  return appKey == null || appKey === apiKey;
}

/** The field that makes a node belong to the app that calls. */
export function ownership({ apiKey }: NodeWriter): Readonly<NodeFields> {
  return apiKey === undefined ? {} : { appKey: apiKey };
}
