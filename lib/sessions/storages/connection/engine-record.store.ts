import { RecordStore } from '../../coordination/record.store.js';
import type {
  Lease,
  LeaseOutcome,
  LeaseTerms,
  RecordKey,
  RecordQuery,
  StoredRecord,
  VersionedRecord,
} from '../../coordination/record.store.js';
import type { EngineConnection } from './engine.connection.js';
import { pageLimit } from './page-limit.js';

/** Calls of the records of an engine, which is open then. */
export type RecordCalls = Pick<EngineConnection<unknown, { readonly records: RecordStore }>, 'run'>;

/** The records of an engine that is opened on first use. */
export class EngineRecordStore extends RecordStore {
  constructor(private readonly calls: RecordCalls) {
    super();
  }

  get(key: RecordKey): Promise<StoredRecord | undefined> {
    return this.calls.run('read a record', ({ records }) => records.get(key));
  }

  list(query: RecordQuery): Promise<StoredRecord[]> {
    const page = { ...query, limit: pageLimit(query.limit) };
    return this.calls.run('list records', ({ records }) => records.list(page));
  }

  put(record: VersionedRecord): Promise<boolean> {
    return this.calls.run('write a record', ({ records }) => records.put(record));
  }

  lease(key: RecordKey, owner: string, terms: LeaseTerms): Promise<Lease> {
    return this.calls.run('lease a record', ({ records }) => records.lease(key, owner, terms));
  }

  renew(key: RecordKey, owner: string, terms: LeaseTerms): Promise<boolean> {
    return this.calls.run('renew a lease', ({ records }) => records.renew(key, owner, terms));
  }

  end(key: RecordKey, owner: string, outcome?: LeaseOutcome): Promise<void> {
    return this.calls.run('end a lease', ({ records }) => records.end(key, owner, outcome));
  }
}
