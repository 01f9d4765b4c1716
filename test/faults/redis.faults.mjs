import { createClient } from 'redis';

async function onRedis(servers, ...commands) {
  const client = createClient({ url: servers.url('redis') });
  client.on('error', () => {});
  await client.connect();
  try {
    for (const command of commands) await client.sendCommand(command.split(' '));
  } finally {
    client.destroy();
  }
}

/** A server that is told one thing, and the opposite when the fault is over. */
const told = (title, command, back) => ({
  title,
  lasts: 3_000,
  mustFail: true,
  async inflict(_place, servers) {
    await onRedis(servers, command);
    return () => onRedis(servers, back);
  },
});

export const REDIS_FAULTS = [
  told(
    'full: maxmemory reached, nothing is evicted',
    'CONFIG SET maxmemory 1',
    'CONFIG SET maxmemory 0',
  ),
  told('read-only: replica of a master that is dead', 'REPLICAOF 127.0.0.1 1', 'REPLICAOF NO ONE'),
];
