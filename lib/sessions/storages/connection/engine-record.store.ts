import type { RecordStore } from '../../coordination/record.store.js';
import type { EngineConnection } from './engine.connection.js';
import { pageLimit } from './page-limit.js';

/** Calls of the records of an engine, which is open then. */
export type RecordCalls = Pick<EngineConnection<unknown, { readonly records: RecordStore }>, 'run'>;

/** The records of an engine that is opened on first use. */
export function engineRecords(calls: RecordCalls): RecordStore {
  return {
    get: (key) => calls.run('read a record', ({ records }) => records.get(key)),
    list(query) {
      const page = { ...query, limit: pageLimit(query.limit) };
      return calls.run('list records', ({ records }) => records.list(page));
    },
    put: (record) => calls.run('write a record', ({ records }) => records.put(record)),
    lease: (key, owner, terms) =>
      calls.run('lease a record', ({ records }) => records.lease(key, owner, terms)),
    renew: (key, owner, terms) =>
      calls.run('renew a lease', ({ records }) => records.renew(key, owner, terms)),
    end: (key, owner, outcome) =>
      calls.run('end a lease', ({ records }) => records.end(key, owner, outcome)),
  };
}
