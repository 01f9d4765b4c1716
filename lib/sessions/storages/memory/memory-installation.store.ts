import { InstallationStore } from '../../installation.store.js';
import type { Installation } from '../../installation.store.js';

/** Keeps the records in this process: they are lost when it ends. */
export class MemoryInstallationStore extends InstallationStore {
  readonly #records = new Map<string, Installation>();

  async load(app: string, shop: string): Promise<Installation | undefined> {
    return this.#records.get(keyOf(app, shop));
  }

  async save(installation: Installation): Promise<boolean> {
    const key = keyOf(installation.app, installation.shop);
    if ((this.#records.get(key)?.version ?? 0) !== installation.version - 1) return false;
    this.#records.set(key, installation);
    return true;
  }
}

function keyOf(app: string, shop: string): string {
  return JSON.stringify([app, shop]);
}
