import { isRecord, parsedBody } from '../../core/json.js';
import type { RecordStore, StoredRecord } from '../coordination/record.store.js';

/** Redis looks at all its keys for each page. */
const PAGE_SIZE = 1_000;
const KIND = 'installation';

/** How many installations were copied, or would be, and how many the target has already. */
interface InstallationCounts {
  readonly copied: number;
  readonly kept: number;
  /** False when the signal ended the copy before the last page. */
  readonly isComplete: boolean;
}

/**
 * Copies what is known of installations: without it, a shop that comes back would count as a new
 * one, and what was not yet delivered to the app's hooks would be lost. Those that the target has
 * are left alone, so that it can be repeated.
 * @param options.signal ends it after a page
 */
export async function copyInstallations(
  from: Pick<RecordStore, 'list'>,
  to: Pick<RecordStore, 'get' | 'put'>,
  {
    dryRun = false,
    signal,
  }: { readonly dryRun?: boolean | undefined; readonly signal?: AbortSignal | undefined } = {},
): Promise<InstallationCounts> {
  const counts = { copied: 0, kept: 0 };
  for (let after: string | undefined; !signal?.aborted;) {
    const page = await from.list({ kind: KIND, after, limit: PAGE_SIZE });
    for (const record of page) {
      const isNew = dryRun
        ? (await to.get({ kind: KIND, id: record.id })) === undefined
        : await insert(record, to);
      counts[isNew ? 'copied' : 'kept']++;
    }
    if (page.length < PAGE_SIZE) return { ...counts, isComplete: true };
    after = page.at(-1)?.id;
  }
  return { ...counts, isComplete: false };
}

/** A record begins with version 1, which is a part of its data, too. */
function insert({ id, state, data }: StoredRecord, to: Pick<RecordStore, 'put'>): Promise<boolean> {
  const installation = parsedBody(data);
  if (state === undefined || !isRecord(installation)) return Promise.resolve(false);
  const begun = JSON.stringify({ ...installation, version: 1 });
  return to.put({ kind: KIND, id, state, data: begun, version: 1 });
}
