import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';

import { checkFreezing, fillDisk, freezeFiles } from './disk.mjs';
import { placeName } from './places.mjs';

/** A file in a folder of its own. */
export function createPlace(servers) {
  const folder = join(servers.folder, placeName());
  mkdirSync(folder);
  return { engine: 'sqlite', folder, parameters: [join(folder, 'sessions.db')] };
}

/** The same on a disk of its own. */
async function createDisk(servers) {
  const place = createPlace(servers);
  servers.mount(place.folder, '2m');
  return place;
}

/** @param facts what else there is to know of the place */
const openedReadOnly = (title, facts) => ({
  title,
  lasts: 3_000,
  mustFail: true,
  /** The app starts while it lasts. */
  isThereAtStart: true,
  createPlace: async (servers) => ({ ...(await createDisk(servers)), ...facts }),
  async inflict({ folder }, servers) {
    servers.remount(folder, 'ro');
    return () => servers.remount(folder, 'rw');
  },
});

export const SQLITE_FAULTS = [
  {
    title: 'locked for 8 s by another process',
    lasts: 8_000,
    mustFail: true,
    async inflict({ parameters: [file] }) {
      const database = new Database(file);
      await lock(database);
      return () => {
        database.exec('ROLLBACK');
        database.close();
      };
    },
  },
  {
    title: 'full: no room on its disk',
    lasts: 3_000,
    mustFail: true,
    createPlace: createDisk,
    inflict: async ({ folder }) => fillDisk(folder),
  },
  openedReadOnly('read-only: opened while its disk was', {}),
  // What that leaves beside the file lets it be opened for reading.
  openedReadOnly('read-only: opened while its disk was, after a kill -9', { isLeftOpen: true }),
  {
    title: 'read-only: its files became immutable while in use',
    lasts: 3_000,
    mustFail: true,
    async createPlace(servers) {
      const place = createPlace(servers);
      checkFreezing(place.folder);
      return place;
    },
    inflict: async ({ parameters: [file] }) => freezeFiles(file, `${file}-wal`),
  },
];

async function lock(database) {
  for (;;) {
    try {
      database.exec('BEGIN EXCLUSIVE');
      return;
    } catch (error) {
      if (!String(error.code).startsWith('SQLITE_BUSY')) throw error;
      await new Promise(setImmediate);
    }
  }
}
