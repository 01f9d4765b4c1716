import {
  InstallationStore,
  parseInstallation,
  serializeInstallation,
} from '../../coordination/installation.store.js';
import type { Installation } from '../../coordination/installation.store.js';
import { scriptOf } from './redis.connection.js';
import type { RedisConnection } from './redis.connection.js';
import type { RedisKeys } from './redis-keys.js';

const SAVE = scriptOf(`
local version = tonumber(ARGV[1])
if tonumber(redis.call('HGET', KEYS[1], 'version') or 0) ~= version - 1 then return 0 end
redis.call('HSET', KEYS[1], 'version', version, 'record', ARGV[2])
return 1`);

/** Keeps each record as a hash: its text beside its version. */
export class RedisInstallationStore extends InstallationStore {
  constructor(
    private readonly connection: RedisConnection,
    private readonly keys: RedisKeys,
  ) {
    super();
  }

  load(app: string, shop: string): Promise<Installation | undefined> {
    return this.connection.run('load an installation', async (server) => {
      const record = await server.send('HGET', this.keys.installation(app, shop), 'record');
      return record === null ? undefined : parseInstallation(String(record));
    });
  }

  save(installation: Installation): Promise<boolean> {
    const key = this.keys.installation(installation.app, installation.shop);
    const values = [String(installation.version), serializeInstallation(installation)];
    return this.connection.run(
      'save an installation',
      async (server) => (await server.run(SAVE, [key], values)) === 1,
    );
  }
}
