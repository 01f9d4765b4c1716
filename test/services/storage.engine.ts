import { randomUUID } from 'node:crypto';

import type { ClosingStorage } from '../sessions/storages/closing.suite.js';
import type { Server } from './servers.js';

/** What the storages of all engines have. */
export type EngineStorage = ClosingStorage & { verify(): Promise<void> };

/** A place of its own on a server, such as a database, with the storages that were opened in it. */
export abstract class StoragePlace<Storage extends EngineStorage = EngineStorage> {
  readonly name = `shopwright-${randomUUID()}`;
  /** What the storage's constructor takes to work here, in this process or another. */
  abstract readonly parameters: readonly unknown[];
  readonly #storages: Storage[] = [];

  abstract open(): Storage;
  /** Closes the storages and removes all that is here. */
  abstract drop(): Promise<void>;

  /** Closes the storage with the others. */
  keep(storage: Storage): Storage {
    this.#storages.push(storage);
    return storage;
  }

  async close(): Promise<void> {
    await Promise.all(this.#storages.splice(0).map((storage) => storage.close()));
  }
}

/** A kind of server that sessions are kept on. */
export interface StorageEngine<Place extends StoragePlace = StoragePlace> {
  /** The name of the storage's class begins with it, and its folder has it in lower case. */
  readonly name: 'PostgreSQL' | 'MySQL' | 'Redis' | 'MongoDB';
  readonly server: Server;
  readonly createPlace: () => Promise<Place>;
}

/** The file that has an engine's storage. */
export const sourceOf = ({ name }: Pick<StorageEngine, 'name'>): string =>
  `lib/sessions/storages/${name.toLowerCase()}/index.ts`;

/** A place as one text: how a process is told where to work. */
export const addressOf = ({ name }: StorageEngine, { parameters }: StoragePlace): string =>
  JSON.stringify({ name, parameters });

/** Opens the storage of a place in a process of its own. */
export async function openAt(address: string): Promise<EngineStorage> {
  const { name, parameters } = JSON.parse(address) as Pick<
    StorageEngine & StoragePlace,
    'name' | 'parameters'
  >;
  const source = `../../${sourceOf({ name }).replace(/ts$/, 'js')}`;
  const module = (await import(source)) as Record<
    string,
    new (...parameters: readonly unknown[]) => EngineStorage
  >;
  return new module[`${name}SessionStorage`]!(...parameters);
}
