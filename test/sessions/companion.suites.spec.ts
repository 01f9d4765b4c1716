import { describe, expect, it } from '@jest/globals';

import { systemClock } from '../../lib/core/time/clock.js';
import { describeInstallationStore } from '../../lib/sessions/conformance/installation-store.conformance.js';
import type { Installation } from '../../lib/sessions/coordination/installation.store.js';
import { describeLock } from '../../lib/sessions/conformance/lock.conformance.js';
import type { SuiteRunner } from '../../lib/sessions/conformance/port.conformance.js';
import { MemoryRecordStore } from '../../lib/sessions/storages/memory/memory-record.store.js';
import {
  RecordInstallationStore,
  RecordLock,
  RecordWebhookInbox,
} from '../../lib/sessions/coordination/coordination-stores.js';
import { describeWebhookInbox } from '../../lib/sessions/conformance/webhook-inbox.conformance.js';
import type { Claim, DeliveryKey } from '../../lib/sessions/coordination/webhook.inbox.js';

type Suite<Port> = (name: string, open: () => Port, runner: SuiteRunner<Port>) => void;

/** Runs one case of a suite outside of any test runner; answers with what it failed with. */
async function failureOf<Port>(
  suite: Suite<Port>,
  open: () => Port,
  title: string,
  shared = false,
): Promise<unknown> {
  const cases = new Map<string, () => Promise<void>>();
  suite('a port', open, {
    describe: (_, body) => body(),
    it: (name, body) => cases.set(name, body),
    shared,
  });
  return cases.get(title)!().catch((error: unknown) => error);
}

class IgnoringCase extends RecordLock {
  override take(name: string, holder: string, leaseMs: number): Promise<boolean> {
    return super.take(name.toLowerCase(), holder, leaseMs);
  }
}
class CuttingNames extends RecordLock {
  override take(name: string, holder: string, leaseMs: number): Promise<boolean> {
    return super.take(name.slice(0, 64), holder, leaseMs);
  }
}
/** Like a lock of a connection, which its owner may take again and again. */
class Reentrant extends RecordLock {
  override async take(name: string, holder: string, leaseMs: number): Promise<boolean> {
    await super.take(name, holder, leaseMs);
    return true;
  }
}
class RenewingForAll extends RecordLock {
  override async renew(): Promise<boolean> {
    return true;
  }
}
class ReleasingForAll extends RecordLock {
  #holder = '';
  override async take(name: string, holder: string, leaseMs: number): Promise<boolean> {
    const taken = await super.take(name, holder, leaseMs);
    if (taken) this.#holder = holder;
    return taken;
  }
  override release(name: string): Promise<void> {
    return super.release(name, this.#holder);
  }
}

describe('the suite for locks', () => {
  it.each<[string, () => RecordLock, string]>([
    [
      'ignores case',
      () => new IgnoringCase(new MemoryRecordStore(systemClock)),
      'holds many names at once, told apart by case and however long they are',
    ],
    [
      'cuts names off',
      () => new CuttingNames(new MemoryRecordStore(systemClock)),
      'holds many names at once, told apart by case and however long they are',
    ],
    [
      'gives a name twice',
      () => new Reentrant(new MemoryRecordStore(systemClock)),
      'gives a name to one of many that ask at once',
    ],
    [
      'lets two work',
      () => new Reentrant(new MemoryRecordStore(systemClock)),
      'lets work be done by one at a time, and by all in the end',
    ],
    [
      'renews for anybody',
      () => new RenewingForAll(new MemoryRecordStore(systemClock)),
      'ends a hold when its lease is over, and lets the former holder change nothing',
    ],
    [
      'lets anybody release',
      () => new ReleasingForAll(new MemoryRecordStore(systemClock)),
      'lets nobody else release a name',
    ],
  ])('sees when one %s', async (_, open, title) => {
    expect(await failureOf(describeLock, open, title)).toMatchObject({ code: 'ERR_ASSERTION' });
  });

  it('sees when two that should share their names do not', async () => {
    const title = 'gives a name to one of many that ask at once';
    expect(
      await failureOf(
        describeLock,
        () => new RecordLock(new MemoryRecordStore(systemClock)),
        title,
        true,
      ),
    ).toMatchObject({ code: 'ERR_ASSERTION' });
  });
});

class LastWriteWins extends RecordInstallationStore {
  readonly #written = new Map<string, Installation>();
  override async load(_: string, shop: string): Promise<Installation | undefined> {
    return this.#written.get(shop);
  }
  override async save(installation: Installation): Promise<boolean> {
    this.#written.set(installation.shop, installation);
    return true;
  }
}
class ByShopAlone extends RecordInstallationStore {
  override load(_: string, shop: string): Promise<Installation | undefined> {
    return super.load('', shop);
  }
  override save(installation: Installation): Promise<boolean> {
    return super.save({ ...installation, app: '' });
  }
}

describe('the suite for installation stores', () => {
  it.each<[string, () => RecordInstallationStore, string]>([
    [
      'lets the last write win',
      () => new LastWriteWins(new MemoryRecordStore(systemClock)),
      'writes over the version before, and over no other',
    ],
    [
      'lets all rivals win',
      () => new LastWriteWins(new MemoryRecordStore(systemClock)),
      'lets one of many succeed that write the same version at once',
    ],
    [
      'knows shops alone',
      () => new ByShopAlone(new MemoryRecordStore(systemClock)),
      'keeps apps and shops apart, by case too',
    ],
  ])('sees when one %s', async (_, open, title) => {
    expect(await failureOf(describeInstallationStore, open, title)).toMatchObject({
      code: 'ERR_ASSERTION',
    });
  });
});

class Generous extends RecordWebhookInbox {
  override async claim(key: DeliveryKey, leaseMs: number): Promise<Claim> {
    const claim = await super.claim(key, leaseMs);
    return claim.state === 'busy' ? { state: 'claimed', token: 'another', handled: [] } : claim;
  }
}
class Forgetful extends RecordWebhookInbox {
  override release(key: DeliveryKey, token: string): Promise<void> {
    return super.release(key, token, []);
  }
}
class Careless extends RecordWebhookInbox {
  readonly #tokens = new Map<string, string>();
  override async claim(key: DeliveryKey, leaseMs: number): Promise<Claim> {
    const claim = await super.claim(key, leaseMs);
    if (claim.state === 'claimed') this.#tokens.set(key.webhookId, claim.token);
    return claim;
  }
  override complete(key: DeliveryKey): Promise<void> {
    return super.complete(key, this.#tokens.get(key.webhookId) ?? '');
  }
}

describe('the suite for inboxes', () => {
  it.each<[string, () => RecordWebhookInbox, string]>([
    [
      'gives a delivery twice',
      () => new Generous(new MemoryRecordStore(systemClock)),
      'gives a delivery to one of many that claim it at once',
    ],
    [
      'forgets who is done',
      () => new Forgetful(new MemoryRecordStore(systemClock)),
      'gives out a released delivery at once, with the names of the handlers that are done with it',
    ],
    [
      'asks for no token',
      () => new Careless(new MemoryRecordStore(systemClock)),
      'lets one who lost the delivery change nothing',
    ],
    [
      'has room for little',
      () => new RecordWebhookInbox(new MemoryRecordStore(systemClock, 2)),
      'keeps apps, shops and deliveries apart, by case too',
    ],
  ])('sees when one %s', async (_, open, title) => {
    expect(await failureOf(describeWebhookInbox, open, title)).toMatchObject({
      code: 'ERR_ASSERTION',
    });
  });
});
