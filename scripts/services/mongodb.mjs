import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { ROOT } from '../install.mjs';

const port = process.env.SHOPWRIGHT_MONGODB_PORT ?? '27390';
const ours = `mongodb://127.0.0.1:${port}/`;
const url = process.env.MONGODB_URL ?? ours;

/**
 * FerretDB: a server of MongoDB's protocol that is built from Go modules and keeps its documents in
 * SQLite. On this machine alone.
 */
export const mongodb = {
  id: 'mongodb',
  name: 'FerretDB',
  variable: 'MONGODB_URL',
  url,
  isOurs: url === ours,
  /** 1.24 or newer. */
  program: 'go',
  debianPackages: ['golang-go'],
  prepare({ folder, run }) {
    // Nothing to do, and done at once, when it was built before. As ourselves: the compiler's cache
    // is ours.
    const account = { uid: process.getuid?.(), gid: process.getgid?.() };
    run(['go', 'build', '-trimpath', '-buildvcs=false', '-o', join(folder, 'ferretdb'), '.'], {
      cwd: join(ROOT, 'scripts/services/ferretdb'),
      ...account,
    });
    run(['mkdir', '-p', 'data']);
  },
  command: ({ folder }) => [join(folder, 'ferretdb'), `127.0.0.1:${port}`, join(folder, 'data')],
  async answers() {
    const client = new MongoClient(url, { serverSelectionTimeoutMS: 1000, connectTimeoutMS: 1000 });
    try {
      await client.db().command({ ping: 1 });
      return true;
    } catch {
      return false;
    } finally {
      await client.close();
    }
  },
};
