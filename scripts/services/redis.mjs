import { connect } from 'node:net';

const port = process.env.SHOPWRIGHT_REDIS_PORT ?? '6390';
const url = process.env.REDIS_URL ?? `redis://127.0.0.1:${port}`;

/** Keeps everything in memory, on this machine alone, beside a Redis that may run on the usual port. */
export const redis = {
  name: 'Redis',
  /** How tests reach it. A server named by the environment is used as it is. */
  variables: { REDIS_URL: url },
  isOurs: process.env.REDIS_URL === undefined,
  binary: 'redis-server',
  debianPackage: 'redis-server',
  args: ({ folder, pidFile }) => ['--bind', '127.0.0.1', '--port', port, '--save', '', '--dir', folder, '--pidfile', pidFile],
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
