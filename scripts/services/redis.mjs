import { connect } from 'node:net';

const port = process.env.SHOPWRIGHT_REDIS_PORT ?? '6390';
const ours = `redis://127.0.0.1:${port}`;
const url = process.env.REDIS_URL ?? ours;

/**
 * Listens on this machine alone, beside a Redis that may run on the usual port. What it holds
 * outlives an orderly stop.
 */
export const redis = {
  id: 'redis',
  name: 'Redis',
  variable: 'REDIS_URL',
  /** How tests reach it. A server named by the environment is used as it is. */
  url,
  isOurs: url === ours,
  program: 'redis-server',
  debianPackages: ['redis-server'],
  command: ({ folder }) => [
    'redis-server',
    '--bind',
    '127.0.0.1',
    '--port',
    port,
    '--save',
    '3600',
    '1',
    '--dir',
    folder,
  ],
  answers: () =>
    new Promise((resolve) => {
      const { hostname, port: given } = new URL(url);
      const socket = connect({ host: hostname, port: Number(given || 6379) });
      const end = (answer) => {
        socket.destroy();
        resolve(answer);
      };
      socket.setTimeout(1000, () => end(false));
      socket.once('error', () => end(false));
      // A server that asks for a password first is a server, too.
      socket.once('data', (data) => end(/^(?:\+PONG|-NOAUTH)/.test(data.toString())));
      socket.write('PING\r\n');
    }),
};
