// The client of the servers, in a process of its own: it sends a number of requests over
// connections that stay open, and tells how they were answered. It speaks HTTP over plain sockets,
// so that it costs less than any server it waits for.
import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';

/** Requests in flight at once. */
const CONNECTIONS = 32;
/** Stands in a request where its webhook id goes; as long as one. */
export const FRESH_ID = 'xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx';

/** The start of every id of this process, and how many were given out. */
const base = randomUUID().slice(0, -12);
let ids = 0;

/** Sends `count` copies of a request, and answers how many of each status came back. */
async function load({ port, request, count }) {
  const answers = {};
  let left = count;
  const connection = () =>
    new Promise((resolve, reject) => {
      const bytes = Buffer.from(request);
      const idAt = bytes.indexOf(FRESH_ID);
      const socket = connect({ port, host: '127.0.0.1', noDelay: true });
      let received = '';
      const next = () => {
        if (left === 0) return socket.end(resolve);
        left--;
        if (idAt >= 0) bytes.write(base + (ids++).toString(16).padStart(12, '0'), idAt, 'latin1');
        socket.write(bytes);
      };
      socket.on('connect', next);
      socket.on('data', (chunk) => {
        received += chunk.latin1Slice();
        const status = wholeAnswer(received);
        if (status === undefined) return;
        received = '';
        answers[status] = (answers[status] ?? 0) + 1;
        next();
      });
      socket.on('error', reject);
      socket.on('close', () => reject(new Error('The server closed a connection.')));
    });
  const stop = (error) => {
    left = 0;
    return error.message;
  };
  // To wake a core that sleeps is charged to the server whose answer wakes it.
  let isOver = false;
  const poll = () => isOver || setImmediate(poll);
  poll();
  const errors = await Promise.all(
    Array.from({ length: Math.min(CONNECTIONS, count) }, () => connection().catch(stop)),
  );
  isOver = true;
  return { answers, error: errors.find((error) => error) };
}

/**
 * The status of an answer that has come to its end. Only one can be on its way: the next request
 * waits for it.
 */
function wholeAnswer(text) {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [, length = text.startsWith('HTTP/1.1 204') ? '0' : undefined] =
    /\r\ncontent-length: (\d+)/i.exec(text.slice(0, end + 2)) ?? [];
  if (length === undefined) return 'no content-length';
  return text.length >= end + 4 + Number(length) ? text.slice(9, 12) : undefined;
}

if (process.send) {
  process.on('disconnect', () => process.exit());
  process.on('message', async (message) => process.send(await load(message)));
}
