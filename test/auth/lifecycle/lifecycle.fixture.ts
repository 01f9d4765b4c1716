import type { AuthHooks } from '../../../lib/auth/auth.options.js';
import {
  InstallationRecords,
  tokenLock,
} from '../../../lib/auth/installations/installation-records.js';
import type { Grant } from '../../../lib/auth/installations/installation-records.js';
import { InstallationCheck } from '../../../lib/auth/lifecycle/installation-check.js';
import type { Presence } from '../../../lib/auth/lifecycle/installation-check.js';
import { LifecycleHandlers } from '../../../lib/auth/lifecycle/lifecycle-handlers.js';
import { AfterInstall, Lifecycle } from '../../../lib/auth/lifecycle/lifecycle.js';
import { Uninstallation } from '../../../lib/auth/lifecycle/uninstallation.js';
import { bind, bindValue } from '../../../lib/core/binding.js';
import { InFlight } from '../../../lib/core/concurrency/in-flight.js';
import { PlatformLogger } from '../../../lib/core/logger.js';
import type { Clock } from '../../../lib/core/time/clock.js';
import type { Resolver } from '../../../lib/platform/kernel/resolver.js';
import type { CoordinationStores } from '../../../lib/sessions/coordination/coordination-stores.js';
import { withLock } from '../../../lib/sessions/coordination/with-lock.js';
import { Session, onlineSessionId } from '../../../lib/sessions/session.js';
import type { SessionParams } from '../../../lib/sessions/session.js';
import type { SessionStorage } from '../../../lib/sessions/session.storage.js';
import { MemorySessionStorage } from '../../../lib/sessions/storages/memory/memory-session.storage.js';
import { API_KEY, SHOP } from '../../support/app.js';
import { resolverOf } from '../../support/resolver.js';
import { JumpingClock, Lines } from '../../webhooks/webhooks.fixture.js';

/** A storage that also keeps locks and records. */
export type WholeStorage = SessionStorage & { readonly companions: CoordinationStores };

export interface ProcessSetup {
  readonly clock?: Clock;
  readonly storage?: WholeStorage;
  readonly hooks?: AuthHooks;
  readonly afterInstall?: AfterInstall;
  /** Users have tokens of their own. */
  readonly useOnlineTokens?: boolean;
}

/**
 * What one process of an app makes of its installations. Processes that are given the same storage
 * are processes of one app.
 */
export class AppProcess {
  readonly lines = new Lines();
  readonly clock: Clock;
  readonly storage: WholeStorage;
  readonly app: Resolver;
  readonly records: InstallationRecords;
  readonly handlers: LifecycleHandlers;
  readonly inFlight: InFlight;
  readonly lifecycle: Lifecycle;
  readonly uninstallation: Uninstallation;
  /** What the platform says when it is asked whether the shop has the app. */
  asked: () => Promise<Presence> = async () => 'uninstalled';

  constructor({
    clock = new JumpingClock(),
    storage = new MemorySessionStorage(clock),
    hooks,
    afterInstall = { run: async () => {} },
    useOnlineTokens = false,
  }: ProcessSetup = {}) {
    this.clock = clock;
    this.storage = storage;
    this.app = resolverOf({ clock, sessionStorage: storage, hooks, useOnlineTokens }, [
      bindValue(PlatformLogger, this.lines.logger),
      bindValue(AfterInstall, afterInstall),
      bind(
        InstallationCheck,
        {},
        () => ({ of: () => this.asked() }) as unknown as InstallationCheck,
      ),
    ]);
    this.records = this.app.get(InstallationRecords);
    this.handlers = this.app.get(LifecycleHandlers);
    this.inFlight = this.app.get(InFlight);
    this.lifecycle = this.app.get(Lifecycle);
    this.uninstallation = this.app.get(Uninstallation);
  }

  /**
   * Stores a token the platform has granted, as whoever fetches one does: noted first, under the
   * shop's lock.
   */
  async grant(accessToken: string, grant: Partial<Grant> = {}): Promise<Session> {
    const session = offline(accessToken, { scope: grant.scope });
    await withLock(
      { lock: this.storage.companions.lock, clock: this.clock },
      tokenLock(API_KEY, SHOP),
      async () => {
        await this.records.granted(SHOP, {
          scope: session.scope!,
          grantedAt: this.clock.now(),
          isKnown: false,
          ...grant,
        });
        await this.storage.storeSession(session);
      },
    );
    return session;
  }

  /** Deals with the news that the shop has uninstalled the app, as a delivery does. */
  async uninstalled(): Promise<Presence> {
    const presence = await this.uninstallation.confirm(SHOP);
    if (presence === 'uninstalled') await this.uninstallation.run(SHOP);
    return presence;
  }

  /** The events the app has yet to be told of. */
  async pending(): Promise<string[]> {
    return ((await this.records.of(SHOP))?.pending ?? []).map(({ event }) => event);
  }
}

export function offline(
  accessToken: string,
  { scope = 'write_products', ...more }: Partial<SessionParams> = {},
): Session {
  return new Session({
    id: `offline_${SHOP}`,
    shop: SHOP,
    state: '',
    isOnline: false,
    scope,
    accessToken,
    ...more,
  });
}

/** The session of a user, who has a token of their own. */
export function ofUser(user: number, accessToken: string): Session {
  const onlineAccessInfo = { associated_user: { id: user } };
  return offline(accessToken, {
    id: onlineSessionId(SHOP, user),
    isOnline: true,
    onlineAccessInfo,
  });
}
