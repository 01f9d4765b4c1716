import { isoTime } from '../base/iso-time.js';
import { globalId } from '../base/vendor.js';

/** A count, in the schema's form. */
export function countView(count: number, limit = Infinity): object {
  return count > limit ? { count: limit, precision: 'AT_LEAST' } : { count, precision: 'EXACT' };
}

/** The id and the dates of a resource. @param type name of its type in the schema */
export function identityView(
  type: string,
  resource: { id: number; createdAt: Date; updatedAt: Date },
): object {
  return {
    id: globalId(type, resource.id),
    legacyResourceId: String(resource.id),
    createdAt: isoTime(resource.createdAt),
    updatedAt: isoTime(resource.updatedAt),
  };
}
