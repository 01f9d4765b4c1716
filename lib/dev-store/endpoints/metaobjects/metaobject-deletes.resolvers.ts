import { idOf } from '../../base/vendor.js';
import { isOwnName } from '../../base/custom-data.js';
import type { Metaobject } from '../../state/metaobjects/metaobject-store.js';
import { startedJob } from '../nodes/job.resolvers.js';
import type { MetaobjectCall } from './metaobject-definitions.resolvers.js';
import { storedType } from './metaobject-definition-input.js';
import type { MetaobjectError } from './metaobject-input.js';

interface Helpers {
  readonly demand: (field: string, scope: string) => void;
  /** An object of the app that calls. */
  readonly found: (id: string) => Metaobject | undefined;
  readonly notify: (change: 'delete', object: Metaobject) => void;
}

interface BulkArgs {
  readonly where: { readonly type?: string | null; readonly ids?: readonly string[] | null };
}

/** How many objects one call deletes by their ids. */
const MOST = 250;

/** `metaobjectBulkDelete` says by neither, or both, of its conditions what it is about. */
class WhereConditionError extends Error {
  readonly extensions = { code: 'INVALID_FIELD_ARGUMENTS' };

  constructor() {
    super('MetaobjectBulkDeleteWhereCondition requires exactly one of type, ids');
  }
}

/** The resolvers of the mutations that delete metaobjects: one, some, or all of a type. */
export function metaobjectDeletesRoot(
  { shop, app }: Pick<MetaobjectCall, 'shop' | 'app'>,
  { demand, found, notify }: Helpers,
): Record<string, unknown> {
  const { metaobjects: store, nodes } = shop;
  const remove = (object: Metaobject): void => {
    store.delete(object.id);
    notify('delete', object);
  };
  return {
    metaobjectDelete: ({ id }: { id: string }) => {
      demand('metaobjectDelete', 'write_metaobjects');
      const object = idOf('Metaobject', id) === undefined ? undefined : found(id);
      if (!object) return { deletedId: null, userErrors: [{ ...NOT_FOUND, field: ['id'] }] };
      remove(object);
      return { deletedId: id, userErrors: [] };
    },

    metaobjectBulkDelete: ({ where: { type, ids } }: BulkArgs) => {
      demand('metaobjectBulkDelete', 'write_metaobjects');
      if ((type == null) === (ids == null)) throw new WhereConditionError();
      const stored = storedType(type ?? '', app.id);
      if (type != null && (!isOwnName(stored, app.id) || !store.definition(stored))) {
        const message = `No metaobject definition exists for type "${stored}"`;
        const error = { code: 'RECORD_NOT_FOUND', field: ['where', 'type'], message };
        return { job: null, userErrors: [error] };
      }
      const userErrors: MetaobjectError[] = [];
      const objects = ids
        ? ids.slice(0, MOST).flatMap((id, elementIndex) => {
            const object = found(id);
            if (!object) userErrors.push({ ...NOT_FOUND, field: ['where', 'ids'], elementIndex });
            return object ?? [];
          })
        : store.ofType(stored);
      objects.forEach(remove);
      return { job: startedJob(nodes), userErrors };
    },
  };
}

const NOT_FOUND = { code: 'RECORD_NOT_FOUND', message: 'Record not found' };
