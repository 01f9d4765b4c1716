import type { AuthHooks } from '../../../lib/auth/auth.options.js';
import type { ConfigOptions } from '../../../lib/core/config/config.options.js';
import type { Session } from '../../../lib/sessions/session.js';
import { MemoryRecordStore } from '../../../lib/sessions/storages/memory/memory-record.store.js';
import {
  RecordInstallationStore,
  RecordLock,
} from '../../../lib/sessions/coordination/coordination-stores.js';
import { MemorySessionStorage } from '../../../lib/sessions/storages/memory/memory-session.storage.js';
import { SHOP, StillClock, createApp, offlineSession, offlineToken } from '../auth.fixture.js';
import type { App, Call } from '../auth.fixture.js';

/** Of the clock of a cluster. */
const START = new StillClock().time.getTime();
export const MINUTE = 60_000;

/** A moment, counted from when a cluster begins. */
export const inMinutes = (minutes: number): Date => new Date(START + minutes * MINUTE);

/** An offline session with a refresh token that ends in `minutes`. */
export function expiring(minutes: number, more: Partial<Session> = {}): Session {
  return offlineSession({
    expires: inMinutes(minutes),
    refreshToken: 'shprt_first',
    refreshTokenExpires: inMinutes(60 * 24),
    ...more,
  });
}

export interface Shared {
  readonly options?: Partial<ConfigOptions>;
  readonly hooks?: AuthHooks;
  /** @default a pair of tokens for each refresh token */
  readonly token?: (call: Call) => Response | Promise<Response>;
}

/** What several processes of an app share. */
export class Cluster {
  readonly clock = new StillClock();
  readonly storage = new MemorySessionStorage();
  readonly refreshed: string[] = [];
  readonly processes: App[];

  constructor(count: number, { token = (call) => this.grant(call), ...setup }: Shared = {}) {
    const shared = {
      lock: new RecordLock(new MemoryRecordStore(this.clock)),
      installations: new RecordInstallationStore(new MemoryRecordStore(this.clock)),
    };
    this.processes = Array.from({ length: count }, () =>
      createApp({ ...setup, ...shared, clock: this.clock, storage: this.storage, token }),
    );
  }

  get app(): App {
    return this.processes[0]!;
  }

  get calls(): Call[] {
    return this.processes.flatMap(({ calls }) => calls);
  }

  /** As the platform does it: each refresh brings a new pair. */
  async grant({ body }: Call): Promise<Response> {
    const { refresh_token = '' } = body as { refresh_token?: string };
    this.refreshed.push(refresh_token);
    await new Promise((resolve) => setImmediate(resolve));
    const number = this.refreshed.length;
    const pair = { access_token: `shpat_fresh_${number}`, refresh_token: `shprt_fresh_${number}` };
    return offlineToken({ ...pair, expires_in: 3600, refresh_token_expires_in: 86_400 });
  }

  stored(): Promise<Session | undefined> {
    return this.storage.loadSession(`offline_${SHOP}`);
  }
}
