import { createServer } from 'node:net';

/** The wanted port, or any free one when it is taken. */
export async function freePort(wanted = 0) {
  const open = (port) =>
    new Promise((resolve, reject) => {
      const server = createServer().once('error', reject);
      server.listen(port, () => {
        const { port } = server.address();
        server.close(() => resolve(port));
      });
    });
  return open(wanted).catch(() => open(0));
}
