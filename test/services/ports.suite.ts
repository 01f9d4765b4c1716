import { afterAll, afterEach, beforeAll, describe, it } from '@jest/globals';

import { describeInstallationStore } from '../../lib/sessions/conformance/installation-store.conformance.js';
import { describeLock } from '../../lib/sessions/conformance/lock.conformance.js';
import { describeSessionStorage } from '../../lib/sessions/conformance/session-storage.conformance.js';
import type { CoordinationStores } from '../../lib/sessions/coordination/coordination-stores.js';
import { describeWebhookInbox } from '../../lib/sessions/conformance/webhook-inbox.conformance.js';
import { describeClosing } from '../sessions/storages/closing.suite.js';
import type { StorageEngine, StoragePlace } from './storage.engine.js';

/**
 * Declares the tests that every storage and its companions must pass, in one place on the engine's
 * server.
 */
export function describePorts({ name, createPlace }: StorageEngine): void {
  describe(`the ports over ${name}`, () => {
    let place: StoragePlace;
    beforeAll(async () => {
      place = await createPlace();
    });
    afterEach(() => place.close());
    afterAll(() => place.drop());

    const companion =
      <Name extends keyof CoordinationStores>(companion: Name) =>
      (): CoordinationStores[Name] =>
        place.open().companions[companion];
    const runner = { describe, it, shared: true };
    describeSessionStorage(`${name}SessionStorage`, () => place.open(), runner);
    describeLock(`${name}Lock`, companion('lock'), runner);
    describeInstallationStore(`${name}InstallationStore`, companion('installations'), runner);
    describeWebhookInbox(`${name}WebhookInbox`, companion('inbox'), runner);
    describeClosing(`${name}SessionStorage`, () => place.open());
  });
}
